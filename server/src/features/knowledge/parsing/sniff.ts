/** Finds the format of a file by its bytes. The name only decides between kinds of text, which look alike. */

import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { extname } from 'node:path'
import { looksLikeText, markedEncoding } from './encoding.ts'
import type { Format, Sniffed } from './formats.ts'

/** Reads a few KB at either end of the file, and the lists of parts in containers. */
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

/** Like `sniffFile`, for a file in memory. */
export function sniffBytes(bytes: Buffer, name: string): Promise<Sniffed> {
  return sniff(async (offset, length) => bytes.subarray(offset, offset + length), bytes.length, name)
}

const headBytes = 8_192
const tailBytes = 131_072

async function sniff(readAt: ReadAt, sizeBytes: number, name: string): Promise<Sniffed> {
  const head = await readAt(0, headBytes)
  if (isZip(head)) return sniffZip(head, readAt, sizeBytes)
  if (isOle2(head)) return sniffOle2(head, readAt)
  if (readsAsPdf(head)) return { format: 'pdf' }
  if (isWebp(head)) return { format: 'webp' }
  const media = sniffMedia(head)
  if (media !== null) return media
  const known = binaryKinds.find(({ magic }) => head.subarray(0, magic.length).equals(Buffer.from(magic)))
  if (known !== undefined) return known.is
  if (!looksLikeText(head)) return { format: null, seemsToBe: 'binary data' }
  const encoding = markedEncoding(head)
  return sniffText(encoding === null ? head.toString('latin1') : new TextDecoder(encoding).decode(head), name)
}

/** Readers of PDF allow for junk before the header. */
export const readsAsPdf = (head: Buffer): boolean => head.subarray(0, 1_024).includes('%PDF-')

const isWebp = (head: Buffer): boolean => /^RIFF....WEBP/s.test(head.toString('latin1', 0, 12))

const refused = (seemsToBe: string): Sniffed => ({ format: null, seemsToBe })

/** A zip that is not a document, with the way to upload the files in it. */
const zipArchive: Sniffed = {
  format: null,
  seemsToBe: 'a zip archive (send it to POST /knowledge/documents/batch, which takes every file in it)',
  isArchive: true,
}

/** Audio, video and HEIC: by their first bytes, or by the brand that an ISO 14496-12 file states. */
function sniffMedia(head: Buffer): Sniffed | null {
  const start = head.toString('latin1', 0, 12)
  if (/^....ftyp/s.test(start))
    return { format: brands.find(({ brand }) => brand.test(start.slice(8)))?.format ?? 'mp4' }
  return mediaKinds.find(({ fits }) => fits.test(start))?.is ?? null
}

const brands: readonly { brand: RegExp; format: Format }[] = [
  { brand: /^(hei|hev|mif1|msf1|avi[fs])/, format: 'heic' },
  { brand: /^M4[AB]/, format: 'm4a' },
  { brand: /^qt/, format: 'mov' },
]

const mediaKinds: readonly { fits: RegExp; is: Sniffed }[] = [
  { fits: /^ID3\p{Cc}/u, is: { format: 'mp3' } },
  { fits: /^\xff[\xf2\xf3\xfa\xfb]/, is: { format: 'mp3' } },
  { fits: /^RIFF....WAVE/s, is: { format: 'wav' } },
  { fits: /^RIFF....AVI /s, is: { format: 'avi' } },
]

/** Kinds by the bytes at the very beginning. */
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
  { magic: [0x50, 0x4b], is: zipArchive },
  { magic: [0x4f, 0x67, 0x67, 0x53], is: { format: 'ogg' } },
  { magic: [0x66, 0x4c, 0x61, 0x43], is: { format: 'flac' } },
  { magic: [0x1a, 0x45, 0xdf, 0xa3], is: { format: 'mkv' } },
  { magic: [0x7f, 0x45, 0x4c, 0x46], is: refused('a program') },
  { magic: [0xca, 0xfe, 0xba, 0xbe], is: refused('a program') },
  { magic: [0x00, 0x61, 0x73, 0x6d], is: refused('a program') },
  { magic: [...Buffer.from('SQLite format 3')], is: refused('a database (export its tables as CSV)') },
  { magic: [...Buffer.from('%!PS')], is: refused('a PostScript file (convert it to PDF)') },
  { magic: [...Buffer.from('AT&TFORM')], is: refused('a DjVu document (convert it to PDF)') },
  { magic: [0xff, 0x57, 0x50, 0x43], is: refused('a WordPerfect document (save it as .docx)') },
]

// Finds the kind of an OLE2 file (old Office, Outlook, encrypted Office) by the names of its streams.

/** Returns fewer bytes than asked for where the file ends. */
type ReadAt = (offset: number, length: number) => Promise<Buffer>

