/** What a file is: told by its bytes; its name only decides between kinds of text, which look alike. */
import { open } from 'node:fs/promises'
import { byteOrderMark, looksLikeText, utf16WithoutMark } from './encoding.ts'
import { looksLikeEbcdic } from './encoding-tables.ts'
import type { Sniffed } from './formats.ts'
import { readSmallFile } from './small-file.ts'
import { isOle2, type ReadAt, sniffOle2 } from './sniff-ole2.ts'
import { sniffText } from './sniff-text.ts'
import { isZip, sniffZip, zipArchive } from './sniff-zip.ts'

/** Reads a few KB at either end of the file, and of the containers where their lists of parts stand. */
export async function sniffFile(path: string, name: string): Promise<Sniffed> {
  const small = readSmallFile(path)
  if (small !== null) return sniffBytes(small, name)
  const handle = await open(path, 'r')
  try {
    const { size } = await handle.stat()
    const readAt: ReadAt = async (offset, length) => {
      const buffer = Buffer.alloc(Math.max(0, Math.min(length, size - offset)))
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset)
      return buffer.subarray(0, bytesRead)
    }
    return await sniff(readAt, size, name)
  } finally {
    await handle.close()
  }
}

/** The same for a file that is at hand. */
export function sniffBytes(bytes: Buffer, name: string): Promise<Sniffed> {
  return sniff(async (offset, length) => bytes.subarray(offset, offset + length), bytes.length, name)
}

const headBytes = 8_192
const tailBytes = 131_072

async function sniff(readAt: ReadAt, sizeBytes: number, name: string): Promise<Sniffed> {
  const head = await readAt(0, headBytes)
  if (isZip(head)) return sniffZip(head, await readAt(Math.max(0, sizeBytes - tailBytes), tailBytes))
  if (isOle2(head)) return sniffOle2(head, readAt)
  if (isPdf(head)) return { format: 'pdf' }
  if (isWebp(head)) return { format: 'webp' }
  const known = binaryKinds.find(({ magic }) => head.subarray(0, magic.length).equals(Buffer.from(magic)))
  if (known !== undefined) return known.is
  const isWide = byteOrderMark(head) !== null || utf16WithoutMark(head) !== null
  if (!isWide && looksLikeEbcdic(head)) return { format: 'text' }
  if (!isWide && !looksLikeText(head)) return { format: null, seemsToBe: 'binary data' }
  return sniffText(head.toString(isWide ? 'utf16le' : 'latin1'), name)
}

/** Readers of PDF allow for junk before the header. */
const isPdf = (head: Buffer): boolean => head.subarray(0, 1_024).includes('%PDF-')

const isWebp = (head: Buffer): boolean => /^RIFF....WEBP/s.test(head.toString('latin1', 0, 12))

const refused = (seemsToBe: string): Sniffed => ({ format: null, seemsToBe })

/** By the bytes at the very beginning. */
const binaryKinds: readonly { magic: readonly number[]; is: Sniffed }[] = [
  { magic: [0x89, 0x50, 0x4e, 0x47], is: { format: 'png' } },
  { magic: [0xff, 0xd8, 0xff], is: { format: 'jpeg' } },
  { magic: [0x47, 0x49, 0x46, 0x38], is: { format: 'gif' } },
  { magic: [0x49, 0x49, 0x2a, 0x00], is: { format: 'tiff' } },
  { magic: [0x4d, 0x4d, 0x00, 0x2a], is: { format: 'tiff' } },
  { magic: [0x1f, 0x8b], is: refused('a gzip archive (unpack it and upload what is in it)') },
  { magic: [0x42, 0x5a, 0x68], is: refused('a bzip2 archive (unpack it and upload what is in it)') },
  {
    magic: [0xfd, 0x37, 0x7a, 0x58, 0x5a],
    is: refused('an xz archive (unpack it and upload what is in it)'),
  },
  {
    magic: [0x28, 0xb5, 0x2f, 0xfd],
    is: refused('a Zstandard archive (unpack it and upload what is in it)'),
  },
  { magic: [0x37, 0x7a, 0xbc, 0xaf], is: refused('a 7z archive (unpack it and upload what is in it)') },
  {
    magic: [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07],
    is: refused('a RAR archive (unpack it and upload what is in it)'),
  },
  { magic: [0x7b, 0x5c, 0x72, 0x74, 0x66], is: { format: 'rtf' } },
  { magic: [0x50, 0x4b], is: refused(zipArchive) },
]
