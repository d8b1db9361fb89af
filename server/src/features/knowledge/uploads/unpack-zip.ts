/**
 * Takes a zip apart, entry by entry, behind a guard that counts what really comes out of it. Nothing is written here.
 * Names are decoded in the encoding that all of them suggest, and judged as paths.
 */

import { isAscii, isUtf8 } from 'node:buffer'
import { type Readable, Transform } from 'node:stream'
import { crc32 } from 'node:zlib'
import { type Entry, getFileNameLowLevel, openPromise, type ZipFile } from 'yauzl'
import { faultOfName } from '../../../platform/blobs/file-name.ts'
import { detectEncoding } from '../parsing/encoding.ts'

/** Why an entry, or all of an archive, is not taken; the codes are those of documents that could not be read. */
export class ZipRefusal extends Error {
  override readonly name = 'ZipRefusal'
  readonly code: 'archive_bomb' | 'encrypted' | 'corrupt' | 'unsafe_name' | 'too_large' | 'unsupported_type'

  constructor(code: ZipRefusal['code'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

export type UnpackLimits = {
  entries: number
  /** Of one entry, unpacked. */
  entryBytes: number
}

/** What may still come out, of this archive and of those after it. */
export type UnpackBudget = { leftBytes: number }

/** Unpacked to packed. What is under a megabyte may exceed it: a short text of few words does. */
const maxRatio = 200
const ratioFromBytes = 1_000_000
/** Folders and clutter beside the files are gone over as well. */
const entriesPerFile = 5

/** One file of the archive; `open` throws a `ZipRefusal`, and so does reading what it answers. */
export type UnpackedEntry = { path: string; open: () => Promise<Readable> }

/**
 * The files of the zip in their order; folders and what systems put beside files are passed over. An entry must be
 * read to its end, or not at all, before the next one is asked for. Throws a `ZipRefusal` if the archive is none.
 */
export async function* unpackZip(
  zipPath: string,
  limits: UnpackLimits,
  budget: UnpackBudget,
): AsyncGenerator<UnpackedEntry> {
  const readName = await createNameReader(rawNames(zipPath, limits))
  const zip = await openZip(zipPath, limits)
  const seen = new Set<string>()
  try {
    for await (const entry of entriesOf(zip)) {
      const path = readName(entry)
      if (path.endsWith('/') || isClutter(path)) continue
      if (seen.size === limits.entries) throw tooManyEntries(limits)
      const isRepeated = seen.has(path)
      seen.add(path)
      yield { path, open: () => openEntry(zip, entry, { path, isRepeated, limits, budget }) }
    }
  } finally {
    zip.close()
  }
}

async function* rawNames(zipPath: string, limits: UnpackLimits): AsyncGenerator<Entry> {
  const zip = await openZip(zipPath, limits)
  try {
    yield* entriesOf(zip)
  } finally {
    zip.close()
  }
}

async function openZip(zipPath: string, limits: UnpackLimits): Promise<ZipFile> {
  const zip = await openPromise(zipPath, {
    autoClose: false,
    decodeStrings: false,
    lazyEntries: true,
    validateEntrySizes: true,
  }).catch((error: unknown) => {
    throw corrupt(error)
  })
  if (zip.entryCount <= limits.entries * entriesPerFile) return zip
  zip.close()
  throw tooManyEntries(limits)
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  const entries = zip.eachEntry()[Symbol.asyncIterator]()
  while (true) {
    const next = await entries.next().catch((error: unknown) => {
      throw corrupt(error)
    })
    if (next.done === true) return
    yield next.value
  }
}

type Opening = {
  path: string
  isRepeated: boolean
  limits: UnpackLimits
  budget: UnpackBudget
}

async function openEntry(zip: ZipFile, entry: Entry, opening: Opening): Promise<Readable> {
  const refusal = refusalOf(entry, opening)
  if (refusal !== null) throw refusal
  const packed = await zip.openReadStreamPromise(entry).catch((error: unknown) => {
    throw corrupt(error)
  })
  const guard = countingGuard(entry, opening)
  // The entry may fail before it is read. The reader then receives the error.
  guard.on('error', () => undefined)
  packed.once('error', error => guard.destroy(corrupt(error)))
  guard.once('close', () => packed.destroy())
  return packed.pipe(guard)
}

/** What is known before anything is unpacked. */
function refusalOf(entry: Entry, { path, isRepeated, budget }: Opening): ZipRefusal | null {
  const fault = faultOfPath(path)
  if (fault !== null) return new ZipRefusal('unsafe_name', fault)
  if (isRepeated) return new ZipRefusal('unsafe_name', 'The archive has an entry of this name already.')
  if (isLink(entry)) return new ZipRefusal('unsupported_type', 'The entry is a link, which is not followed.')
  if ((entry.generalPurposeBitFlag & 1) !== 0) {
    return new ZipRefusal('encrypted', 'The entry is protected by a password. Unpack it and upload the file.')
  }
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8) {
    return new ZipRefusal('unsupported_type', 'The entry is packed by a method that is not supported.')
  }
  return budget.leftBytes > 0 ? null : bomb()
}

/** Unix keeps the kind of a file in the upper half of the attributes, whatever system the archive was made on. */
const isLink = (entry: Entry): boolean => ((entry.externalFileAttributes >>> 16) & 0o170000) === 0o120000

/** Sizes that an archive states can be forged, so what comes out is counted, and its checksum compared. */
function countingGuard(entry: Entry, { limits, budget }: Opening): Transform {
  let bytes = 0
  let checksum = 0
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      bytes += piece.byteLength
      budget.leftBytes -= piece.byteLength
      checksum = crc32(piece, checksum)
      const ratio = bytes / Math.max(1, entry.compressedSize)
      if (bytes > limits.entryBytes) done(tooLarge(limits))
      else if (budget.leftBytes < 0 || (bytes > ratioFromBytes && ratio > maxRatio)) done(bomb())
      else done(null, piece)
    },
    flush(done) {
      done(checksum === entry.crc32 ? null : corrupt(new Error('The checksum is another one')))
    },
  })
}

