/** Looks through a zip before anything else reads it: how much its parts really unpack to, and what its XML declares. */
import type { Readable } from 'node:stream'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { ParseFailure } from './failure.ts'

/** What the parts of an office document may come to. Sizes are of what was really unpacked: stated ones can be forged. */
const limits = {
  entries: 2_000,
  entryBytes: 25_000_000,
  totalBytes: 60_000_000,
  /** Unpacked to packed; small parts may exceed it. */
  ratio: 200,
  ratioFromBytes: 1_000_000,
} as const

/**
 * Throws `archive_bomb`, `encrypted` or `corrupt` where the XML parts of the zip must not be read. Other parts
 * (pictures, fonts, embedded files) are not unpacked, here or later.
 */
export async function guardOfficeZip(path: string): Promise<void> {
  const zip = await openZip(path)
  try {
    if (zip.entryCount > limits.entries) throw new ParseFailure('archive_bomb')
    await guardEntries(zip)
  } catch (error) {
    throw error instanceof ParseFailure ? error : new ParseFailure('corrupt', undefined, error)
  } finally {
    zip.close()
  }
}

async function openZip(path: string): Promise<ZipFile> {
  try {
    // Names are not decoded, so strange ones (`../`) are no error: nothing is ever written under them.
    return await openPromise(path, { autoClose: false, decodeStrings: false, lazyEntries: true })
  } catch (error) {
    throw new ParseFailure('corrupt', undefined, error)
  }
}

async function guardEntries(zip: ZipFile): Promise<void> {
  let entries = 0
  let totalBytes = 0
  for await (const entry of zip.eachEntry()) {
    entries += 1
    if (entries > limits.entries) throw new ParseFailure('archive_bomb')
    if ((entry.generalPurposeBitFlag & 1) !== 0) throw new ParseFailure('encrypted')
    if (isXml(entry)) totalBytes += await guardEntry(zip, entry, limits.totalBytes - totalBytes)
  }
}

/** Names are bytes here; ASCII is enough to see their endings. */
const isXml = (entry: Entry): boolean => /\.(xml|rels)$/i.test(String(entry.fileName))

async function guardEntry(zip: ZipFile, entry: Entry, bytesLeft: number): Promise<number> {
  const maxBytes = Math.min(limits.entryBytes, bytesLeft)
  const stream: Readable = await zip.openReadStreamPromise(entry)
  let bytes = 0
  let seam = ''
  for await (const piece of stream) {
    const buffer = piece as Buffer
    bytes += buffer.byteLength
    const ratio = bytes / Math.max(1, entry.compressedSize)
    if (bytes > maxBytes || (bytes > limits.ratioFromBytes && ratio > limits.ratio)) {
      stream.destroy()
      throw new ParseFailure('archive_bomb')
    }
    const text = seam + buffer.toString('latin1')
    if (/<!(DOCTYPE|ENTITY)/i.test(text)) {
      stream.destroy()
      throw new ParseFailure('corrupt', 'The file declares XML entities, which no office document does.')
    }
    seam = text.slice(-10)
  }
  return bytes
}
