/** Mail messages (RFC 5322, MIME), and web pages that are saved as mail (MHTML). */
import { isUtf8 } from 'node:buffer'
import PostalMime, { type Address, type Email } from 'postal-mime'
import { decodeText } from '../encoding.ts'
import { ParseFailure } from '../failure.ts'
import { writeHtml } from '../html.ts'
import { maxMailLines } from '../limits.ts'
import { writePlainText } from '../plain-text.ts'
import type { Reader } from '../reader.ts'
import { type Attachment, type Message, writeMessage } from './message.ts'

export const readMail: Reader = async (source, writer) => {
  const message = await parseMail(await source.bytes())
  await writeMessage(message, source, writer)
  return { title: message.subject }
}

/** A page with its pictures in one file: only the page is read. */
export const readMhtml: Reader = async (source, writer) => {
  const { subject, html, text = '' } = await parseMime(await source.bytes())
  if (subject !== undefined) writer.add('heading', subject, { level: 1 })
  if (html === undefined) writePlainText(text.replace(/\r\n?/g, '\n'), writer)
  else writeHtml(html, writer, { warn: source.warn })
  return { title: subject ?? null }
}

/** Throws `ParseFailure` for a message that no mail program would send. */
export async function parseMail(bytes: Buffer): Promise<Message> {
  const email = await parseMime(bytes)
  const isLost = email.html === undefined && email.attachments.length === 0
  const date = email.headers.find(({ key }) => key === 'date')?.value ?? ''
  return {
    subject: email.subject ?? null,
    headers: [
      { name: 'From', value: listed([email.from ?? email.sender]) },
      { name: 'To', value: listed(email.to ?? []) },
      { name: 'Cc', value: listed(email.cc ?? []) },
      { name: 'Date', value: date },
    ],
    text: email.text ?? (isLost ? bodyOf(bytes) : null),
    html: email.html ?? null,
    attachments: email.attachments.filter(part => !isDecoration(part)).map(attachmentOf),
    pictures: email.attachments.filter(isDecoration).length,
  }
}

/** All text after the headers, for a message without readable parts, such as one that lacks its boundary. */
function bodyOf(bytes: Buffer): string {
  const text = decodeText(bytes)
  const end = /\r?\n\r?\n/.exec(text)
  return end === null ? '' : text.slice(end.index)
}

const limits = { maxNestingDepth: 100, maxHeadersSize: 1_000_000 }

async function parseMime(raw: Buffer): Promise<Email> {
  const bytes = withKnownCharset(raw)
  requireFewParts(bytes)
  try {
    // Messages within the message are read like any other attachment, under the same limits.
    return await PostalMime.parse(bytes, { ...limits, forceRfc822Attachments: true })
  } catch (error) {
    throw new ParseFailure('corrupt', 'The message cannot be taken apart into its parts.', error)
  }
}

/** Old programs do not state their encoding, and the library would decode the bytes as UTF-8. */
function withKnownCharset(bytes: Buffer): Buffer {
  if (isUtf8(bytes) || bytes.subarray(0, headBytes).includes('charset=')) return bytes
  return Buffer.from(decodeText(bytes))
}

const headBytes = 65_536
const maxParts = 5_000
const maxBoundaries = 300

/** The parser takes more memory for each line and each part than the bytes of that line or part. */
function requireFewParts(bytes: Buffer): void {
  let lines = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines += 1
  if (lines > maxMailLines)
    throw new ParseFailure('too_large', `The message has more than ${maxMailLines} lines.`)
  const boundaries = new Set<string>()
  const text = bytes.toString('latin1')
  for (const [, quoted, bare] of text.matchAll(
    /\bboundary\s*=\s*(?:"([^"\r\n]{1,200})"|([^\s;"]{1,200}))/gi,
  )) {
    boundaries.add(quoted ?? bare ?? '')
    if (boundaries.size > maxBoundaries) throw tooManyParts()
  }
  let parts = 0
  for (let at = text.indexOf('\n--'); at >= 0; at = text.indexOf('\n--', at + 3)) {
    const end = text.indexOf('\n', at + 1)
    const line = text.slice(at + 3, Math.min(end < 0 ? text.length : end, at + 210)).trimEnd()
    if (boundaries.has(line)) parts += 1
    if (parts > maxParts) throw tooManyParts()
  }
}

const tooManyParts = (): ParseFailure =>
  new ParseFailure('archive_bomb', `The message has more than ${maxParts} parts.`)

const listed = (addresses: readonly (Address | undefined)[]): string =>
  addresses
    .flatMap(address => (address === undefined ? [] : (address.group ?? [address])))
    .map(({ name, address = '' }) => (name === '' || name === address ? address : `${name} <${address}>`))
    .join(', ')

type Part = Email['attachments'][number]

/** Pictures that the page itself shows, such as logos. */
const isDecoration = ({ related, mimeType }: Part): boolean =>
  related === true && mimeType.startsWith('image/')

function attachmentOf({ filename, mimeType, content }: Part): Attachment {
  return {
    name: nameOf(filename, mimeType),
    bytes: () => (typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content))),
  }
}

/** Kinds of text are told apart by the name's ending, so a known media type's ending is added if it is missing. */
function nameOf(filename: string | null, mimeType: string): string {
  const ending = endings[mimeType]
  const name = filename ?? 'unnamed'
  return ending === undefined || name.toLowerCase().endsWith(ending) ? name : `${name}${ending}`
}

const endings: Readonly<Record<string, string>> = {
  'message/rfc822': '.eml',
  'text/calendar': '.ics',
  'text/csv': '.csv',
  'text/html': '.html',
  'text/markdown': '.md',
  'application/json': '.json',
}