export const isOle2 = (head: Buffer): boolean =>
  head.subarray(0, 8).equals(Buffer.from('d0cf11e0a1b11ae1', 'hex'))

async function sniffOle2(head: Buffer, readAt: ReadAt): Promise<Sniffed> {
  const names = await streamNames(head, readAt)
  return ole2Kinds.find(({ stream }) => names.some(name => stream.test(name)))?.is ?? oldOffice
}

/** The first that fits decides. */
const ole2Kinds: readonly { stream: RegExp; is: Sniffed }[] = [
  {
    stream: /^EncryptedPackage$/i,
    is: refused('an Office file protected by a password (remove the protection and upload it again)'),
  },
  { stream: /^__properties_version1\.0$|^__substg1\.0_/, is: { format: 'outlook' } },
  { stream: /^WordDocument$/i, is: { format: 'doc' } },
  { stream: /^(Workbook|Book)$/i, is: { format: 'xls' } },
  { stream: /^PowerPoint Document$/i, is: { format: 'ppt' } },
]

const oldOffice = refused('an old Office file (save it in a present format)')

export const entryBytes = 128
/** About 4,000 entries with the usual sectors: the names that tell a file's kind stand before that. */
const maxSectors = 1_024
export const endOfChain = 0xfffffffa

/** The size of the file's sectors, by its header. */
export const sectorBytesOf = (head: Buffer): number => (head.readUInt16LE(30) === 12 ? 4_096 : 512)

/**
 * [MS-CFB] 2.2–2.6: the header names the directory's first sector, and the table of sectors names each next one. Answers
 * the names of the root alone, since objects within the file have streams of the same names.
 */
async function streamNames(head: Buffer, readAt: ReadAt): Promise<string[]> {
  if (head.length < 512) return []
  const sectorBytes = sectorBytesOf(head)
  const sectorAt = (sector: number): Promise<Buffer> => readAt((sector + 1) * sectorBytes, sectorBytes)
  const perTableSector = sectorBytes / 4
  const sectors: Buffer[] = []
  let sector = head.readUInt32LE(48)
  while (sector < endOfChain && sectors.length < maxSectors) {
    sectors.push(await sectorAt(sector))
    const tablePlace = 76 + Math.floor(sector / perTableSector) * 4
    if (tablePlace + 4 > 512) break
    const table = await readAt(
      (head.readUInt32LE(tablePlace) + 1) * sectorBytes + (sector % perTableSector) * 4,
      4,
    )
    if (table.length < 4) break
    sector = table.readUInt32LE(0)
  }
  const directory = Buffer.concat(sectors)
  return [...entriesOfFolder(directory, 0)].map(number => streamNameAt(directory, number * entryBytes))
}

/** The numbers of the entries that a folder holds: a tree, of which each entry is visited once. */
export function entriesOfFolder(directory: Buffer, folder: number): Set<number> {
  const found = new Set<number>()
  const place = (number: number, at: number): number => {
    const start = number * entryBytes
    return start + entryBytes <= directory.length ? directory.readUInt32LE(start + at) : endOfChain
  }
  const waiting = [place(folder, entryPlaces.child)]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (found.has(next) || next === folder || (next + 1) * entryBytes > directory.length) continue
    found.add(next)
    waiting.push(place(next, entryPlaces.right), place(next, entryPlaces.left))
  }
  return found
}

/** Where an entry of the directory keeps its numbers ([MS-CFB] 2.6.1). */
export const entryPlaces = { kind: 66, left: 68, right: 72, child: 76, start: 116, size: 120 } as const

/** Names are UTF-16 with a NUL behind them; their length in bytes stands at 64. */
export function streamNameAt(entries: Buffer, at: number): string {
  const lengthBytes = Math.min(64, entries.readUInt16LE(at + 64))
  return decodeWide(entries.subarray(at, at + Math.max(0, lengthBytes - 2)))
}

/** `Buffer.toString` writes past its memory if an odd number of bytes begins at an odd address. */
export const decodeWide = (bytes: Buffer): string => new TextDecoder('utf-16le').decode(bytes)

// Finds the kind of a zip by the names of its entries, and by the media type in the first entry of some formats.

export const isZip = (head: Buffer): boolean => head.subarray(0, 4).equals(localHeader)

/**
 * The list of entries at a zip's end holds their names. A zip that was cut off still has some names at its head. Entries
 * are never searched for in packed data: a file within the zip may be a zip itself.
 */
