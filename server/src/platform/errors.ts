/** The one error that carries an answer for the client: a code of a closed list, a public message, and its details. */
import { type Static, type TObject, type TSchema, Type } from './json-schema/type.ts'
import { exampleId, idOf, nullable } from './schemas.ts'

const text = (description: string, example: string) => Type.String({ description, examples: [example] })
const count = (description: string, example: number) => Type.Integer({ description, examples: [example] })
const nullableText = (description: string, example: string) => nullable(text(description, example))
const closed = { additionalProperties: false }

/** Every code that an error reply can carry: its status, its usual message, and what `details` holds. */
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
  permission_missing: {
    status: 403,
    retryable: false,
    message: 'The key lacks a permission',
    details: Type.Object(
      { permission: Type.Optional(text('The permission; left out if a role is missing.', 'agents:run')) },
      closed,
    ),
  },
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
  member_limit: {
    status: 403,
    retryable: false,
    message: "The plan's limit of members is reached",
    details: Type.Object({ limit: count('Members that the plan allows.', 5) }, closed),
  },
  not_found: { status: 404, retryable: false, message: 'Not found' },
  method_not_allowed: { status: 405, retryable: false, message: 'The method is not allowed here' },
  not_acceptable: {
    status: 406,
    retryable: false,
    message: 'The server can return none of the accepted media types',
  },
  request_timeout: { status: 408, retryable: true, message: 'The request took too long to arrive' },
  already_exists: {
    status: 409,
    retryable: false,
    message: 'A record with this value exists already',
    details: Type.Object(
      {
        resource: text('The kind of record.', 'document'),
        field: text('The field whose value is taken.', 'externalId'),
        id: nullableText(
          'The existing record; null if it is not shown to the caller.',
          exampleId('document'),
        ),
      },
      closed,
    ),
  },
  already_member: {
    status: 409,
    retryable: false,
    message: 'The person is a member of the workspace already',
  },
  already_invited: {
    status: 409,
    retryable: false,
    message: 'The address is invited already',
    details: Type.Object(
      { invitationId: idOf('invitation', { description: 'The pending invitation.' }) },
      closed,
    ),
  },
  limit_reached: {
    status: 409,
    retryable: false,
    message: 'The limit of these records is reached',
    details: Type.Object(
      { resource: text('What is limited.', 'agents'), limit: count('How many there may be.', 1_000) },
      closed,
    ),
  },
  concurrent_change: {
    status: 409,
    retryable: true,
    message: 'Another request changed the record at the same time',
  },
  agent_paused: {
    status: 409,
    retryable: false,
    message: 'The agent is paused',
    details: Type.Object({ agentId: idOf('agent', { description: 'The agent.' }) }, closed),
  },
  agent_deleted: {
    status: 409,
    retryable: false,
    message: 'The agent is deleted',
    details: Type.Object({ agentId: idOf('agent', { description: 'The agent.' }) }, closed),
  },
  run_in_progress: {
    status: 409,
    retryable: false,
    message: 'The run has not ended yet',
    details: Type.Object(
      { runId: idOf('run', { description: 'The run.' }), status: text('Its status.', 'running') },
      closed,
    ),
  },
  run_is_part: {
    status: 409,
    retryable: false,
    message: 'The run is a part of another one',
    details: Type.Object(
      { rootRunId: idOf('run', { description: 'The run that it is a part of.' }) },
      closed,
    ),
  },
  price_unknown: {
    status: 409,
    retryable: false,
    message: 'The price of the model is not known',
    details: Type.Object({ model: text('The model.', 'gpt-5') }, closed),
  },
  document_in_progress: {
    status: 409,
    retryable: false,
    message: 'The document is being processed',
    details: Type.Object({ status: text('Its status.', 'parsing') }, closed),
  },
  document_not_failed: {
    status: 409,
    retryable: false,
    message: 'Only a failed document can be tried again',
    details: Type.Object({ status: text('Its status.', 'ready') }, closed),
  },
  version_without_text: {
    status: 409,
    retryable: false,
    message: 'The version has no text',
    details: Type.Object(
      { version: count('The version.', 2), status: text('The status of the document.', 'failed') },
      closed,
    ),
  },
  not_in_trash: {
    status: 409,
    retryable: false,
    message: 'The record is not in the trash',
  },
  sync_in_progress: {
    status: 409,
    retryable: false,
    message: 'A sync is in progress',
    details: Type.Object(
      { syncId: text('The sync.', exampleId('sync')), status: text('Its status.', 'open') },
      closed,
    ),
  },
  sync_ended: {
    status: 409,
    retryable: false,
    message: 'The sync has ended',
    details: Type.Object({ status: text('Its status.', 'completed') }, closed),
  },
  nothing_to_sync: {
    status: 409,
    retryable: false,
    message: 'The integration has nothing to keep in sync',
    details: Type.Object({ integrationId: text('The integration.', 'http') }, closed),
  },
  collection_taken: {
    status: 409,
    retryable: false,
    message: 'Another connection keeps the collection in sync',
    details: Type.Object({ connectionId: idOf('connection', { description: 'That connection.' }) }, closed),
  },
  collection_deleted: {
    status: 409,
    retryable: false,
    message: 'The collection of the connection is deleted',
  },
  upload_ended: {
    status: 409,
    retryable: false,
    message: 'The upload has ended',
    details: Type.Object({ status: text('Its status.', 'done') }, closed),
  },
  upload_offset: {
    status: 409,
    retryable: false,
    message: 'The upload continues at another offset',
    details: Type.Object({ offset: count('Where it continues, in bytes.', 5_242_880) }, closed),
  },
  upload_busy: {
    status: 409,
    retryable: true,
    message: 'Another request adds to the upload',
  },
  invitation_ended: {
    status: 409,
    retryable: false,
    message: 'The invitation is answered, revoked or expired',
    details: Type.Object({ status: text('Its status.', 'accepted') }, closed),
  },
  membership_ended: {
    status: 409,
    retryable: false,
    message: 'The caller is no member of the workspace any more',
  },
  key_revoked: {
    status: 409,
    retryable: false,
    message: 'The key is revoked',
    details: Type.Object({ keyId: idOf('key', { description: 'The key.' }) }, closed),
  },
  member_required: {
    status: 409,
    retryable: false,
    message: 'Only a member can do this',
  },
  second_factor_off: {
    status: 409,
    retryable: false,
    message: 'The person has no second factor',
  },
  mail_unavailable: {
    status: 409,
    retryable: false,
    message: 'This server sends no mail',
  },
  webhook_disabled: {
    status: 409,
    retryable: false,
    message: 'The endpoint is disabled',
    details: Type.Object({ webhookId: idOf('webhook', { description: 'The endpoint.' }) }, closed),
  },
  event_expired: {
    status: 409,
    retryable: false,
    message: 'The event is not kept any more',
  },
  integration_removed: {
    status: 409,
    retryable: false,
    message: 'This server does not offer the integration any more',
    details: Type.Object({ integrationId: text('The integration.', 'http') }, closed),
  },
  last_owner: { status: 409, retryable: false, message: 'A workspace needs at least one owner' },
  delete_guard: {
    status: 409,
    retryable: false,
    message: 'The sync would delete more documents than it may without confirmation',
    details: Type.Object(
      {
        confirmDeletes: count('The number to send as `confirmDeletes`.', 40),
        of: count('Documents that the source had before.', 50),
      },
      closed,
    ),
  },
  conversation_busy: {
    status: 409,
    retryable: false,
    message: 'A run of the conversation is in progress',
    details: Type.Object(
      {
        runId: nullableText('The run in progress; null if it has just ended.', exampleId('run')),
      },
      closed,
    ),
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
  connection_not_active: {
    status: 409,
    retryable: false,
    message: 'The connection is not active',
    details: Type.Object(
      {
        connectionId: idOf('connection', { description: 'The connection.' }),
        status: text('Its status.', 'needs_reauth'),
      },
      closed,
    ),
  },
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
  upload_limit: {
    status: 429,
    retryable: true,
    message: 'Too many uploads are open',
    details: Type.Object({ limit: count('Uploads that may be open at once.', 100) }, closed),
  },
  run_ended: {
    status: 409,
    retryable: false,
    message: 'The run has ended, or waits for nothing',
    details: Type.Object(
      { runId: idOf('run', { description: 'The run.' }), status: text('Its status.', 'succeeded') },
      closed,
    ),
  },
  run_limit: {
    status: 429,
    retryable: true,
    message: "The plan's limit of simultaneous runs is reached",
    details: Type.Object({ limit: count('Runs at once that the plan allows.', 10) }, closed),
  },
  internal_error: { status: 500, retryable: true, message: 'Something went wrong on our side' },
  unavailable: { status: 503, retryable: true, message: 'The service is not available at the moment' },
  embedding_unavailable: {
    status: 503,
    retryable: true,
    message: 'The embedding model does not answer at the moment',
  },
  integration_unreachable: { status: 503, retryable: true, message: 'The service could not be reached' },
} as const satisfies Record<string, ErrorKind>

