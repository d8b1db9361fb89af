/** Requests, and what a redirect may repeat: never what the new origin must not see. Also replies that break HTTP. */
import { ServiceError } from '../errors.ts'

/** Bodies are texts or bytes, never streams, so that a redirect can send them again. */
export type SafeRequest = {
  method?: string
  headers?: Headers | Record<string, string>
  body?: string | URLSearchParams | Uint8Array<ArrayBuffer> | null
  /** `follow` (the default) follows at most five redirects; `manual` returns the redirect; `error` fails. */
  redirect?: 'follow' | 'manual' | 'error'
  signal?: AbortSignal
  /** These replace the usual limits, for example to fetch a file. */
  timeoutMs?: number | undefined
  maxResponseBytes?: number
}

const redirectStatuses = new Set([301, 302, 303, 307, 308])

// Any other header may hold a secret: keys travel in headers of any name.
const harmlessHeaders = ['accept', 'accept-language', 'user-agent']
const bodyHeaders = ['content-type', 'content-length', 'content-encoding', 'content-language']

export const isRedirect = (response: Response): boolean =>
  redirectStatuses.has(response.status) && response.headers.has('location')

/** Throws if a body would have to go to another origin. */
export function nextRequest(request: SafeRequest, from: URL, to: URL, status: number): SafeRequest {
  const next = becomesGet(request, status) ? withoutBody(request) : request
  if (from.origin === to.origin) return next
  if (next.body !== undefined && next.body !== null) {
    throw new ServiceError('integration_unreachable', `${from.host} redirects a request's body to ${to.host}`)
  }
  const headers = new Headers(next.headers)
  for (const name of [...headers.keys()]) if (!harmlessHeaders.includes(name)) headers.delete(name)
  return { ...next, headers }
}

/** Like browsers: 303 becomes a GET unless the request is a HEAD, 301 and 302 become one after a POST. */
function becomesGet({ method = 'GET' }: SafeRequest, status: number): boolean {
  if (status === 303) return method !== 'HEAD'
  return (status === 301 || status === 302) && method === 'POST'
}

function withoutBody(request: SafeRequest): SafeRequest {
  const headers = new Headers(request.headers)
  for (const name of bodyHeaders) headers.delete(name)
  return { ...request, method: 'GET', body: null, headers }
}

/** A reply that breaks HTTP. Unlike a peer that is down, it will not improve if the request is sent again. */
export class FaultyReply extends ServiceError {
  constructor(message: string, cause?: unknown) {
    super('integration_unreachable', message, { cause })
  }
}

/** Finds a fault of a peer that did answer in what `fetch` threw; null for anything else. */
export function faultIn(error: unknown, host: string, hasBegun: boolean): FaultyReply | null {
  if (!(error instanceof Error)) return null
  const code = 'code' in error ? String(error.code) : ''
  if (error.name === 'HTTPParserError') return new FaultyReply(`${host} does not answer in valid HTTP`, error)
  // The connection was closed in good order, not broken off.
  if (hasBegun && code === 'UND_ERR_SOCKET') {
    return new FaultyReply(`${host} ended its reply before it was as long as it said`, error)
  }
  return faultIn(error.cause, host, hasBegun)
}
