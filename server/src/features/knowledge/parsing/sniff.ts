/** What a file is: told by its bytes; its name only decides between kinds of text, which look alike. */
import { open } from 'node:fs/promises'
import { extname } from 'node:path'
import { byteOrderMark, looksLikeEbcdic, utf16WithoutMark } from './encoding.ts'

/** The formats that can be read. */
export const formats = {
  text: { mediaType: 'text/plain', label: 'plain text' },
  lines: { mediaType: 'text/plain', label: 'source code' },
  markdown: { mediaType: 'text/markdown', label: 'Markdown' },
  html: { mediaType: 'text/html', label: 'HTML' },
  csv: { mediaType: 'text/csv', label: 'CSV' },
  json: { mediaType: 'application/json', label: 'JSON' },
  xml: { mediaType: 'application/xml', label: 'XML' },
  pdf: { mediaType: 'application/pdf', label: 'PDF' },
  docx: {
    mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    label: 'Word (DOCX)',
  },
} as const

export type Format = keyof typeof formats

/** What a reply names where a file is refused. */
export const supportedTypes = [...new Set(Object.values(formats).map(({ mediaType }) => mediaType))]

export type Sniffed = { format: Format } | { format: null; seemsToBe: string }

/** Reads a few KB at either end of the file. */
export async function sniffFile(path: string, name: string): Promise<Sniffed> {
  const handle = await open(path, 'r')
  try {
    const { size } = await handle.stat()
    const head = Buffer.alloc(Math.min(size, headBytes))
    await handle.read(head, 0, head.length, 0)
    if (!isZip(head)) return sniff(head, name)
    const tail = Buffer.alloc(Math.min(size, tailBytes))
    await handle.read(tail, 0, tail.length, size - tail.length)
    return sniffZip(head, tail)
  } finally {
    await handle.close()
  }
}

/** The same for a file whose first bytes are at hand. */
export function sniff(head: Buffer, name: string): Sniffed {
  if (isPdf(head)) return { format: 'pdf' }
  const known = binaryKinds.find(({ magic }) => head.subarray(0, magic.length).equals(Buffer.from(magic)))
  if (known !== undefined) return { format: null, seemsToBe: known.kind }
  const isWide = byteOrderMark(head) !== null || utf16WithoutMark(head) !== null
  if (!isWide && isBinary(head)) return { format: null, seemsToBe: 'binary data' }
  if (!isWide && looksLikeEbcdic(head)) return { format: null, seemsToBe: 'text in EBCDIC' }
  return sniffText(head.toString(isWide ? 'utf16le' : 'latin1'), name)
}

const headBytes = 8_192
const tailBytes = 131_072

const isZip = (head: Buffer): boolean => head.subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1'))

/** Readers of PDF allow for junk before the header. */
const isPdf = (head: Buffer): boolean => head.subarray(0, 1_024).includes('%PDF-')

const binaryKinds: readonly { magic: readonly number[]; kind: string }[] = [
  { magic: [0xd0, 0xcf, 0x11, 0xe0], kind: 'an old or a password-protected Office file' },
  { magic: [0x89, 0x50, 0x4e, 0x47], kind: 'a PNG image' },
  { magic: [0xff, 0xd8, 0xff], kind: 'a JPEG image' },
  { magic: [0x47, 0x49, 0x46, 0x38], kind: 'a GIF image' },
  { magic: [0x1f, 0x8b], kind: 'a gzip archive' },
  { magic: [0x7b, 0x5c, 0x72, 0x74, 0x66], kind: 'RTF' },
  { magic: [0x50, 0x4b], kind: 'a zip archive' },
]

/** The end of a zip lists its entries, so their names are found there; of one that was cut off, some stand at the head. */
function sniffZip(head: Buffer, tail: Buffer): Sniffed {
  const holds = (text: string): boolean => tail.includes(text) || head.includes(text)
  if (holds('word/document')) return { format: 'docx' }
  const kind = zipKinds.find(({ entry }) => holds(entry))?.kind ?? 'a zip archive'
  return { format: null, seemsToBe: kind }
}

const zipKinds = [
  { entry: 'xl/workbook', kind: 'an Excel workbook' },
  { entry: 'ppt/presentation', kind: 'a PowerPoint presentation' },
  { entry: 'vnd.oasis.opendocument', kind: 'an OpenDocument file' },
  { entry: 'application/epub+zip', kind: 'an EPUB book' },
]

/** Text has line ends, tabs and escapes, but hardly any other control characters. */
function isBinary(head: Buffer): boolean {
  let controls = 0
  for (const byte of head) {
    if ((byte < 0x20 && (byte < 0x08 || byte > 0x0d) && byte !== 0x1b) || byte === 0x7f) controls += 1
  }
  return controls > head.length * 0.1
}

function sniffText(raw: string, name: string): Sniffed {
  const start = raw
    .replace(/^(\ufeff|ï»¿|\ufffe)/, '')
    .trimStart()
    .slice(0, 4_096)
  if (isMail(start)) return { format: null, seemsToBe: 'an e-mail message' }
  if (/^<!doctype html|^<html[\s>]/i.test(start)) return { format: 'html' }
  if (start.startsWith('<?xml')) return { format: /<html[\s>]/i.test(start) ? 'html' : 'xml' }
  const named = formatsByEnding[extname(name).toLowerCase()] ?? 'text'
  const hasMarkup = start.startsWith('<') && /<(head|body|title|p|div|h[1-6]|table|ul)[\s>]/i.test(start)
  if (hasMarkup && named !== 'markdown' && named !== 'xml' && named !== 'lines') return { format: 'html' }
  return { format: named }
}

/** A message begins with headers, one of them of a kind that nothing else has. */
function isMail(start: string): boolean {
  const [headers = ''] = start.split(/\r?\n\r?\n/, 1)
  return (
    /^[A-Za-z][\w-]*: /.test(start) &&
    /^(received|message-id|mime-version|return-path|delivered-to): /im.test(headers) &&
    /^(from|to|subject|date): /im.test(headers)
  )
}

const sourceCodeEndings =
  'c cc cpp cs css dart ex exs go graphql h hpp hs ini java jl js jsx kt lua m mjs php pl properties proto ps1 py r rb rs scala scss sh sql swift tf toml ts tsx vue yaml yml zig'

const formatsByEnding: Readonly<Record<string, Format>> = {
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.mdx': 'markdown',
  '.htm': 'html',
  '.html': 'html',
  '.xhtml': 'html',
  '.xml': 'xml',
  '.json': 'json',
  '.jsonl': 'json',
  '.ndjson': 'json',
  '.csv': 'csv',
  '.tsv': 'csv',
  ...Object.fromEntries(sourceCodeEndings.split(' ').map(ending => [`.${ending}`, 'lines' as const])),
}
