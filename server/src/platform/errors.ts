/** The one error that carries a reply for the client: a code of a closed list, a public message, and its details. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { type Caller, type Permission, rolePermissions } from './caller.ts'
import { type Static, type TObject, type TProperties, type TSchema, Type } from './json-schema/type.ts'
import { exampleId, idOf, nullable, stringEnum, timestamp } from './schemas.ts'
import { sizeInWords } from './text/sizes.ts'

const text = (description: string, example: string) => Type.String({ description, examples: [example] })
const count = (description: string, example: number) => Type.Integer({ description, examples: [example] })
const bytesUnit = text('Always `bytes`.', 'bytes')
const nullableText = (description: string, example: string) => nullable(text(description, example))

/** Why a request has no valid key. Only for a secret that this server made does the reason say what became of it. */
export const tokenFaults = [
  'missing',
  'wrong_scheme',
  'malformed',
  'unknown',
  'revoked',
  'expired',
  'owner_gone',
  'wrong_door',
] as const
export type TokenFault = (typeof tokenFaults)[number]

/** The kinds of rights that a caller can lack. */
const needs = ['permission', 'role', 'key', 'person', 'whole_workspace', 'record'] as const

type ErrorKind = { status: number; retryable: boolean; message: string; details?: TObject; blames?: string }
type Plain = Omit<ErrorKind, 'details'>
type Detailed<Properties extends TProperties> = Plain & { details: TObject<Properties> }

type MakeKind = {
  (status: number, message: string): Plain
  <Properties extends TProperties>(status: number, message: string, details: Properties): Detailed<Properties>
}

const kindsThatAre = (retryable: boolean) =>
  ((status: number, message: string, details?: TProperties): ErrorKind => {
    const kind = { status, retryable, message }
    return details === undefined ? kind : { ...kind, details: Type.Closed(details) }
  }) as MakeKind
const final = kindsThatAre(false)
/** The same request may succeed later. */
const passing = kindsThatAre(true)
/** The part of the request that is at fault whenever the error names no field itself: a header, or the body. */
const blaming = <Kind extends Plain>(blames: string, kind: Kind): Kind => ({ ...kind, blames })

