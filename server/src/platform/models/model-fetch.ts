/** The fetch that model calls use: bounded in size and in silence, never redirected, without a limit on the whole time. */
import type { Agent, buildConnector, Dispatcher, fetch as undiciFetch } from 'undici'
import { createAnswerGuard } from './answer-guard.ts'

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
      // In a turn of its own: with its first piece, an answer is not yet in the hands of who could be told.
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