type ErrorKind = { status: number; retryable: boolean; message: string; details?: TObject }

export type ErrorCode = keyof typeof errorCodes

/** What `details` holds, by code; `{}` for every other code. */
export type ErrorDetails = {
  [Code in ErrorCode as (typeof errorCodes)[Code] extends { details: TSchema }
    ? Code
    : never]: (typeof errorCodes)[Code] extends { details: infer Schema extends TSchema }
    ? Static<Schema>
    : never
}

/** Null if the code has no details. */
export const detailsSchema = (code: ErrorCode): TObject | null =>
  (errorCodes[code] as ErrorKind).details ?? null

export type FieldError = { field: string; message: string }

type Options = {
  errors?: FieldError[]
  headers?: Record<string, string>
  cause?: unknown
}

type Rest<Code extends ErrorCode> = Code extends keyof ErrorDetails
  ? Partial<ErrorDetails[Code]> extends ErrorDetails[Code]
    ? [message?: string | undefined, options?: Options & { details?: ErrorDetails[Code] }]
    : [message: string | undefined, options: Options & { details: ErrorDetails[Code] }]
  : [message?: string | undefined, options?: Options]

/** Thrown anywhere, turned into a reply once. `message` and `details` are public; `cause` is only logged. */
export class ServiceError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'ServiceError'
  readonly code: Code
  readonly errors: FieldError[]
  readonly headers: Record<string, string>
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: Code, ...rest: Rest<Code>) {
    const [message, options = {}] = rest as [string?, (Options & { details?: Record<string, unknown> })?]
    const cause = options.cause === undefined ? undefined : { cause: options.cause }
    super(message ?? errorCodes[code].message, cause)
    this.code = code
    this.errors = options.errors ?? []
    this.headers = options.headers ?? {}
    this.details = options.details ?? {}
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

/** A 409 for what there may only be so many of. */
export const limitReached = (resource: string, limit: number, message: string): ServiceError =>
  new ServiceError('limit_reached', message, { details: { resource, limit } })

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