/** Every code that an error reply can carry: its status, its usual message, and what `details` holds. */
export const errorCodes = {
  validation_failed: final(400, 'Validation failed'),
  malformed_json: blaming('body', final(400, 'The body is not valid JSON')),
  malformed_multipart: blaming('body', final(400, 'The body is not valid multipart/form-data')),
  malformed_url: blaming('path', final(400, 'The URL is not valid')),
  malformed_request: blaming('request', final(400, 'The request is not valid HTTP')),
  unauthenticated: blaming(
    'Authorization',
    final(401, 'A valid API key is required: send "Authorization: Bearer sk_…"', {
      reason: stringEnum(tokenFaults, { description: 'Why the key is not valid.', examples: ['expired'] }),
      tokenEnd: Type.Optional(text('The last four characters of the key or token that was sent.', 'x4Qd')),
      endedAt: Type.Optional(
        timestamp({ description: 'When the key expired or was revoked, for a key that was valid.' }),
      ),
    }),
  ),
  sign_in_required: blaming('Cookie', final(401, 'Sign in first')),
  sign_in_refused: blaming('password', final(401, 'The e-mail address or the password is wrong')),
  email_not_verified: blaming(
    'email',
    final(403, 'The e-mail address is not verified: follow the link that was mailed to it'),
  ),
  sign_up_closed: blaming(
    'email',
    final(403, 'People cannot sign up here by themselves: ask for an invitation'),
  ),
  origin_forbidden: blaming('Origin', final(403, 'The request does not come from the pages of this server')),
  permission_missing: final(403, 'The key lacks a permission', {
    needs: stringEnum(needs, {
      description: 'The kind of right that is missing.',
      examples: ['permission'],
    }),
    permission: Type.Optional(text('The permission, if one is missing.', 'agents:run')),
    role: Type.Optional(text("The caller's role, which lacks it.", 'viewer')),
    userId: Type.Optional(text('The member whose key it is, if their role lacks it.', exampleId('user'))),
  }),
  plan_required: final(403, 'API access needs the Starter plan or above', {
    plan: text("The workspace's plan.", 'free'),
    needed: text('The lowest plan that has it.', 'starter'),
  }),
  workspace_deleted: final(
    403,
    'The workspace is deleted; an owner can restore it in the console until it is erased',
    { workspaceId: idOf('workspace', { description: 'The workspace.' }) },
  ),
  workspace_limit: final(403, 'The number of workspaces that one person may own is reached', {
    limit: count('Workspaces that one person may own.', 3),
  }),
  sandbox_forbidden: final(403, 'A test key cannot do this', {
    environment: text("The key's environment.", 'test'),
    needed: text('The environment whose keys may do it.', 'live'),
  }),
  signature_invalid: blaming('webhook-signature', final(403, 'The signature is missing, wrong or too old')),
  address_not_allowed: final(403, 'The key cannot be used from this address', {
    address: text('The address that the request came from.', '203.0.113.7'),
  }),
  storage_limit: final(403, "The plan's storage is used up", {
    limit: count('Bytes that the plan allows.', 1_073_741_824),
    unit: bytesUnit,
    used: count('Bytes that are in use.', 1_073_700_000),
    actual: count('Bytes of the new content.', 52_428_800),
  }),
  budget_exceeded: final(403, 'The budget of this month is used up', {
    limit: Type.Optional(Type.Number({ description: 'The budget, in USD.', examples: [50] })),
    unit: text('Always `USD`.', 'USD'),
  }),
  token_limit: final(403, 'The browser token has used up what it may', {
    per: text('Whose it is: `token`, or of a public chat `visitor`, `address` or `day`.', 'token'),
    limit: text('What is used up: `maxRuns`, `maxTokens` or `maxCostUsd`.', 'maxRuns'),
    max: Type.Number({ description: 'How much it may.', examples: [50] }),
  }),
  member_limit: final(403, "The plan's limit of members is reached", {
    limit: count('Members that the plan allows.', 5),
  }),
  not_found: final(404, 'Not found', {
    resource: Type.Optional(text('The kind of record; `endpoint` if the path is none.', 'agent')),
    id: Type.Optional(text('The id from the path, as it was sent.', exampleId('agent'))),
    nearest: Type.Optional(
      text('The endpoint that was probably meant, if the path is none.', 'GET /api/v1/agents'),
    ),
    form: Type.Optional(text('An example of such an id, if the id sent is none.', exampleId('agent'))),
    of: Type.Optional(text('The record in the path that it would belong to.', exampleId('agent'))),
    environment: Type.Optional(
      text('`live` or `test`, if the record is in that environment of the same workspace.', 'test'),
    ),
  }),
  method_not_allowed: final(405, 'The method is not allowed here', {
    allow: Type.Array(Type.String(), { description: 'The methods that are.', examples: [['GET', 'HEAD']] }),
  }),
  not_acceptable: blaming('Accept', final(406, 'The server can return none of the accepted media types')),
  request_timeout: blaming('request', passing(408, 'The request took too long to arrive')),
  already_exists: final(409, 'A record with this value exists already', {
    resource: text('The kind of record.', 'document'),
    field: text('The field whose value is taken.', 'externalId'),
    id: nullableText('The existing record; null if it is not shown to the caller.', exampleId('document')),
  }),
  already_member: blaming('email', final(409, 'The person is a member of the workspace already')),
  already_invited: final(409, 'The address is invited already', {
    invitationId: idOf('invitation', { description: 'The pending invitation.' }),
  }),
  limit_reached: final(409, 'The limit of these records is reached', {
    resource: text('What is limited.', 'agents'),
    limit: count('How many there may be.', 1_000),
  }),
  concurrent_change: passing(409, 'Another request changed the record at the same time', {
    resource: text('The kind of record.', 'document'),
    id: text('The record.', exampleId('document')),
  }),
  agent_paused: final(409, 'The agent is paused', { agentId: idOf('agent', { description: 'The agent.' }) }),
  trigger_paused: final(409, 'The trigger is paused or stopped', {
    triggerId: idOf('trigger', { description: 'The trigger.' }),
    status: text('Its status.', 'paused'),
  }),
  agent_deleted: final(409, 'The agent is deleted', {
    agentId: idOf('agent', { description: 'The agent.' }),
  }),
  run_in_progress: final(409, 'The run has not ended yet', {
    runId: idOf('run', { description: 'The run.' }),
    status: text('Its status.', 'running'),
  }),
  call_depth: final(409, 'Agents have asked agents through connections too often', {
    limit: count('How many levels deep they may.', 3),
  }),
  run_is_part: final(409, 'The run is a part of another one', {
    rootRunId: idOf('run', { description: 'The run that it is a part of.' }),
  }),
  price_unknown: final(409, 'The price of the model is not known', { model: text('The model.', 'gpt-5') }),
  document_in_progress: final(409, 'The document is being processed', {
    status: text('Its status.', 'parsing'),
  }),
  document_not_failed: final(409, 'Only a failed document can be tried again', {
    status: text('Its status.', 'ready'),
  }),
  version_without_text: final(409, 'The version has no text', {
    version: count('The version.', 2),
    status: text('The status of the document.', 'failed'),
  }),
  no_pages: final(409, 'The document has no pages that can be drawn', {
    reason: text('Why: the code of a failed reading, or `not_a_pdf`.', 'not_a_pdf'),
  }),
  not_in_trash: final(409, 'The record is not in the trash', {
    id: text('The record.', exampleId('document')),
  }),
  sync_in_progress: final(409, 'A sync is in progress', {
    syncId: text('The sync.', exampleId('sync')),
    status: text('Its status.', 'open'),
  }),
  sync_ended: final(409, 'The sync has ended', { status: text('Its status.', 'completed') }),
  nothing_to_sync: final(409, 'The integration has nothing to keep in sync', {
    integrationId: text('The integration.', 'http'),
  }),
  collection_taken: final(409, 'Another connection keeps the collection in sync', {
    connectionId: idOf('connection', { description: 'That connection.' }),
  }),
  collection_deleted: final(409, 'The collection of the connection is deleted', {
    connectionId: idOf('connection', { description: 'The connection.' }),
  }),
  upload_ended: final(409, 'The upload has ended', { status: text('Its status.', 'done') }),
  upload_offset: final(409, 'The upload continues at another offset', {
    offset: count('Where it continues, in bytes.', 5_242_880),
  }),
  upload_busy: passing(409, 'Another request adds to the upload', {
    uploadId: idOf('upload', { description: 'The upload.' }),
  }),
  invitation_ended: final(409, 'The invitation is answered, revoked or expired', {
    status: text('Its status.', 'accepted'),
  }),
  membership_ended: final(409, 'The caller is no member of the workspace any more', {
    workspaceId: idOf('workspace', { description: 'The workspace.' }),
  }),
  key_revoked: final(409, 'The key is revoked', { keyId: idOf('key', { description: 'The key.' }) }),
  key_of_app: final(409, 'The key belongs to an app', { keyId: idOf('key', { description: 'The key.' }) }),
  member_required: blaming('userId', final(409, 'Only a member can do this')),
  second_factor_off: blaming('code', final(409, 'The person has no second factor')),
  mail_unavailable: final(409, 'This server sends no mail', {
    setting: text("The operator's setting that is missing.", 'SMTP_URL'),
  }),
  webhook_disabled: final(409, 'The endpoint is disabled', {
    webhookId: idOf('webhook', { description: 'The endpoint.' }),
  }),
  event_expired: final(409, 'The event is not kept any more', {
    eventId: idOf('event', { description: 'The event.' }),
  }),
  integration_removed: final(409, 'This server does not offer the integration any more', {
    integrationId: text('The integration.', 'http'),
  }),
  last_owner: final(409, 'A workspace needs at least one owner', {
    memberId: idOf('member', { description: 'Its only owner.' }),
  }),
  delete_guard: final(409, 'The sync would delete more documents than it may without confirmation', {
    confirmDeletes: count('The number to send as `confirmDeletes`.', 40),
    of: count('Documents that the source had before.', 50),
  }),
  conversation_busy: final(409, 'A run of the conversation is in progress', {
    runId: nullableText('The run in progress; null if it has just ended.', exampleId('run')),
  }),
  idempotency_in_progress: blaming(
    'Idempotency-Key',
    passing(409, 'The first request with this Idempotency-Key is still in progress'),
  ),
  idempotency_interrupted: blaming(
    'Idempotency-Key',
    final(409, 'The first request with this Idempotency-Key was carried out, but its reply was lost'),
  ),
  integration_not_configured: final(409, 'The operator has not configured this integration', {
    integrationId: text('The integration.', 'github'),
  }),
  connection_not_active: final(409, 'The connection is not active', {
    connectionId: idOf('connection', { description: 'The connection.' }),
    status: text('Its status.', 'needs_reauth'),
  }),
  precondition_failed: blaming(
    'If-Match',
    final(412, 'The record has changed since the ETag in If-Match was read'),
  ),
  payload_too_large: blaming(
    'body',
    final(413, 'The body is too large', {
      limit: count('The most that is taken.', 2_097_152),
      unit: bytesUnit,
      actual: Type.Optional(count('The size of the request, if it is known.', 3_000_000)),
    }),
  ),
  unsupported_media_type: blaming(
    'Content-Type',
    final(415, 'The media type is not supported', {
      accepted: Type.Optional(
        Type.Array(Type.String(), {
          description: 'The media types or encodings that are taken, unless they are many.',
          examples: [['application/json']],
        }),
      ),
      detected: Type.Optional(text('What the content of a file seems to be.', 'a ZIP archive')),
    }),
  ),
  range_not_satisfiable: final(416, 'The file ends before the range', {
    sizeBytes: count('The size of the file.', 12_345),
  }),
  uri_too_long: blaming(
    'path',
    final(414, 'The URL is too long', { limit: count('The most bytes.', 16_384), unit: bytesUnit }),
  ),
  headers_too_large: blaming(
    'request',
    final(431, 'The headers are too large', { limit: count('The most bytes.', 16_384), unit: bytesUnit }),
  ),
  expectation_failed: blaming('Expect', final(417, 'The header Expect can only say "100-continue"')),
  checksum_mismatch: blaming(
    'Upload-Checksum',
    passing(460, 'The checksum of the bytes does not match the request'),
  ),
  idempotency_mismatch: blaming(
    'Idempotency-Key',
    final(422, 'This Idempotency-Key was used with another request'),
  ),
  address_forbidden: final(422, 'The address is not one that this server may reach', {
    address: text('The address.', 'http://10.0.0.7/'),
  }),
  vector_unavailable: blaming('mode', final(422, 'These collections have no usable vectors')),
  credentials_rejected: blaming('credentials', final(422, 'The service refused the credentials')),
  rate_limited: passing(429, 'Too many requests', {
    retryAfterSeconds: count('How long to wait.', 12),
    limit: Type.Optional(count('How many are allowed.', 100)),
    unit: Type.Optional(text('The unit of the limit.', 'requests per minute')),
  }),
  upload_limit: passing(429, 'Too many uploads are open', {
    limit: count('Uploads that may be open at once.', 100),
  }),
  run_ended: final(409, 'The run has ended, or waits for nothing', {
    runId: idOf('run', { description: 'The run.' }),
    status: text('Its status.', 'succeeded'),
  }),
  run_limit: passing(429, "The plan's limit of simultaneous runs is reached", {
    limit: count('Runs at once that the plan allows.', 10),
  }),
  internal_error: passing(500, 'Something went wrong on our side'),
  unavailable: passing(503, 'The service is not available at the moment'),
  overloaded: passing(503, 'Too much of this is asked for at the moment: wait for Retry-After'),
  embedding_unavailable: passing(503, 'The embedding model does not answer at the moment'),
  integration_unreachable: passing(503, 'The service could not be reached'),
} satisfies Record<string, ErrorKind>

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

