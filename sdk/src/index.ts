/** The door of the package: everything that its users import. */
export { Atrium, type AtriumOptions } from './client.ts'
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
export type { List, Page } from './list.ts'
export type * from './records.ts'
export type { CallOptions } from './transport.ts'
export type { UploadFile, UploadSource } from './upload.ts'