async function sniffZip(head: Buffer, readAt: ReadAt, sizeBytes: number): Promise<Sniffed> {
  const directory = await directoryOf(readAt, sizeBytes)
  const [first] = entriesIn(head, localHeader, 26, 30)
  const entries = directory ?? entriesIn(head, localHeader, 26, 30)
  if (first?.name === 'mimetype') {
    const stated = head.subarray(first.end, first.end + longestMediaType).toString('latin1')
    const kind = statedKinds.find(({ mediaType }) => stated.startsWith(mediaType))
    if (kind !== undefined) return kind.is
  }
  const kind = zipKinds.find(({ entry }) => entries.some(({ name }) => entry.test(name)))
  if (kind !== undefined) return kind.is
  // A zip ends with its list of entries: a zip without the list was cut off on its way.
  if (directory !== null) return zipArchive
  const isOffice = entries.some(({ name }) => name === '[Content_Types].xml' || name === '_rels/.rels')
  return isOffice
    ? refused('an Office file that was cut off (upload the whole file again)')
    : {
        format: null,
        seemsToBe: 'a zip archive that was cut off (upload the whole file again)',
        isArchive: true,
      }
}

/** Enough for the names that tell a kind, of archives with very many entries too. */
const maxDirectoryBytes = 4_194_304

/**
 * The entries that the zip's directory lists, in the order of APPNOTE.TXT 4.3.12 and 4.3.16; null if there is no
 * directory. It lies directly before its end record, wherever that says it lies: other data may stand before a zip.
 */
async function directoryOf(readAt: ReadAt, sizeBytes: number) {
  const tailAt = Math.max(0, sizeBytes - tailBytes)
  const tail = await readAt(tailAt, tailBytes)
  const end = tail.lastIndexOf(endOfDirectory)
  if (end < 0 || end + 22 > tail.length) return null
  const bytes = Math.min(tail.readUInt32LE(end + 12), maxDirectoryBytes)
  const start = tailAt + end - tail.readUInt32LE(end + 12)
  const listed = start < 0 ? Buffer.alloc(0) : await readAt(start, bytes)
  const found: { name: string; end: number }[] = []
  for (let at = 0; at + 46 <= listed.length && listed.subarray(at, at + 4).equals(directoryHeader); ) {
    const nameEnd = at + 46 + listed.readUInt16LE(at + 28)
    found.push({
      name: listed.toString('latin1', at + 46, Math.min(nameEnd, at + 46 + longestName)),
      end: nameEnd,
    })
    at = nameEnd + listed.readUInt16LE(at + 30) + listed.readUInt16LE(at + 32)
  }
  // A directory beyond 4 GB, or one that is damaged: its headers are searched for.
  return found.length > 0 ? found : entriesIn(tail, directoryHeader, 28, 46)
}

const localHeader = Buffer.from('PK\x03\x04', 'latin1')
const endOfDirectory = Buffer.from('PK\x05\x06', 'latin1')
const directoryHeader = Buffer.from('PK\x01\x02', 'latin1')
const longestMediaType = 80
/** Longer than any name that tells a kind. Headers can lie within each other, and each can state a name of 64 KB. */
const longestName = 100

/** The names behind all headers of one kind. Packed data that looks like a header by chance does no harm. */
function entriesIn(bytes: Buffer, header: Buffer, lengthAt: number, nameAt: number) {
  const found: { name: string; end: number }[] = []
  for (let at = bytes.indexOf(header); at >= 0; at = bytes.indexOf(header, at + header.length)) {
    if (at + nameAt > bytes.length) break
    const nameEnd = at + nameAt + bytes.readUInt16LE(at + lengthAt)
    const extraLength = bytes.readUInt16LE(at + lengthAt + 2)
    const name = bytes.toString('latin1', at + nameAt, Math.min(nameEnd, at + nameAt + longestName))
    found.push({ name, end: nameEnd + extraLength })
  }
  return found
}

const openDocument = 'application/vnd.oasis.opendocument'

/** Media types that the first entry may state; those of templates only add to these. */
const statedKinds: readonly { mediaType: string; is: Sniffed }[] = [
  { mediaType: `${openDocument}.text`, is: { format: 'odt' } },
  { mediaType: `${openDocument}.spreadsheet`, is: { format: 'ods' } },
  { mediaType: `${openDocument}.presentation`, is: { format: 'odp' } },
  { mediaType: openDocument, is: { format: null, seemsToBe: 'an OpenDocument drawing (export it as PDF)' } },
  { mediaType: 'application/epub+zip', is: { format: 'epub' } },
  { mediaType: 'application/x-ibooks+zip', is: { format: 'epub' } },
]

/** The first that fits decides. */
const zipKinds: readonly { entry: RegExp; is: Sniffed }[] = [
  { entry: /^word\/document/, is: { format: 'docx' } },
  {
    entry: /^xl\/workbook\.bin$/,
    is: { format: null, seemsToBe: 'a binary Excel workbook (save it as .xlsx)' },
  },
  { entry: /^xl\/workbook/, is: { format: 'xlsx' } },
  { entry: /^ppt\/presentation/, is: { format: 'pptx' } },
  { entry: /^META-INF\/container\.xml$/, is: { format: 'epub' } },
  { entry: /^content\.xml$/, is: { format: 'odt' } },
  {
    entry: /^Index\/(Document|Presentation|Tables?)|^index\.(xml|apxl)/,
    is: { format: 'iwork' },
  },
]