/** The most field errors that one reply reports. */
export const mostFieldErrors = 50

/** What is wrong with one field, in words. If a rule of its schema is broken, `rule` names it for programs. */
export type FieldError = {
  field: string
  message: string
  /** The keyword of JSON Schema that is broken, or `maxDepth` or `maxValues`. */
  rule?: string
  /** Present if the rule is a number. */
  limit?: number
}

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
    const { blames } = errorCodes[code] as ErrorKind
    this.errors = options.errors ?? (blames === undefined ? [] : [{ field: blames, message: this.message }])
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

/**
 * The same error for a record that never existed and for a record that is not the caller's. Without details, the HTTP
 * layer names the record of the path.
 */
export const notFound = (message?: string, details?: ErrorDetails['not_found']): ServiceError =>
  new ServiceError('not_found', message, details === undefined ? {} : { details })

/** A row that must exist: throws 404 if it does not. */
export function found<Row>(row: Row | undefined): Row {
  if (row === undefined) throw notFound()
  return row
}

/** A 400 that blames one field. */
export const invalidField = (
  field: string,
  message: string,
  broken: Pick<FieldError, 'rule' | 'limit'> = {},
): ServiceError =>
  new ServiceError('validation_failed', undefined, { errors: [{ field, message, ...broken }] })

