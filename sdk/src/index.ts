/** The door of the package: everything that its users import. */

export { Atrium, type AtriumOptions } from './client.ts'
export type {
  Filter,
  FilterCondition,
  FilterValue,
  NewDocument,
  NewDocuments,
  WaitOptions,
} from './documents.ts'
export type { FunctionCall, RunFunction, RunRequest } from './functions.ts'
export type { CollectionImport, NewImport } from './knowledge.ts'
export type * from './records.ts'
export type { LargeFile, SendOptions } from './resumable.ts'
export type { RunEvent } from './run-events.ts'
export type { Token, TokenProvider } from './transport/credentials.ts'
export {
  ApiError,
  AtriumError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  DocumentFailedError,
  type ErrorDetails,
  type FieldError,
  mayPass,
  NotFoundError,
  NotModifiedError,
  PermissionError,
  PreconditionError,
  RateLimitError,
  ServerError,
  TimeoutError,
  TooLargeError,
  UnprocessableError,
  UnsupportedTypeError,
  ValidationError,
} from './transport/errors.ts'
export type { List, Page } from './transport/list.ts'
export type { CallOptions } from './transport/transport.ts'
export type { UploadFile, UploadSource } from './transport/upload.ts'
export {
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
  WebhookVerificationError,
} from './verify-webhook.ts'
