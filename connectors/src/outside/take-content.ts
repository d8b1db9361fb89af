/** The content of one item, in hand, with its hash. */
import { createHash } from 'node:crypto'
import type { Connector, Content, Context, Item } from '../connector.ts'

const maxBytes = 500 * 1024 * 1024

export type TakenContent = Omit<Content, 'body'> & { bytes: Uint8Array<ArrayBuffer>; sha256: string }

/** Null where the item is gone. Throws what the connector throws, and an Error where it answers no content. */
export async function takeContent(
  source: NonNullable<Connector['source']>,
  context: Context,
  item: Item,
): Promise<TakenContent | null> {
  const content = await source.fetch(context, item)
  if (content === null) return null
  const { body, ...rest } = content
  if (typeof rest.fileName !== 'string' || rest.fileName === '' || typeof rest.mediaType !== 'string') {
    throw new Error('fetch must answer { body, fileName, mediaType }, or null')
  }
  const bytes = await bytesOf(body)
  return {
    ...rest,
    fileName: safeName(rest.fileName),
    bytes,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }
}

/** What the server refuses in a name, as the server's own syncs take it out: the item is worth more than its name. */
const safeName = (name: string): string => {
  const plain = name.toWellFormed().replaceAll(/[\\/\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, ' ')
  const cut = plain.trim().slice(-255)
  return ['', '.', '..'].includes(cut) ? 'unnamed' : cut.toWellFormed()
}

async function bytesOf(body: Content['body']): Promise<Uint8Array<ArrayBuffer>> {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof Uint8Array) return body
  if (!(body instanceof ReadableStream))
    throw new Error('fetch answers a body that is no text, bytes or stream')
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of body) {
    size += piece.byteLength
    if (size > maxBytes) throw new Error(`the body has more than ${maxBytes} bytes`)
    pieces.push(piece)
  }
  return new Uint8Array(Buffer.concat(pieces, size))
}
