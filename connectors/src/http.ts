/** The way to a service: adds credentials, waits when the service asks for it, and says clearly why a call failed. */

/** The longest time that a sync waits for one item. */
export const fileTimeoutMs = 5 * 60_000

export type HttpRequest = {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Record<string, string>
  /** Added to the address; undefined values are left out. */
  query?: Record<string, string | number | boolean | undefined>
  /** Sent as JSON; a string or URLSearchParams is sent unchanged. */
  body?: unknown
  /** False for an address that wants no credentials, such as a signed download link. */
  authorized?: boolean
  /** Counted after decompression; 25 MB unless given. */
  maxBytes?: number
  /** Of a reply that is read as JSON, counted by brackets and commas; 500,000 unless given. */
  maxValues?: number
  /**
   * The time limit of each try, up to the last byte of the body; 30 seconds unless given. `fileTimeoutMs` suits
   * files.
   */
  timeoutMs?: number | undefined
  /** Ends this call early, while the work as a whole goes on. */
  signal?: AbortSignal | undefined
  /** Whether a failed call may be repeated. Unless given, only GET and HEAD may. */
  repeatable?: boolean
  /**
   * Calls to one host run one after another, and start at least this long apart. Services count calls by account, so
   * calls with credentials have a separate queue. Websites count by address, so all calls without credentials share a
   * queue.
   */
  everyMs?: number
  /** `answer`: a reply that redirects is the answer, with its status and its `location`. */
  redirects?: 'follow' | 'answer'
  /** For services that report too many calls in the body instead of by 429. */
  isRateLimited?(failure: HttpFailure): boolean
  /**
   * For services that refuse with status 200: the failure that a reply means, or null for a good reply. The failure
   * counts like one by status: credentials are renewed, pauses kept. The function gets a copy of the reply.
   */
  refusal?(reply: Response): Promise<HttpFailure | null>
}

export type Http = {
  /** Answers a reply with status 200 to 299, 304, or a redirect that `redirects` asks for. Throws `HttpFailure`. */
  send(url: string, request?: HttpRequest): Promise<Response>
  json<T = unknown>(url: string, request?: HttpRequest): Promise<T>
  text(url: string, request?: HttpRequest): Promise<string>
  bytes(url: string, request?: HttpRequest): Promise<Uint8Array<ArrayBuffer>>
  /**
   * One page of a JSON list, and the next page's address from the `Link` header (RFC 8288). `next` is null on the
   * last page.
   */
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
 * Why a call failed. `not_authorized`: the credentials are not accepted. `forbidden`: the credentials do not suffice.
 * `missing`: 404 or 410. `rate_limited`: try again after `retryAfterSeconds`. `unavailable`: no answer or a 5xx at
 * each try.
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

/** For `catch`: null if there is nothing at the address. Throws any other error again. */
export function nullIfMissing(error: unknown): null {
  if (error instanceof HttpFailure && error.kind === 'missing') return null
  throw error
}
