/**
 * Unpacks a zip entry by entry, behind a guard that counts the bytes that really come out. Nothing is written here.
 * Names are decoded in the encoding that all names together suggest, and checked as paths.
 */

import { isAscii } from 'node:buffer'
import { type Readable, Transform } from 'node:stream'
import { crc32 } from 'node:zlib'
import { type Entry, getFileNameLowLevel, openPromise, type ZipFile } from 'yauzl'
import { faultOfName } from '../../../platform/blobs/file-name.ts'
import { entriesOf, ZipFault } from '../parsing/office/zip-directory.ts'
import { nameDecoderFor } from './name-encoding.ts'

/** Why an entry or a whole archive is refused. All codes but `unsafe_name` are also codes of unreadable documents. */
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
  /** The unpacked bytes of one entry. */
  entryBytes: number
}

/** The bytes to which this archive and later ones may still unpack. */
export type UnpackBudget = { leftBytes: number }

/**
 * Unpacked bytes to packed bytes. An entry below a megabyte may exceed the ratio, as a short text of few words does.
 */
const maxRatio = 200
const ratioFromBytes = 1_000_000
/** Folders and clutter beside the files count as well, so a zip may have this many entries for each file. */
const entriesPerFile = 5

/** One file of the archive. `open` may throw a `ZipRefusal`, and so may reading its stream. */
export type UnpackedEntry = { path: string; open: () => Promise<Readable> }

/**
 * The files of the zip in their order, without folders and clutter. An entry must be read to its end, or not at all,
 * before the next one is asked for. Throws a `ZipRefusal` if the archive is damaged or has too many entries.
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
    for await (const entry of entriesIn(zip)) {
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
    yield* entriesIn(zip)
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

async function* entriesIn(zip: ZipFile): AsyncGenerator<Entry> {
  const entries = entriesOf(zip)
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

/** The refusal of an entry for a reason that is known before it is unpacked, or null. */
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

/** The upper half of the attributes holds the Unix kind of a file, for archives of any system. */
const isLink = (entry: Entry): boolean => ((entry.externalFileAttributes >>> 16) & 0o170000) === 0o120000

/**
 * The sizes that an archive states can be forged, so the unpacked bytes are counted, and their checksum is compared.
 */
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
    : new ZipRefusal('corrupt', cause instanceof ZipFault ? cause.message : damaged, cause)

const damaged = 'The archive is damaged here. Pack it again.'

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
/** Each page of characters is tried on all of them, at 0.1 s for a kilobyte at worst. */
const sampleBytes = 2_048
const utf8Flag = 0x800
/** This field holds the name in UTF-8, beside the name in the encoding of the archive's maker. */
const unicodePathField = 0x7075

/**
 * Returns a function that decodes the names of this archive. An archive marks a name as UTF-8, or not at all. Then
 * the name is in the encoding of its maker's system, and one name alone is too short to detect that.
 */
async function createNameReader(entries: AsyncIterable<Entry>): Promise<(entry: Entry) => string> {
  const samples: Buffer[] = []
  let length = 0
  let isDos = true
  for await (const entry of entries) {
    const { fileNameRaw } = entry
    if (saysItsEncoding(entry) || isAscii(fileNameRaw)) continue
    if (length > sampleBytes || fileNameRaw.length > 4 * maxPathLength) continue
    isDos &&= dosSystems.includes(entry.versionMadeBy >>> 8)
    samples.push(fileNameRaw, Buffer.from('\n'))
    length += fileNameRaw.length
  }
  const decode = nameDecoderFor(Buffer.concat(samples), isDos)
  return entry => {
    const name = saysItsEncoding(entry)
      ? getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true)
      : decode(entry.fileNameRaw)
    // Some systems separate folders by a backslash.
    return name.replaceAll('\\', '/').replace(/^(\.\/)+/, '')
  }
}

/** The systems that use the code page of DOS for names: FAT, OS/2, NTFS and VFAT (APPNOTE.TXT 4.4.2). */
const dosSystems = [0, 6, 10, 11, 14]

const saysItsEncoding = ({ generalPurposeBitFlag, extraFields }: Entry): boolean =>
  (generalPurposeBitFlag & utf8Flag) !== 0 || extraFields.some(({ id }) => id === unicodePathField)

/** Files that systems and tools leave beside the real ones. */
const isClutter = (path: string): boolean =>
  /(^|\/)(__MACOSX|\.git|\.svn|\.hg|node_modules|__pycache__)\/|(^|\/)(\.DS_Store|Thumbs\.db|desktop\.ini|~\$[^/]*)$/i.test(
    path,
  )

/** Why the path cannot be a document's name, or null. The path never leads to a place in a file system. */
export function faultOfPath(path: string): string | null {
  if (path === '' || path.length > maxPathLength) {
    return `The name must have 1 to ${maxPathLength} characters, its folders included.`
  }
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'The name is an absolute path.'
  if (path.split('/').includes('..')) return 'The name leads out of the archive.'
  const fault = faultOfName(path)
  return fault === null ? null : `The name ${fault}.`
}
