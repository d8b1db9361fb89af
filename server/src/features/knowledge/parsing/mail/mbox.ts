/** A mailbox in one file (RFC 4155), read message by message: its attachments may come to many gigabytes. */
import { createReadStream } from 'node:fs'
import { ParseFailure } from '../failure.ts'
import type { Reader } from '../reader.ts'
import { parseMail } from './mail.ts'
import { writeMessage } from './message.ts'

/** A longer message is read up to here: a child has no memory for more. Its text comes before its attachments. */
const maxMessageBytes = 20_000_000

export const readMbox: Reader = async (source, writer) => {
  const pieces = source.path === null ? [await source.bytes()] : createReadStream(source.path)
  let title: string | null = null
  let count = 0
  for await (const { bytes, isCut, endBytes } of messagesIn(pieces)) {
    count += 1
    if (isCut) source.warn('text_cut')
    try {
      const message = await parseMail(bytes)
      title = message.subject
      await writeMessage({ ...message, subject: message.subject ?? 'Without a subject' }, source, writer)
    } catch (error) {
      // An unreadable message is no reason to lose all others.
      if (!(error instanceof ParseFailure) || error.code === 'text_too_long') throw error
      source.warn('part_not_read')
      writer.add('paragraph', `A message that cannot be read: ${error.message}`)
    }
    source.onProgress(Math.min(1, endBytes / source.sizeBytes))
  }
  return { title: count === 1 ? title : source.name }
}

/** A message without the line that separates it, and where in the file it ends. */
type Piece = { bytes: Buffer; isCut: boolean; endBytes: number }

/** The line that begins a message. The header after it tells it from a line of the text before. */
const separator = /\n(From \S[^\n]{0,200}\d{4}[^\n]{0,20}\n)(?=>?[A-Za-z][\w-]{0,60}:)/g
/** The greatest length of a separator and the text after it that is looked at. */
const separatorBytes = 400

async function* messagesIn(pieces: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Piece> {
  let parts: Buffer[] = []
  let partsBytes = 0
  let endBytes = 0
  let rest: Buffer = Buffer.from('\n')
  const take = (bytes: Buffer): void => {
    if (partsBytes < maxMessageBytes) parts.push(bytes.subarray(0, maxMessageBytes - partsBytes))
    partsBytes += bytes.length
    endBytes += bytes.length
  }
  const flush = (): Piece => {
    const message = {
      bytes: withoutQuotes(Buffer.concat(parts)),
      isCut: partsBytes > maxMessageBytes,
      endBytes,
    }
    parts = []
    partsBytes = 0
    return message
  }
  for await (const piece of withEnd(pieces)) {
    const bytes: Buffer = piece === null ? rest : Buffer.concat([rest, piece])
    // The last bytes may be the beginning of a separator that the next piece completes.
    const sureBytes = piece === null ? bytes.length : Math.max(0, bytes.length - separatorBytes)
    let from = 0
    for (const found of bytes.toString('latin1').matchAll(separator)) {
      if (found.index >= sureBytes) break
      take(bytes.subarray(from, found.index))
      if (partsBytes > 0) yield flush()
      from = found.index + found[0].length
    }
    const keptFrom = Math.max(from, sureBytes)
    take(bytes.subarray(from, keptFrom))
    rest = bytes.subarray(keptFrom)
  }
  if (partsBytes > 0) yield flush()
}

/** The pieces, and then null. */
async function* withEnd(pieces: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer | null> {
  yield* pieces
  yield null
}

/** Removes the `>` that is put before lines of a text that look like a separator. */
const withoutQuotes = (bytes: Buffer): Buffer =>
  Buffer.from(bytes.toString('latin1').replace(/^>(>*From )/gm, '$1'), 'latin1')
