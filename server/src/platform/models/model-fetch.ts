/** The fetch that model calls use: bounded in size and in silence, never redirected, without a limit on the whole time. */
import type { Agent, buildConnector, Dispatcher, fetch as undiciFetch } from 'undici'

/** The largest answer that is read. A stream spends some two hundred bytes on each token that it brings. */
const maxAnswerBytes = 32 * 1024 * 1024

const usualSilenceMs = 60_000

export type ModelFetch = { fetch: typeof globalThis.fetch; close(): Promise<void> }

/** How long a call may take as a whole is the run's matter, and said by its signal. */
export function createModelFetch({
  silenceMs = usualSilenceMs,
  connect = { timeout: 10_000 },
}: {
  /** The longest time without a byte: before the answer begins, and within it. */
  silenceMs?: number
  /** Where to may be connected; anywhere unless given. */
  connect?: buildConnector.connector | { timeout: number }
} = {}): ModelFetch {
  let agent: Agent | null = null
  let guarded: Dispatcher | null = null
  const fetch = async (address: string | URL, options: Parameters<typeof undiciFetch>[1] = {}) => {
    const undici = await import('undici')
    agent ??= new undici.Agent({
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
      connect,
      keepAliveTimeout: 30_000,
      maxResponseSize: maxAnswerBytes,
    })
    guarded ??= agent.compose(
      dispatch => (request, handler) => dispatch(request, guardedHandler(undici, handler)),
    )
    return undici.fetch(address, {
      ...options,
      dispatcher: guarded,
      redirect: 'error',
      // The limit above counts bytes as they arrive, so they must arrive unpacked.
      headers: { ...plain(options.headers), 'accept-encoding': 'identity' },
    })
  }
  // Node's global fetch is undici's, under types of their own.
  return { fetch: fetch as unknown as typeof globalThis.fetch, close: async () => agent?.destroy() }
}

/** The same handler; an answer that may not be parsed fails as one that is too large. */
function guardedHandler(
  undici: typeof import('undici'),
  handler: Dispatcher.DispatchHandler,
): Dispatcher.DispatchHandler {
  const guard = createAnswerGuard()
  let refusal: Error | null = null
  let hasEnded = false
  const guarded: Pick<Handler, 'onResponseData' | 'onResponseEnd'> = {
    onResponseData(controller, chunk) {
      if (refusal !== null) return
      const kept = guard(chunk)
      if (kept !== null) return handler.onResponseData?.(controller, kept)
      refusal = new undici.errors.ResponseExceededMaxSizeError()
      const reason = refusal
      // In a turn of its own: with its first piece, an answer has not reached the caller that would get the error.
      setImmediate(() => {
        if (!hasEnded) controller.abort(reason)
      })
    },
    onResponseEnd(controller, trailers) {
      hasEnded = true
      const reason = refusal
      if (reason === null) handler.onResponseEnd?.(controller, trailers)
      else setImmediate(() => handler.onResponseError?.(controller, reason))
    },
  }
  return new Proxy(handler, {
    get(target, name) {
      if (name === 'onResponseData' || name === 'onResponseEnd') return guarded[name]
      const own = Reflect.get(target, name)
      return typeof own === 'function' ? own.bind(target) : own
    },
  })
}

type Handler = Required<Dispatcher.DispatchHandler>

function plain(headers: unknown): Record<string, string> {
  return headers instanceof Headers
    ? Object.fromEntries(headers)
    : ((headers ?? {}) as Record<string, string>)
}

// Looks at a model server's bytes as they arrive: what the provider's package would parse for long is cut off before.

/** Of one event of a stream, or of an answer that is none: vectors of 16 texts come to 3 MB. */
const maxEventBytes = 4 * 1024 * 1024
/** JSON that is nested deeper takes many times as long to parse. */
const maxDepth = 100

const [lineFeed, carriageReturn, quote, backslash] = [0x0a, 0x0d, 0x22, 0x5c]
const [opensList, closesList, opensObject, closesObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Returns the bytes to hand on; null if the answer is more than may be parsed. Carriage returns are left out: they only
 * stand before a line's end, and a line for each of them would be read from the beginning.
 */
type AnswerGuard = (chunk: Buffer) => Buffer | null

function createAnswerGuard(): AnswerGuard {
  let eventBytes = 0
  let depth = 0
  let isInString = false
  let isEscaped = false
  let isLineEmpty = true

  return chunk => {
    const kept = chunk.includes(carriageReturn) ? chunk.filter(byte => byte !== carriageReturn) : chunk
    for (const byte of kept) {
      eventBytes++
      if (byte === lineFeed) {
        // An empty line ends an event; no string of JSON goes on in the next line.
        if (isLineEmpty) eventBytes = depth = 0
        isLineEmpty = true
        isInString = isEscaped = false
        continue
      }
      isLineEmpty = false
      if (isEscaped) isEscaped = false
      else if (isInString && byte === backslash) isEscaped = true
      else if (byte === quote) isInString = !isInString
      else if (!isInString && (byte === opensList || byte === opensObject)) depth++
      else if (!isInString && (byte === closesList || byte === closesObject)) depth--
      if (depth > maxDepth || eventBytes > maxEventBytes) return null
    }
    return Buffer.from(kept.buffer, kept.byteOffset, kept.byteLength)
  }
}
