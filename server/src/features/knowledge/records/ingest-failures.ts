/** Why a document `failed`: a closed list of codes, each with a public message, and whether a retry may succeed. */
import { parseFailures } from '../parsing/failure.ts'

export const documentFailures = {
  ...parseFailures,
  indexing_timeout: 'Writing the document into the search index took too long.',
  processing_failed: 'Processing failed again and again for a reason on our side.',
} as const

export type DocumentFailureCode = keyof typeof documentFailures

/** What may end otherwise with the same file: the fault lay in the load, the disk or a program of the operator's, not in what is in the file. */
const retryable: ReadonlySet<string> = new Set<DocumentFailureCode>([
  'parsing_timeout',
  'parser_crashed',
  'conversion_failed',
  'file_missing',
  'indexing_timeout',
  'processing_failed',
])

/** Whether the same file may be read at another time. A code that is no longer on the list is not. */
export const isRetryable = (code: string): boolean => retryable.has(code)

/** Thrown by a stage after reading for what ends the document at once. Its message is shown to people. */
export class DocumentFailure extends Error {
  override readonly name = 'DocumentFailure'
  readonly code: DocumentFailureCode

  constructor(code: DocumentFailureCode, message: string = documentFailures[code], cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}
