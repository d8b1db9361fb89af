/** The one error that carries an answer for the client: a code of a closed list, and a public message. */

/** Every code that an error reply can carry, with its status. */
export const errorCodes = {
  validation_failed: { status: 400, retryable: false, message: 'Validation failed' },
  malformed_json: { status: 400, retryable: false, message: 'The body is not valid JSON' },
  malformed_multipart: {
    status: 400,
    retryable: false,
    message: 'The body is not valid multipart/form-data',
  },
  malformed_url: { status: 400, retryable: false, message: 'The URL is not valid' },
  malformed_request: { status: 400, retryable: false, message: 'The request is not valid HTTP' },
  unauthenticated: {
    status: 401,
    retryable: false,
    message: 'A valid API key is required: send "Authorization: Bearer sk_…"',
  },
  sign_in_required: { status: 401, retryable: false, message: 'Sign in first' },
  sign_in_refused: { status: 401, retryable: false, message: 'The e-mail address or the password is wrong' },
  email_not_verified: {
    status: 403,
    retryable: false,
    message: 'The e-mail address is not verified: follow the link that was mailed to it',
  },
  sign_up_closed: {
    status: 403,
    retryable: false,
    message: 'People cannot sign up here by themselves: ask for an invitation',
  },
  origin_forbidden: {
    status: 403,
    retryable: false,
    message: 'The request does not come from the pages of this server',
  },
  permission_missing: { status: 403, retryable: false, message: 'The key lacks a permission' },
  plan_required: {
    status: 403,
    retryable: false,
    message: 'API access needs the Starter plan or above',
  },
  workspace_deleted: {
    status: 403,
    retryable: false,
    message: 'The workspace is deleted; an owner can restore it in the console until it is erased',
  },
  workspace_limit: {
    status: 403,
    retryable: false,
    message: 'The number of workspaces that one person may own is reached',
  },
  sandbox_forbidden: { status: 403, retryable: false, message: 'A test key cannot do this' },
  address_not_allowed: { status: 403, retryable: false, message: 'The key cannot be used from this address' },
  storage_limit: { status: 403, retryable: false, message: "The plan's storage is used up" },
  budget_exceeded: {
    status: 403,
    retryable: false,
    message: 'The budget of this month is used up',
  },
  member_limit: { status: 403, retryable: false, message: "The plan's limit of members is reached" },
  not_found: { status: 404, retryable: false, message: 'Not found' },
  method_not_allowed: { status: 405, retryable: false, message: 'The method is not allowed here' },
  not_acceptable: {
    status: 406,
    retryable: false,
    message: 'The server can return none of the accepted media types',
  },
  request_timeout: { status: 408, retryable: true, message: 'The request took too long to arrive' },
  conflict: { status: 409, retryable: false, message: 'The request conflicts with the current state' },
  last_owner: { status: 409, retryable: false, message: 'A workspace needs at least one owner' },
  delete_guard: {
    status: 409,
    retryable: false,
    message: 'The sync would delete more documents than it may without confirmation',
  },
  conversation_busy: {
    status: 409,
    retryable: false,
    message: 'A run of the conversation is in progress',
  },
  idempotency_in_progress: {
    status: 409,
    retryable: true,
    message: 'The first request with this Idempotency-Key is still in progress',
  },
  idempotency_interrupted: {
    status: 409,
    retryable: false,
    message: 'The first request with this Idempotency-Key was carried out, but its reply was lost',
  },
  integration_not_configured: {
    status: 409,
    retryable: false,
    message: 'The operator has not configured this integration',
  },
  connection_not_active: { status: 409, retryable: false, message: 'The connection is not active' },
  precondition_failed: {
    status: 412,
    retryable: false,
    message: 'The record has changed since the ETag in If-Match was read',
  },
  payload_too_large: { status: 413, retryable: false, message: 'The body is too large' },
  unsupported_media_type: { status: 415, retryable: false, message: 'The media type is not supported' },
  expectation_failed: {
    status: 417,
    retryable: false,
    message: 'The header Expect can only say "100-continue"',
  },
  checksum_mismatch: {
    status: 460,
    retryable: true,
    message: 'The checksum of the bytes does not match the request',
  },
  idempotency_mismatch: {
    status: 422,
    retryable: false,
    message: 'This Idempotency-Key was used with another request',
  },
  address_forbidden: {
    status: 422,
    retryable: false,
    message: 'The address is not one that this server may reach',
  },
  vector_unavailable: {
    status: 422,
    retryable: false,
    message: 'These collections have no usable vectors',
  },
  credentials_rejected: { status: 422, retryable: false, message: 'The service refused the credentials' },
  rate_limited: { status: 429, retryable: true, message: 'Too many requests' },
  upload_limit: { status: 429, retryable: true, message: 'Too many uploads are open' },
  run_ended: {
    status: 409,
    retryable: false,
    message: 'The run has ended, or waits for nothing',
  },
  run_limit: { status: 429, retryable: true, message: "The plan's limit of simultaneous runs is reached" },
  internal_error: { status: 500, retryable: true, message: 'Something went wrong on our side' },
  unavailable: { status: 503, retryable: true, message: 'The service is not available at the moment' },
  embedding_unavailable: {
    status: 503,
    retryable: true,
    message: 'The embedding model does not answer at the moment',
  },
  integration_unreachable: { status: 503, retryable: true, message: 'The service could not be reached' },
} as const satisfies Record<string, { status: number; retryable: boolean; message: string }>

export type ErrorCode = keyof typeof errorCodes

export type FieldError = { field: string; message: string }

type ServiceErrorOptions = {
  errors?: FieldError[]
  headers?: Record<string, string>
  cause?: unknown
}

/** Thrown anywhere, turned into a reply once. `message` is public; `cause` is only logged. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  readonly errors: FieldError[]
  readonly headers: Record<string, string>

  constructor(
    code: ErrorCode,
    message: string = errorCodes[code].message,
    options: ServiceErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.errors = options.errors ?? []
    this.headers = options.headers ?? {}
  }

  get statusCode(): number {
    return errorCodes[this.code].status
  }

  get retryable(): boolean {
    return errorCodes[this.code].retryable
  }
}

/** The same for what never existed and for what is not the caller's. */
export const notFound = (): ServiceError => new ServiceError('not_found')

/** A row that has to be there: throws 404 if it is not. */
export function found<Row>(row: Row | undefined): Row {
  if (row === undefined) throw notFound()
  return row
}

/** A 400 that blames one field. */
export const invalidField = (field: string, message: string): ServiceError =>
  new ServiceError('validation_failed', undefined, { errors: [{ field, message }] })

/** As when the database went away, perhaps in the middle of a commit: what was written may be there all the same. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'unavailable'

/** For work that a server does not begin, or breaks off, since it is ending: another one may take it. */
export const stopping = (): ServiceError =>
  new ServiceError('unavailable', 'The server is stopping', { headers: { 'retry-after': '2' } })

/** For a database that is away, a 503: the reason is the engine's and only logged with the cause. */
export const databaseUnavailable = (reason: string, cause?: unknown): ServiceError =>
  new ServiceError('unavailable', undefined, {
    headers: { 'retry-after': '1' },
    cause: cause === undefined ? new Error(reason) : cause,
  })
