/** The fetch that model calls use: bounded in size and in silence, never redirected, without a limit on the whole time. */
import type { Agent, buildConnector, fetch as undiciFetch } from 'undici'

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
  const fetch = async (address: string | URL, options: Parameters<typeof undiciFetch>[1] = {}) => {
    const undici = await import('undici')
    agent ??= new undici.Agent({
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
      connect,
      keepAliveTimeout: 30_000,
      maxResponseSize: maxAnswerBytes,
    })
    return undici.fetch(address, {
      ...options,
      dispatcher: agent,
      redirect: 'error',
      // The limit above counts bytes as they arrive, so they must arrive unpacked.
      headers: { ...plain(options.headers), 'accept-encoding': 'identity' },
    })
  }
  // Node's global fetch is undici's, under types of their own.
  return { fetch: fetch as unknown as typeof globalThis.fetch, close: async () => agent?.destroy() }
}

function plain(headers: unknown): Record<string, string> {
  return headers instanceof Headers
    ? Object.fromEntries(headers)
    : ((headers ?? {}) as Record<string, string>)
}
