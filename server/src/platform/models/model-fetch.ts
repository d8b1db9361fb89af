/** The fetch that model calls use: bounded in size, never redirected, without a time limit of its own. */
import { Agent, fetch as undiciFetch } from 'undici'

/** The largest answer of a model's server that is read. */
const maxAnswerBytes = 4 * 1024 * 1024

export type ModelFetch = { fetch: typeof globalThis.fetch; close(): Promise<void> }

/** How long a call may take is the run's matter, and said by its signal; so undici's own limits are off. */
export function createModelFetch(): ModelFetch {
  const agent = new Agent({
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: 10_000 },
    keepAliveTimeout: 30_000,
    maxResponseSize: maxAnswerBytes,
  })
  const fetch = (address: string | URL, options: Parameters<typeof undiciFetch>[1] = {}) =>
    undiciFetch(address, {
      ...options,
      dispatcher: agent,
      redirect: 'error',
      // The limit above counts bytes as they arrive, so they must arrive unpacked.
      headers: { ...plain(options.headers), 'accept-encoding': 'identity' },
    })
  // Node's global fetch is undici's, under types of their own.
  return { fetch: fetch as unknown as typeof globalThis.fetch, close: () => agent.destroy() }
}

function plain(headers: unknown): Record<string, string> {
  return headers instanceof Headers
    ? Object.fromEntries(headers)
    : ((headers ?? {}) as Record<string, string>)
}
