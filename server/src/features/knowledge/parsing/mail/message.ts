/** A message of any mail format as blocks of text: its headers, its body, and what is attached to it. */

import { ParseFailure } from '../failure.ts'
import { writeHtml } from '../html.ts'
import { writePlainText } from '../plain-text.ts'
import type { Source } from '../reader.ts'
import { onOneLine, type TextWriter } from '../text-writer.ts'

export type Message = {
  subject: string | null
  /** In the order in which they are to stand. */
  headers: readonly { name: string; value: string }[]
  text: string | null
  html: string | null
  attachments: readonly Attachment[]
}

export type Attachment = {
  name: string
  bytes: () => Buffer
}

/** Under a heading of its subject. Attachments that cannot be read are named. */
export async function writeMessage(
  message: Message,
  { readInner }: Pick<Source, 'readInner'>,
  writer: TextWriter,
): Promise<void> {
  const headers = message.headers.filter(({ value }) => value !== '')
  if (message.subject !== null) writer.add('heading', onOneLine(message.subject), { level: 1 })
  writer.add('paragraph', headers.map(({ name, value }) => `${name}: ${onOneLine(value)}`).join('\n'))
  writeBody(message, belowHeading(writer, 1))
  const unread: string[] = []
  for (const { name, bytes } of message.attachments) {
    const isRead = await readAttachment(name, bytes, readInner, writer)
    if (!isRead) unread.push(name)
  }
  if (unread.length > 0) writer.add('list', unread.map(name => `Attachment: ${onOneLine(name)}`).join('\n'))
}

/** The plain text where it says all that the page says: it has no layout to see through. */
function writeBody({ text, html }: Message, writer: TextWriter): void {
  if (html === null) writePlainText((text ?? '').replace(/\r\n?/g, '\n'), writer)
  else if (text === null || lettersIn(text) < lettersIn(textOf(html)) * leastShare) writeHtml(html, writer)
  else writePlainText(text.replace(/\r\n?/g, '\n'), writer)
}

/** Some programs send "your program shows no HTML" as the plain text. */
const leastShare = 0.4

const lettersIn = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0

function textOf(html: string): string {
  const blocks: string[] = []
  writeHtml(html, { add: (_kind, text) => blocks.push(text) })
  return blocks.join('\n\n')
}

async function readAttachment(
  name: string,
  bytes: () => Buffer,
  readInner: Source['readInner'],
  writer: TextWriter,
): Promise<boolean> {
  const inner = belowHeading(writer, 2, `Attachment: ${onOneLine(name)}`)
  try {
    return await readInner(bytes(), name, inner)
  } catch (error) {
    if (error instanceof ParseFailure && error.code !== 'text_too_long') return false
    throw error
  }
}

/** Sets headings so many levels lower; a heading of its own stands before the first thing that is written. */
function belowHeading(writer: TextWriter, levels: number, heading: string | null = null): TextWriter {
  let pending = heading
  return {
    add(kind, text, { level = 0 } = {}) {
      if (pending !== null) writer.add('heading', pending, { level: levels })
      pending = null
      writer.add(kind, text, { level: kind === 'heading' ? level + levels : level })
    },
  }
}
