/** The way to a service: with its credentials, patient where it asks for patience, and clear about why it failed. */

/** As long as a sync waits for one item at most. */
export const fileTimeoutMs = 5 * 60_000

export type HttpRequest = {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Record<string, string>
  /** Added to the address; what is undefined is left out. */
  query?: Record<string, string | number | boolean | undefined>
  /** Sent as JSON; a string or URLSearchParams as it is. */
  body?: unknown
  /** False for an address that wants no credentials, such as a signed download link. */
  authorized?: boolean
  /** Counted after decompression; 25 MB unless given. */
  maxBytes?: number
  /** How long each try may take, to the last byte of the body; 30 seconds unless given. `fileTimeoutMs` suits files. */
  timeoutMs?: number | undefined
  /** Ends this call before the work as a whole is aborted. */
  signal?: AbortSignal | undefined
  /** May a failed call be made again? GET and HEAD may, others only where this says so. */
  repeatable?: boolean
  /**
   * Calls to one host run one after another, and start at least this long apart. Services count calls by account, so calls
   * with credentials have a queue of their own. Websites count by address, so all calls without credentials share a queue.
   */
  everyMs?: number
  /** `answer`: a reply that redirects is the answer, with its status and its `location`. */
  redirects?: 'follow' | 'answer'
  /** Where a service says by its body, not by 429, that it was asked too often. */
  isRateLimited?(failure: HttpFailure): boolean
  /**
   * Where a service refuses with status 200: the failure that a reply stands for, null if it is a good one. It is then
   * treated as one by status: credentials are renewed, pauses kept. It is given a copy of the reply.
   */
  refusal?(reply: Response): Promise<HttpFailure | null>
}

export type Http = {
  /** Answers with a status of 200 to 299, or 304. Throws `HttpFailure`. */
  send(url: string, request?: HttpRequest): Promise<Response>
  /** The body as JSON. */
  json<T = unknown>(url: string, request?: HttpRequest): Promise<T>
  text(url: string, request?: HttpRequest): Promise<string>
  bytes(url: string, request?: HttpRequest): Promise<Uint8Array<ArrayBuffer>>
  /** One page of a list in JSON, with the next page's address by the `Link` header (RFC 8288); null on the last one. */
  page<T = unknown>(url: string, request?: HttpRequest): Promise<{ data: T; next: string | null }>
}

export const httpFailureKinds = [
  'not_authorized',
  'forbidden',
  'missing',
  'rate_limited',
  'unavailable',
  'unexpected_reply',
] as const
export type HttpFailureKind = (typeof httpFailureKinds)[number]

/**
 * Why a call came to nothing. `not_authorized`: the credentials are not accepted. `forbidden`: they do not reach so far.
 * `missing`: 404 or 410. `rate_limited`: not before `retryAfterSeconds`. `unavailable`: no answer, or a 5xx, again and again.
 */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure'
  readonly kind: HttpFailureKind
  readonly status: number | null
  /** The beginning of the reply's body, for connectors that have to tell one refusal from another. */
  readonly body: string
  readonly retryAfterSeconds: number | null
  /** The setting of the config that is to blame, dotted where it is nested. */
  readonly field: string | null
  /** The `WWW-Authenticate` of a reply that refuses the credentials. */
  readonly challenge: string | null

  constructor(
    kind: HttpFailureKind,
    message: string,
    about: {
      status?: number
      body?: string
      retryAfterSeconds?: number
      field?: string
      challenge?: string
      cause?: unknown
    } = {},
  ) {
    super(message, about.cause === undefined ? undefined : { cause: about.cause })
    this.kind = kind
    this.status = about.status ?? null
    this.body = about.body ?? ''
    this.retryAfterSeconds = about.retryAfterSeconds ?? null
    this.field = about.field ?? null
    this.challenge = about.challenge ?? null
  }
}

/** For `catch`: null where there is nothing at the address; any other error is thrown again. */
export function nullIfMissing(error: unknown): null {
  if (error instanceof HttpFailure && error.kind === 'missing') return null
  throw error
}
