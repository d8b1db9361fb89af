/** A message of any mail format as blocks of text: its headers, its body, and what is attached to it. */

import { belowHeadings, type Holder, writeAttached } from '../attached.ts'
import { writeHtml } from '../html.ts'
import { writePlainText } from '../plain-text.ts'
import { onOneLine, type TextWriter } from '../text-writer.ts'

export type Message = {
  subject: string | null
  /** In the order in which they are written. */
  headers: readonly { name: string; value: string }[]
  text: string | null
  html: string | null
  attachments: readonly Attachment[]
  /** The number of pictures that the message itself shows. */
  pictures: number
}

export type Attachment = {
  name: string
  bytes: () => Buffer
}

/** Writes the message under a heading of its subject. Attachments that cannot be read are named. */
export async function writeMessage(message: Message, source: Holder, writer: TextWriter): Promise<void> {
  const headers = message.headers.filter(({ value }) => value !== '')
  if (message.subject !== null) writer.add('heading', onOneLine(message.subject), { level: 1 })
  writer.add('paragraph', headers.map(({ name, value }) => `${name}: ${onOneLine(value)}`).join('\n'))
  writeBody(message, belowHeadings(writer, 1))
  const attached = message.attachments.map(({ name, bytes }) => ({
    name,
    open: () => ({ name, bytes: bytes() }),
  }))
  await writeAttached(attached, source, writer, { level: 2 })
  source.warn('pictures_not_read', { count: message.pictures })
}

/** Writes the plain text unless the HTML says much more: plain text has no layout to remove. */
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
