/** Makes `Http`: the server uses its guarded way out, other programs use `fetch`. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { readReply } from './gate/parse-json.ts'
import { type Http, HttpFailure, type HttpRequest } from './http.ts'
import { failureOf, nextAddress, pauseAfter } from './replies.ts'
import { createTurns, type Turns } from './turns.ts'

/** The transport that a connector's calls use. */
export type HttpTransport = {
  /** Follows no redirect. An error that it throws counts as no answer, unless `isFinal` says otherwise. */
  fetch(
    url: URL,
    request: {
      method: string
      headers: Record<string, string>
      body: string | URLSearchParams | null
      redirect: 'manual'
      signal: AbortSignal
      maxResponseBytes: number
      /** The time from the first byte sent to the last byte of the body, if the usual time is not enough. */
      timeoutMs?: number | undefined
    },
  ): Promise<Response>
  /** True for an error of `fetch` that another try cannot help, such as an address that may not be reached. */
  isFinal(error: unknown): boolean
  /**
   * The headers with the credentials. `refused` are headers of an earlier answer, which the service has just refused.
   * Null is answered if there are no other credentials.
   */
  credentials(refused: Record<string, string> | null): Promise<Record<string, string> | null>
  /** The only origins that the credentials are sent to. */
  origins: readonly string[]
  signal: AbortSignal
  /** Rejects with the signal's reason once it is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** How often a call may be made until it succeeds; 4 unless given. */
  maxAttempts?: number
  /** Shared by callers that take turns at the same hosts. Unless given, this `Http` has turns for itself alone. */
  turns?: Turns | undefined
  /** Who the calls are made for: owners take turns at the hosts that they share. */
  owner?: string
  /** From 0 up to 1. */
  random(): number
  now(): number
}

const usualMaxBytes = 25 * 1024 * 1024
const maxRedirects = 5
const usualMaxAttempts = 4
/**
 * A service may ask for a longer pause than this. The call then fails, and a new attempt of the whole work asks
 * again.
 */
const longestPauseMs = 30_000

/** The credentials that a call used, and the credentials that it must not use again. */
type Trial = {
  used: Record<string, string> | null
  refused: Record<string, string> | null
  challenge?: string | undefined
}

export function createHttp(transport: HttpTransport): Http {
  const { origins, signal, maxAttempts = usualMaxAttempts, turns = createTurns(transport) } = transport
  const { owner = '' } = transport
  const ownTurns = createTurns(transport)

  const headersFor = async (url: URL, request: HttpRequest, trial: Trial) => {
    if (request.authorized === false || !origins.includes(url.origin)) return {}
    const headers = await transport.credentials(trial.refused)
    trial.used = headers
    return headers
  }

  const sendOnce = async (start: URL, request: HttpRequest, trial: Trial): Promise<Response | null> => {
    let url = start
    let method: string = request.method ?? 'GET'
    let body = bodyOf(request)
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      const secrets = await headersFor(url, request, trial)
      if (secrets === null) return null
      // Headers that were meant for one origin are not sent to another.
      const given = url.origin === start.origin ? { ...typeOf(request), ...request.headers } : {}
      const call = () =>
        transport.fetch(url, {
          method,
          headers: { accept: 'application/json', ...lowerCased(given), ...lowerCased(secrets) },
          body,
          redirect: 'manual',
          signal: request.signal === undefined ? signal : AbortSignal.any([signal, request.signal]),
          ...limitsOf(request),
        })
      const { everyMs } = request
      const takeTurn = Object.keys(secrets).length === 0 ? turns : ownTurns
      const response = await (everyMs === undefined
        ? call()
        : takeTurn({ host: url.host, owner, everyMs, signal }, call))
      const target = redirectTarget(response, url)
      if (target === null || request.redirects === 'answer') return response
      await response.body?.cancel()
      if (body !== null && target.origin !== url.origin) {
        throw new HttpFailure('unexpected_reply', `${url.host} redirects what was sent to ${target.host}`)
      }
      if (response.status === 303 || (response.status <= 302 && method === 'POST')) {
        method = 'GET'
        body = null
      }
      url = target
    }
    throw new HttpFailure('unexpected_reply', `${start.host} redirects too often`)
  }

  const attempt = async (url: URL, request: HttpRequest, trial: Trial): Promise<Response | null> => {
    try {
      return await sendOnce(url, request, trial)
    } catch (error) {
      signal.throwIfAborted()
      request.signal?.throwIfAborted()
      if (error instanceof HttpFailure || transport.isFinal(error)) throw error
      throw new HttpFailure('unavailable', withHost(url, error), { cause: error })
    }
  }

  const send = async (address: string, request: HttpRequest = {}): Promise<Response> => {
    const url = addressOf(address, request)
    const mayRepeat = request.repeatable ?? ['GET', 'HEAD', undefined].includes(request.method)
    const trial: Trial = { used: null, refused: null }
    for (let tries = 1; ; tries++) {
      const outcome = await attempt(url, request, trial).catch((error: unknown) => {
        if (error instanceof HttpFailure) return error
        throw error
      })
      if (outcome === null) {
        const message = `${url.host} does not accept the credentials`
        throw new HttpFailure('not_authorized', message, withoutUndefined({ challenge: trial.challenge }))
      }
      const failure =
        outcome instanceof HttpFailure ? outcome : await refusalOf(outcome, url, request, transport.now())
      // Without a failure, the outcome is a reply.
      if (failure === null) return outcome as Response
      if (failure.kind === 'not_authorized' && trial.refused === null && trial.used !== null) {
        trial.refused = trial.used
        trial.challenge = failure.challenge ?? undefined
        continue
      }
      const pauseMs = pauseAfter(failure, tries, transport.random())
      // The service did not carry out a call that it refused for its rate, so any method may be repeated.
      const isHarmless = mayRepeat || failure.kind === 'rate_limited'
      if (pauseMs === null || !isHarmless || tries >= maxAttempts || pauseMs > longestPauseMs) throw failure
      await transport.sleep(pauseMs, signal)
    }
  }

  const read = async <T>(
    url: string,
    request: HttpRequest | undefined,
    how: (response: Response) => Promise<T>,
  ) => {
    const response = await send(url, request)
    try {
      return await how(response)
    } catch (error) {
      signal.throwIfAborted()
      if (transport.isFinal(error)) throw error
      throw unreadable(url, response, error)
    }
  }

  return {
    send,
    json: <T>(url: string, request?: HttpRequest) =>
      read(url, request, async response => (await readReply(response, request?.maxValues)) as T),
    text: (url, request) => read(url, request, response => response.text()),
    bytes: (url, request) =>
      read(url, request, async response => new Uint8Array(await response.arrayBuffer())),
    page: <T>(url: string, request?: HttpRequest) =>
      read(url, request, async response => ({
        data: (await readReply(response, request?.maxValues)) as T,
        next: nextAddress(response.headers.get('link') ?? '', url),
      })),
  }
}