/** The kinds of rights that a caller can lack. */
type Need = (typeof needs)[number]

/** A 403 for a caller that lacks a right. */
export const forbidden = (
  need: Need,
  message: string,
  details: Omit<ErrorDetails['permission_missing'], 'needs'> = {},
): ServiceError => new ServiceError('permission_missing', message, { details: { needs: need, ...details } })

/** A 403 that names the missing permission. If a key has lost it with its member's role, it names the member. */
export function lacksPermission(
  { kind, role, userId }: Pick<Caller, 'kind' | 'role' | 'userId'>,
  permission: Permission,
): ServiceError {
  if (kind === 'person') {
    return forbidden('permission', `Your role, ${role}, lacks the permission ${permission}`, {
      permission,
      role,
    })
  }
  if (userId === null || rolePermissions[role].includes(permission)) {
    return forbidden('permission', `The key lacks the permission ${permission}`, { permission })
  }
  return forbidden(
    'permission',
    `The member whose key this is, ${userId}, has the role ${role}, which lacks the permission ${permission}: ask an owner for a higher role, or use another member's key`,
    { permission, role, userId },
  )
}

/** A 413 for a body, a file or a text. `what` is the subject of the sentence, such as `The file`. */
export const tooLarge = (
  what: string,
  limitBytes: number,
  { remedy = '', field, actual }: { remedy?: string; field?: string; actual?: number } = {},
): ServiceError => {
  const message = `${what} is larger than ${sizeInWords(limitBytes)}${remedy}`
  const errors = field === undefined ? undefined : [{ field, message }]
  const details = withoutUndefined<ErrorDetails['payload_too_large']>({
    limit: limitBytes,
    unit: 'bytes',
    actual,
  })
  return errors === undefined
    ? new ServiceError('payload_too_large', message, { details })
    : new ServiceError('payload_too_large', message, { details, errors })
}

/** A 429 with its `Retry-After`. */
export const tooManyRequests = (
  message: string,
  retryAfterSeconds: number,
  limit?: { limit: number; unit: string },
): ServiceError =>
  new ServiceError('rate_limited', message, {
    details: { retryAfterSeconds, ...limit },
    headers: { 'retry-after': String(retryAfterSeconds) },
  })

/** A 409 for records that have reached their limit. */
export const limitReached = (resource: string, limit: number, message: string): ServiceError =>
  new ServiceError('limit_reached', message, { details: { resource, limit } })

/** For example, the database went away in the middle of a commit. The data may have been written all the same. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'unavailable'

/** For work that a server does not begin or breaks off because it is stopping. Another server may take it. */
export const stopping = (): ServiceError =>
  new ServiceError('unavailable', 'The server is stopping', { headers: { 'retry-after': '2' } })

/** A 503 for a database that is away. The reason comes from the engine; it is only logged, with the cause. */
export const databaseUnavailable = (reason: string, cause?: unknown): ServiceError =>
  new ServiceError('unavailable', undefined, {
    headers: { 'retry-after': '1' },
    cause: cause === undefined ? new Error(reason) : cause,
  })
