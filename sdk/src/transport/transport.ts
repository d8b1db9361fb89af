/** One call over HTTP: address, headers, time limit, retries, and the reply or a typed error. */
import type { Credentials } from './credentials.ts'
import {
  type ApiError,
  AuthenticationError,
  apiErrorOf,
  ConnectionError,
  type ErrorBody,
  NotModifiedError,
  TimeoutError,
} from './errors.ts'
import { delayBeforeRetry, isPassingStatus, parseRetryAfter, pause } from './retry.ts'

/** What may be set for a single call. */
export type CallOptions = {
  /** Ends the call; it then rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** How long one attempt may take, its reply included. */
  timeoutMs?: number | undefined
  /** How often it is tried again after a passing fault. */
  maxRetries?: number | undefined
  /** Makes a write happen once, however often it is sent; chosen at random for each call where absent. */
  idempotencyKey?: string | undefined
  /** The ETag that the record must still have, else `PreconditionError`. */
  ifMatch?: string | undefined
  /** The ETag of the reply that you have: `NotModifiedError` if it is still the same, so that nothing is sent again. */
  ifNoneMatch?: string | undefined
}

export type Query = Record<string, unknown>

type Body = NonNullable<RequestInit['body']>

/** What a multipart upload is made of; `open` is called for each attempt. */
export type FormBody = { open: () => Body; headers: Record<string, string>; repeatable: boolean }

export type Outgoing = {
  method: 'GET' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the base address, such as `/agents`. */
  path: string
  query?: Query | undefined
  /** Sent as JSON. */
  body?: unknown
  form?: FormBody
  headers?: Record<string, string>
}

export type Reply = {
  status: number
  headers: Headers
  requestId: string
  data: unknown
  meta: PageMeta | null
}

/** `next` is there if a `sort` was asked for: the `after` of what follows, or null at the end. */
export type PageMeta = { page: number; pageSize: number; total: number; next?: string | null }

export type Transport = {
  /** Resolves with the envelope of a successful reply; an empty reply has the data `undefined`. */
  send(outgoing: Outgoing, options?: CallOptions): Promise<Reply>
  /** The same for a reply that is a file: resolves as soon as its headers are there. */
  open(outgoing: Outgoing, options?: CallOptions): Promise<Response>
}

export type TransportSettings = {
  credentials: Credentials
  baseUrl: string
  fetch: typeof globalThis.fetch
  timeoutMs: number
  maxRetries: number
}

export function createTransport(settings: TransportSettings): Transport {
  return {
    async send(outgoing, options = {}) {
      const exchanged = await exchange(settings, outgoing, options, response => response.text())
      return readReply(exchanged.response, exchanged.content)
    },
    async open(outgoing, options = {}) {
      const exchanged = await exchange(settings, outgoing, options, async () => null)
      return exchanged.response
    },
  }
}

/** A call that is ready to be sent, as often as needed. */
type Call<Content> = {
  settings: TransportSettings
  outgoing: Outgoing
  options: CallOptions
  url: string
  headers: Headers
  read: (response: Response) => Promise<Content>
}

type Exchanged<Content> = { response: Response; content: Content }

type Fault = { fault: Error; passing: boolean; retryAfterMs: number | null }

/** Tries until there is a successful reply, an error that will not pass, or no retry left. */
async function exchange<Content>(
  settings: TransportSettings,
  outgoing: Outgoing,
  options: CallOptions,
  read: (response: Response) => Promise<Content>,
): Promise<Exchanged<Content>> {
  const url = urlOf(settings.baseUrl, outgoing)
  const headers = headersOf(outgoing, options)
  const call = { settings, outgoing, options, url, headers, read }
  const repeatable = outgoing.form?.repeatable ?? true
  const maxRetries = repeatable ? (options.maxRetries ?? settings.maxRetries) : 0
  for (let attempt = 0; ; attempt++) {
    const outcome = await tryAuthenticated(call, repeatable)
    if (!('fault' in outcome)) return outcome
    const delayMs = attempt < maxRetries ? delayBeforeRetry(attempt, outcome.retryAfterMs) : null
    if (!outcome.passing || delayMs === null) throw outcome.fault
    // Always under the same key: an attempt before this one may have been carried out without its reply coming back.
    await pause(delayMs, options.signal)
  }
}