function unreadable(url: string, { status }: Response, cause: unknown): HttpFailure {
  const why = cause instanceof Error ? cause.message : String(cause)
  const message = `${new URL(url).host} answered something unreadable: ${why}`
  return new HttpFailure('unexpected_reply', message, { status, cause })
}

/** Names the host once, even if the error already names it. */
function withHost({ host }: URL, error: unknown): string {
  const why = error instanceof Error ? error.message : String(error)
  return why.startsWith(`${host} `) ? why : `${host}: ${why}`
}

/** Null if the reply is an answer. */
async function refusalOf(reply: Response, url: URL, request: HttpRequest, nowMs: number) {
  if (isAnswer(reply, request)) return (await request.refusal?.(reply.clone())) ?? null
  return judged(request, await failureOf(reply, url.host, nowMs))
}

function judged(request: HttpRequest, failure: HttpFailure): HttpFailure {
  if (failure.kind === 'rate_limited' || request.isRateLimited?.(failure) !== true) return failure
  const { message, status, body } = failure
  return new HttpFailure('rate_limited', message, withoutUndefined({ status: status ?? undefined, body }))
}

const limitsOf = ({ maxBytes = usualMaxBytes, timeoutMs }: HttpRequest) => ({
  maxResponseBytes: maxBytes,
  timeoutMs,
})

function addressOf(address: string, { query = {} }: HttpRequest): URL {
  const url = new URL(address)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return url
}

function bodyOf({ body }: HttpRequest): string | URLSearchParams | null {
  if (body === undefined || body === null) return null
  return typeof body === 'string' || body instanceof URLSearchParams ? body : JSON.stringify(body)
}

function typeOf({ body }: HttpRequest): Record<string, string> {
  if (body === undefined || body === null || typeof body === 'string') return {}
  return {
    'content-type':
      body instanceof URLSearchParams
        ? 'application/x-www-form-urlencoded;charset=UTF-8'
        : 'application/json',
  }
}

const lowerCased = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** Whether a reply is an answer and no failure. */
const isAnswer = ({ ok, status, headers }: Response, { redirects }: HttpRequest): boolean =>
  ok || status === 304 || (redirects === 'answer' && redirectStatuses.has(status) && headers.has('location'))

const redirectStatuses = new Set([301, 302, 303, 307, 308])

function redirectTarget(response: Response, url: URL): URL | null {
  if (!redirectStatuses.has(response.status)) return null
  return URL.parse(response.headers.get('location') ?? '', url.href)
}
