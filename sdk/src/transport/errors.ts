/** What can go wrong with a call, as classes: catch the one that you can do something about. */
import type { components, ErrorCode } from '../generated.ts'

/** What `details` of an error holds, by its `code`. */
export type ErrorDetails = {
  [Code in ErrorCode as DetailsName<Code> extends keyof Schemas ? Code : never]: Schemas[DetailsName<Code> &
    keyof Schemas]
}

type Schemas = components['schemas']
type DetailsName<Code extends string> = `${Pascal<Code>}Details`
type Pascal<Word extends string> = Word extends `${infer First}_${infer Rest}`
  ? `${Capitalize<First>}${Pascal<Rest>}`
  : Capitalize<Word>

/** One field of a refused request, and why it was refused. */
export type FieldError = Schemas['Error']['errors'][number]

/** The body of every error that the API answers with. */
export type ErrorBody = {
  statusCode: number
  message: string
  errors: FieldError[]
  code: string
  details: Record<string, unknown>
  requestId: string
  retryable: boolean
}

/** Everything that this package throws, besides the reason of your own `signal`. */
export class AtriumError extends Error {
  override name = 'AtriumError'
}

/** The server was not reached, or the connection broke before its reply was there. */
export class ConnectionError extends AtriumError {
  override name = 'ConnectionError'
}

/** What was asked for has still the ETag that `ifNoneMatch` named: go on with what you have. */
export class NotModifiedError extends AtriumError {
  override name = 'NotModifiedError'
}

/** No reply within `timeoutMs`, or what was waited for did not happen in time. */
export class TimeoutError extends AtriumError {
  override name = 'TimeoutError'
}

/** The document that was waited for could not be processed; `code` says why. */
export class DocumentFailedError extends AtriumError {
  override name = 'DocumentFailedError'
  readonly documentId: string
  readonly code: string

  constructor(documentId: string, failure: { code: string; message: string }) {
    super(`${documentId} failed: ${failure.message}`)
    this.documentId = documentId
    this.code = failure.code
  }
}

/** The API answered with an error. `code` is a word of a closed list, `requestId` is what to quote when asking for help. */
export class ApiError extends AtriumError {
  override name = 'ApiError'
  readonly statusCode: number
  readonly code: string
  /** One entry for each invalid field; empty if no field is to blame. */
  readonly errors: readonly FieldError[]
  /** Ids, numbers and states that the message names; `is` gives them their types. */
  readonly details: Readonly<Record<string, unknown>>
  readonly requestId: string
  /** Whether the same call may succeed later. The client has then already tried it `maxRetries` times. */
  readonly retryable: boolean
  /** How long the server asks to wait; null if it does not say. */
  readonly retryAfterMs: number | null

  constructor(body: ErrorBody, retryAfterMs: number | null) {
    super(summaryOf(body))
    this.statusCode = body.statusCode
    this.code = body.code
    this.errors = body.errors
    this.details = body.details
    this.requestId = body.requestId
    this.retryable = body.retryable
    this.retryAfterMs = retryAfterMs
  }

  /** Whether it has this code: `if (error.is('conversation_busy')) await runs.wait(error.details.runId)`. */
  is<Code extends keyof ErrorDetails>(code: Code): this is this & { details: ErrorDetails[Code] } {
    return this.code === code
  }
}

/** 400: `errors` names each invalid field. */
export class ValidationError extends ApiError {
  override name = 'ValidationError'
}

/** 401: the key is missing, unknown, revoked or expired. */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError'
}

/** 403: the key lacks a permission, or the plan does not reach that far. */
export class PermissionError extends ApiError {
  override name = 'PermissionError'
}

/** 404: it does not exist, or not for this key. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError'
}

/** 409: the request conflicts with the current state. */
export class ConflictError extends ApiError {
  override name = 'ConflictError'
}

/** 412: the record has changed since the ETag in `ifMatch` was read. */
export class PreconditionError extends ApiError {
  override name = 'PreconditionError'
}

/** 413: larger than the plan allows; the message names the limit. */
export class TooLargeError extends ApiError {
  override name = 'TooLargeError'
}

/** 415: not a type of file that is taken; the message lists those that are. */
export class UnsupportedTypeError extends ApiError {
  override name = 'UnsupportedTypeError'
}

/** 422: well formed, but it cannot be done, such as an idempotency key that was used for another request. */
export class UnprocessableError extends ApiError {
  override name = 'UnprocessableError'
}

/** 429: over the plan's requests a minute, or its runs at once. */
export class RateLimitError extends ApiError {
  override name = 'RateLimitError'
}

/** 5xx: the server failed or is not available. */
export class ServerError extends ApiError {
  override name = 'ServerError'
}

const classes: Record<number, typeof ApiError> = {
  400: ValidationError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  412: PreconditionError,
  413: TooLargeError,
  415: UnsupportedTypeError,
  422: UnprocessableError,
  429: RateLimitError,
}

/** The error for a reply, of the class that belongs to its status. */
export function apiErrorOf(body: ErrorBody, retryAfterMs: number | null): ApiError {
  const ErrorClass = classes[body.statusCode] ?? (body.statusCode >= 500 ? ServerError : ApiError)
  return new ErrorClass(body, retryAfterMs)
}

/** `Validation failed (prompt: is required)`: what a log line should say without further digging. */
function summaryOf({ message, errors }: ErrorBody): string {
  if (errors.length === 0) return message
  return `${message} (${errors.map(error => `${error.field}: ${error.message}`).join('; ')})`
}

/** Whether the same call may succeed later: the line broke, the reply took too long, or the server says so. */
export const mayPass = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  error instanceof TimeoutError ||
  (error instanceof ApiError && error.retryable)