/** A token may have ended between being checked here and there: then the call is made once more, with another. */
async function tryAuthenticated<Content>(
  call: Call<Content>,
  repeatable: boolean,
): Promise<Exchanged<Content> | Fault> {
  const { credentials } = call.settings
  const token = await credentials.current()
  call.headers.set('authorization', `Bearer ${token}`)
  const outcome = await tryOnce(call)
  const isRefused = 'fault' in outcome && outcome.fault instanceof AuthenticationError
  if (!isRefused || !credentials.refused(token) || !repeatable) return outcome
  call.headers.set('authorization', `Bearer ${await credentials.current()}`)
  return tryOnce(call)
}

async function tryOnce<Content>(call: Call<Content>): Promise<Exchanged<Content> | Fault> {
  const { settings, outgoing, options, url, headers } = call
  options.signal?.throwIfAborted()
  const timeoutMs = options.timeoutMs ?? settings.timeoutMs
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), timeoutMs)
  const signals = options.signal === undefined ? [deadline.signal] : [options.signal, deadline.signal]
  try {
    const response = await settings.fetch(url, requestOf(outgoing, headers, AbortSignal.any(signals)))
    if (response.ok) return { response, content: await call.read(response) }
    if (response.status === 304) {
      return { fault: new NotModifiedError(`Not modified: ${url}`), passing: false, retryAfterMs: null }
    }
    return faultOfReply(response, await response.text())
  } catch (error) {
    options.signal?.throwIfAborted()
    const where = `${outgoing.method} ${url}`
    const fault = deadline.signal.aborted
      ? new TimeoutError(`No reply within ${timeoutMs} ms: ${where}`, { cause: error })
      : new ConnectionError(`Could not reach the server: ${where}`, { cause: error })
    return { fault, passing: true, retryAfterMs: null }
  } finally {
    clearTimeout(timer)
  }
}

function requestOf(outgoing: Outgoing, headers: Headers, signal: AbortSignal): RequestInit {
  const body = outgoing.form?.open() ?? (outgoing.body === undefined ? null : JSON.stringify(outgoing.body))
  const request: RequestInit & { duplex?: 'half' } = {
    method: outgoing.method,
    headers,
    body,
    signal,
    // The key belongs to this address only.
    redirect: 'error',
  }
  // Asked for by fetch where the body is a stream.
  if (body instanceof ReadableStream) request.duplex = 'half'
  return request
}

function headersOf(outgoing: Outgoing, options: CallOptions): Headers {
  const headers = new Headers({ accept: 'application/json', ...outgoing.headers, ...outgoing.form?.headers })
  if (outgoing.body !== undefined) headers.set('content-type', 'application/json')
  if (options.ifMatch !== undefined) headers.set('if-match', options.ifMatch)
  if (options.ifNoneMatch !== undefined) headers.set('if-none-match', options.ifNoneMatch)
  if (options.idempotencyKey !== undefined) headers.set('idempotency-key', options.idempotencyKey)
  else if (outgoing.method !== 'GET' && outgoing.method !== 'OPTIONS')
    headers.set('idempotency-key', newKey())
  return headers
}

/** Not `crypto.randomUUID`: browsers have it on secure pages only. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}

function urlOf(baseUrl: string, { path, query = {} }: Outgoing): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null) parameters.append(name, textOf(item))
    }
  }
  return parameters.size === 0 ? baseUrl + path : `${baseUrl}${path}?${parameters}`
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function readReply(response: Response, text: string): Reply {
  const envelope = text === '' ? {} : parseJson(text)
  if (envelope === null) {
    throw new ConnectionError(`The reply is not JSON, so it is not from Atrium: ${text.slice(0, 200)}`)
  }
  return {
    status: response.status,
    headers: response.headers,
    requestId: response.headers.get('x-request-id') ?? '',
    data: envelope.data,
    meta: (envelope.meta as PageMeta | undefined) ?? null,
  }
}

function faultOfReply(response: Response, text: string): Fault {
  const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), Date.now())
  const fault: ApiError = apiErrorOf(errorBodyOf(response, text), retryAfterMs)
  // A stored reply stays what it is: the same key would only bring it back.
  const replayed = response.headers.get('idempotency-replayed') === 'true'
  return { fault, passing: fault.retryable && !replayed, retryAfterMs }
}

/** The error as the API wrote it, or one made of the status where something in between answered. */
function errorBodyOf(response: Response, text: string): ErrorBody {
  const parsed = parseJson(text)
  if (parsed !== null && typeof parsed.code === 'string') return parsed as ErrorBody
  return {
    statusCode: response.status,
    message: `HTTP ${response.status} ${response.statusText}`.trim(),
    errors: [],
    code: 'unknown',
    details: {},
    requestId: response.headers.get('x-request-id') ?? '',
    retryable: isPassingStatus(response.status),
  }
}

function parseJson(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
