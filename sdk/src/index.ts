/** The door of the package: everything that its users import. */
export type { CollectionImport, NewImport } from './archives.ts'
export { Atrium, type AtriumOptions } from './client.ts'
export type { Token, TokenProvider } from './credentials.ts'
export type { NewDocument, WaitOptions } from './documents.ts'
export {
  ApiError,
  AtriumError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  DocumentFailedError,
  type FieldError,
  NotFoundError,
  PermissionError,
  PreconditionError,
  RateLimitError,
  ServerError,
  TimeoutError,
  TooLargeError,
  UnprocessableError,
  UnsupportedTypeError,
  ValidationError,
} from './errors.ts'
export type { Filter, FilterCondition, FilterValue } from './filter.ts'
export type { NewDocuments } from './intake.ts'
export type { List, Page } from './list.ts'
export type * from './records.ts'
export type { LargeFile, SendOptions } from './resumable.ts'
export type { RunEvent } from './run-events.ts'
export type { CallOptions } from './transport.ts'
export type { UploadFile, UploadSource } from './upload.ts'
export {
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
  WebhookVerificationError,
} from './verify-webhook.ts'