// Finds the kind of a text: by a shape that nothing else has, else by the name's ending.

/** `raw` is the beginning of the file; its letters beyond ASCII may be wrong. */
function sniffText(raw: string, name: string): Sniffed {
  const start = raw.trimStart().slice(0, 4_096)
  const named = formatsByEnding[extname(name).toLowerCase()] ?? 'text'
  return shapes.find(({ fits }) => fits(start, named))?.is ?? { format: named }
}

/** The first that fits decides; `named` is the format by the name's ending. */
const shapes: readonly { fits: (start: string, named: Format) => boolean; is: Sniffed }[] = [
  { fits: start => /^From \S.*\d{4}.*\r?\n>?[A-Za-z][\w-]*:/.test(start), is: { format: 'mbox' } },
  { fits: start => isMail(start) && isSavedPage(start), is: { format: 'mhtml' } },
  { fits: isMail, is: { format: 'mail' } },
  { fits: start => /^BEGIN:VCALENDAR\s/i.test(start), is: { format: 'calendar' } },
  { fits: start => /^WEBVTT(?:\s|$)/.test(start), is: { format: 'subtitles' } },
  {
    fits: start => /^\d{1,6}\s*\n\d\d:\d\d:\d\d[,.]\d{3} --> \d\d:/.test(start),
    is: { format: 'subtitles' },
  },
  {
    fits: start => /^\{\s*"cells"\s*:\s*\[\s*\{[^{}[\]]{0,500}"cell_type"/.test(start),
    is: { format: 'notebook' },
  },
  { fits: start => /^<!doctype html|^<html[\s>]/i.test(start), is: { format: 'html' } },
  { fits: start => start.startsWith('<?xml') && /<html[\s>]/i.test(start), is: { format: 'html' } },
  { fits: start => start.startsWith('<?xml'), is: { format: 'xml' } },
  { fits: (start, named) => hasMarkup(start) && !keepMarkup.has(named), is: { format: 'html' } },
]

/** A message begins with headers, one of them of a kind that nothing else has. */
function isMail(start: string): boolean {
  const [headers = ''] = start.split(/\r?\n\r?\n/, 1)
  return (
    /^[A-Za-z][\w-]*: /.test(start) &&
    /^(received|message-id|mime-version|return-path|delivered-to): /im.test(headers) &&
    /^(from|to|subject|date): /im.test(headers)
  )
}

/** Browsers save a page and its pictures as if it were mail. */
const isSavedPage = (start: string): boolean =>
  /^(from: <saved by |snapshot-content-location: )/im.test(start)

const hasMarkup = (start: string): boolean =>
  start.startsWith('<') && /<(head|body|title|p|div|h[1-6]|table|ul)[\s>]/i.test(start)

const keepMarkup: ReadonlySet<Format> = new Set(['markdown', 'xml', 'lines'])

const sourceCodeEndings =
  'c cc cpp cs css dart ex exs go graphql h hpp hs ini java jl js jsx kt lua m mjs php pl properties proto ps1 py r rb rs scala scss sh sql swift tf toml ts tsx vue yaml yml zig'

const formatsByEnding: Readonly<Record<string, Format>> = {
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.mdx': 'markdown',
  '.rst': 'rst',
  '.adoc': 'asciidoc',
  '.asciidoc': 'asciidoc',
  '.org': 'org',
  '.htm': 'html',
  '.html': 'html',
  '.xhtml': 'html',
  '.xml': 'xml',
  '.json': 'json',
  '.ipynb': 'notebook',
  '.jsonl': 'json',
  '.ndjson': 'json',
  '.eml': 'mail',
  '.mht': 'mhtml',
  '.mhtml': 'mhtml',
  '.ics': 'calendar',
  '.srt': 'subtitles',
  '.vtt': 'subtitles',
  '.csv': 'csv',
  '.tsv': 'csv',
  ...Object.fromEntries(sourceCodeEndings.split(' ').map(ending => [`.${ending}`, 'lines' as const])),
}

/** Files up to this size are read synchronously as a whole; small texts are also parsed in this process. */
const smallFileBytes = 65_536

/**
 * The file's bytes; null if it is larger, or not there. The call stops the event loop for about 20 µs. A promise
 * would cost this thread ten times as much, since it takes four turns of another thread.
 */
export function readSmallFile(path: string): Buffer | null {
  let descriptor: number
  try {
    descriptor = openSync(path, 'r')
  } catch {
    // The reader for large files reports the error.
    return null
  }
  try {
    return fstatSync(descriptor).size > smallFileBytes ? null : readFileSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
