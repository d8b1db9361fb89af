/**
 * The parts of a zipped document, counted while they are unpacked: the sizes that an archive states can be forged.
 */
import type { Readable } from 'node:stream'
import { type Entry, fromBufferPromise, openPromise, type ZipFile } from 'yauzl'
import { ParseFailure } from '../failure.ts'
import type { Source, Unpacked } from '../reader.ts'
import { readXml } from './xml.ts'
import { entriesOf, ZipFault } from './zip-directory.ts'

export type Zip = {
  /** The names of its entries in small letters, with "/" between folders. */
  names: readonly string[]
  has(name: string): boolean
  /** One entry, piece by piece. Throws `archive_bomb`, `encrypted`, or `corrupt`, also if it is missing. */
  pieces(name: string): AsyncIterable<Buffer>
  /** Like `pieces`, for an entry that is also read by `pieces`: its bytes count once. */
  piecesAgain(name: string): AsyncIterable<Buffer>
  /** One entry as a whole. Throws the same, and `too_large`. */
  bytes(name: string): Promise<Buffer>
  /** Like `bytes`, for an embedded file: its bytes do not count against the limit of the other parts. */
  fileBytes(name: string): Promise<Buffer>
}

export const limits = {
  entries: 65_000,
  /** The limit for all bytes that are unpacked of one document. */
  totalBytes: 120_000_000,
  /** The limit for an entry that is held in memory as a whole. */
  wholeBytes: 25_000_000,
  /** Unpacked bytes to packed bytes; small parts may exceed the ratio. */
  ratio: 200,
  ratioFromBytes: 1_000_000,
} as const

/** Opens the zip while `work` runs. Its entries are never written to disk, whatever their names say. */
export async function withZip<Result>(source: Source, work: (zip: Zip) => Promise<Result>): Promise<Result> {
  const file = await open(source)
  try {
    return await work(partsOf(await listEntries(file), file, source))
  } finally {
    file.close()
  }
}

/** Names are not decoded by the library, which would refuse strange ones (`../`). */
const options = { autoClose: false, decodeStrings: false, lazyEntries: true }

async function open(source: Source): Promise<ZipFile> {
  try {
    return source.path === null
      ? await fromBufferPromise(await source.bytes(), options)
      : await openPromise(source.path, options)
  } catch (error) {
    throw asFailure(error)
  }
}

/** Entries by their names in small letters, since producers differ in case. Of equal names the first one counts. */
async function listEntries(file: ZipFile): Promise<Map<string, Entry>> {
  if (file.entryCount > limits.entries) throw new ParseFailure('archive_bomb')
  const entries = new Map<string, Entry>()
  let count = 0
  try {
    for await (const entry of entriesOf(file)) {
      count += 1
      if (count > limits.entries) throw new ParseFailure('archive_bomb')
      const name = String(entry.fileName).replaceAll('\\', '/').toLowerCase()
      if (!entries.has(name)) entries.set(name, entry)
    }
  } catch (error) {
    throw asFailure(error)
  }
  return entries
}

function partsOf(entries: ReadonlyMap<string, Entry>, file: ZipFile, source: Source): Zip {
  const stated = [...entries.values()].reduce((sum, entry) => sum + entry.uncompressedSize, 0)

  async function* pieces(name: string, unpackedSoFar: Unpacked): AsyncGenerator<Buffer> {
    const entry = entries.get(name.toLowerCase())
    if (entry === undefined)
      throw new ParseFailure('corrupt', `The file lacks its part ${name.slice(0, 100)}.`)
    if ((entry.generalPurposeBitFlag & 1) !== 0) throw new ParseFailure('encrypted')
    let bytes = 0
    for await (const piece of unpacked(file, entry)) {
      bytes += piece.length
      unpackedSoFar.bytes += piece.length
      const ratio = bytes / Math.max(1, entry.compressedSize)
      const isBomb = bytes > limits.ratioFromBytes && ratio > limits.ratio
      if (isBomb || unpackedSoFar.bytes > limits.totalBytes) throw new ParseFailure('archive_bomb')
      source.onProgress(Math.min(0.99, source.unpacked.bytes / Math.max(1, stated)))
      yield piece
    }
  }

  return {
    names: [...entries.keys()],
    has: name => entries.has(name.toLowerCase()),
    pieces: name => pieces(name, source.unpacked),
    piecesAgain: name => pieces(name, { bytes: 0 }),
    bytes: name => whole(pieces(name, source.unpacked)),
    fileBytes: name => whole(pieces(name, source.unpackedWithin)),
  }
}

async function whole(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  for await (const piece of pieces) {
    length += piece.length
    if (length > limits.wholeBytes) throw new ParseFailure('too_large')
    parts.push(piece)
  }
  return Buffer.concat(parts)
}

async function* unpacked(file: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  let stream: Readable | null = null
  try {
    stream = await file.openReadStreamPromise(entry)
    for await (const piece of stream) yield piece as Buffer
  } catch (error) {
    throw asFailure(error)
  } finally {
    stream?.destroy()
  }
}

/** An error of the system, such as no more file handles, is not the file's fault. */
function asFailure(error: unknown): unknown {
  const isOurs = error instanceof ParseFailure || (error instanceof Error && 'syscall' in error)
  if (isOurs) return error
  return new ParseFailure('corrupt', error instanceof ZipFault ? error.message : undefined, error)
}

/** The name of a part, resolved from another part that refers to it. Steps above the package's root are ignored. */
export function resolvePart(from: string, target: string): string {
  const decoded = target.includes('%') ? decodeName(target) : target
  const folders = decoded.startsWith('/') ? [] : from.split('/').slice(0, -1)
  for (const step of decoded.split('/')) {
    if (step === '..') folders.pop()
    else if (step !== '.' && step !== '') folders.push(step)
  }
  return folders.join('/')
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    // A per cent sign that stands for itself.
    return name
  }
}

/** The text of the first `dc:title` of a part. */
export async function readTitle(zip: Zip, part: string): Promise<string | null> {
  let title: string | null = null
  let isWithin = false
  await readXml(zip.pieces(part), {
    open(name) {
      isWithin = name === 'dc:title' && title === null
      if (isWithin) title = ''
    },
    close() {
      isWithin = false
    },
    text(text) {
      if (isWithin) title += text
    },
  })
  return title
}
