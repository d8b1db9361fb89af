/** Fetches the content of one item from the connector and checks it. */
import type { Content, Context, Item, Source } from '../connector.ts'
import { faultOf, SourceFault, withinTime } from './source-fault.ts'

const fetchTimeoutMs = 5 * 60_000

/** `body` can be read once. It throws `SourceFault` if it breaks off or takes too long. */
export type FetchedContent = Omit<Content, 'body'> & { body: AsyncIterable<Uint8Array<ArrayBuffer>> }

/**
 * Null for an item that has gone meanwhile. Throws `HttpFailure`, `SourceFault` for a fault of the connector, and
 * errors that belong to the caller according to `isOwnError`.
 */
export async function fetchContent(
  source: Source,
  context: Context,
  item: Item,
  isOwnError: (error: unknown) => boolean,
): Promise<FetchedContent | null> {
  const { signal } = context
  const asFault = (error: unknown, what: string): unknown => {
    signal.throwIfAborted()
    return isOwnError(error) ? error : faultOf(error, what)
  }
  async function* pieces(body: Content['body']): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    try {
      yield* piecesOf(body, signal)
    } catch (error) {
      throw asFault(error, 'Its content broke off')
    }
  }
  try {
    // A connector's `fetch` may throw before it answers with a promise.
    const content = await withinTime((async () => source.fetch(context, item))(), fetchTimeoutMs, signal)
    if (content === null) return null
    checkContent(content)
    return { ...content, body: pieces(content.body) }
  } catch (error) {
    throw asFault(error, 'The connector could not fetch it')
  }
}

/** A connector may come from anybody, so its content is checked. */
function checkContent({ body, fileName, mediaType, title, metadata = {} }: Content): void {
  const isBody =
    typeof body === 'string' ||
    body instanceof Uint8Array ||
    typeof (body as ReadableStream | undefined)?.getReader === 'function'
  if (!isBody) throw new TypeError('its body is neither text nor bytes nor a stream')
  if (typeof fileName !== 'string' || typeof mediaType !== 'string') {
    throw new TypeError('it has no file name or no media type')
  }
  if (title !== undefined && typeof title !== 'string') throw new TypeError('its title is no text')
  if (typeof metadata !== 'object') throw new TypeError('its metadata is no object')
}

async function* piecesOf(
  body: Content['body'],
  signal: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (typeof body === 'string') return yield new TextEncoder().encode(body)
  if (body instanceof Uint8Array) return yield body
  const endsAtMs = performance.now() + fetchTimeoutMs
  const reader = body.getReader()
  try {
    for (;;) {
      const leftMs = endsAtMs - performance.now()
      if (leftMs <= 0) throw new SourceFault('timeout', 'Its content took longer than five minutes')
      const { value, done } = await withinTime(reader.read(), leftMs, signal)
      if (done) return
      yield value
    }
  } finally {
    // A body that was not read to its end is not needed.
    void reader.cancel().catch(() => undefined)
  }
}