const corrupt = (cause: unknown): ZipRefusal =>
  /strong encryption/.test(String(cause))
    ? new ZipRefusal('encrypted', 'The archive is protected by a password.', cause)
    : new ZipRefusal('corrupt', 'The archive is damaged here. Pack it again.', cause)

const bomb = (): ZipRefusal =>
  new ZipRefusal(
    'archive_bomb',
    'The archive unpacks to far more than it may. Upload the files by themselves.',
  )

const tooLarge = ({ entryBytes }: UnpackLimits): ZipRefusal =>
  new ZipRefusal('too_large', `The entry is larger than ${entryBytes} bytes, the limit of the plan.`)

const tooManyEntries = ({ entries }: UnpackLimits): ZipRefusal =>
  new ZipRefusal('archive_bomb', `The archive holds more than ${entries} files. Pack them into several.`)

const maxPathLength = 255
const sampleBytes = 65_536
const utf8Flag = 0x800
/** Holds the name in UTF-8 beside one in the maker's own encoding. */
const unicodePathField = 0x7075

/**
 * Returns how to read a name of this archive. Archives say of a name that it is UTF-8, or say nothing: then it is in
 * whatever the maker's system used, and one name alone is too short to tell what that was.
 */
async function createNameReader(entries: AsyncIterable<Entry>): Promise<(entry: Entry) => string> {
  const samples: Buffer[] = []
  let length = 0
  for await (const entry of entries) {
    const { fileNameRaw } = entry
    if (saysItsEncoding(entry) || isAscii(fileNameRaw) || length > sampleBytes) continue
    samples.push(fileNameRaw, Buffer.from('\n'))
    length += fileNameRaw.length
  }
  const sample = Buffer.concat(samples)
  const decoder = new TextDecoder(isUtf8(sample) ? 'utf-8' : detectEncoding(sample))
  return entry => {
    const name = saysItsEncoding(entry)
      ? getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true)
      : decoder.decode(entry.fileNameRaw)
    // Some systems part folders by the other slash.
    return name.replaceAll('\\', '/').replace(/^(\.\/)+/, '')
  }
}

const saysItsEncoding = ({ generalPurposeBitFlag, extraFields }: Entry): boolean =>
  (generalPurposeBitFlag & utf8Flag) !== 0 || extraFields.some(({ id }) => id === unicodePathField)

/** What systems and file managers leave beside the files. */
const isClutter = (path: string): boolean =>
  /(^|\/)__MACOSX\/|(^|\/)(\.DS_Store|Thumbs\.db|desktop\.ini)$/i.test(path)

/** A sentence where the path cannot be a document's name; it never leads to a place in a file system. */
export function faultOfPath(path: string): string | null {
  if (path === '' || path.length > maxPathLength) {
    return `The name must have 1 to ${maxPathLength} characters, its folders included.`
  }
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'The name is an absolute path.'
  if (path.split('/').includes('..')) return 'The name leads out of the archive.'
  const fault = faultOfName(path)
  return fault === null ? null : `The name ${fault}.`
}
