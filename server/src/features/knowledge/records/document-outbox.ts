/** How a document ends: ready, failed for a reason of a closed list, or deleted. Each end is an event. */
import type { Clock } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { Actor, DocumentWarning } from '../../events/data-schemas.ts'
import type { Outbox } from '../../events/outbox-service.ts'
import { parseFailures } from '../parsing/failure.ts'
import type { WholeScope } from './document-jobs.ts'
import { updateDocument } from './documents-store.ts'

export const documentFailures = {
  ...parseFailures,
  indexing_timeout: 'Writing the document into the search index took too long.',
  processing_failed: 'Processing failed again and again for a reason on our side.',
  crashed_server: 'Processing has ended its server twice, so it is not tried again.',
} as const

export type DocumentFailureCode = keyof typeof documentFailures

/** Failures by the load, the disk or an operator's program, not by the content: a retry may succeed. */
const retryable: ReadonlySet<string> = new Set<DocumentFailureCode>([
  'parsing_timeout',
  'parser_crashed',
  'conversion_failed',
  'file_missing',
  'indexing_timeout',
  'processing_failed',
])

/** Whether a retry of the same file may succeed. False for a code that is no longer on the list. */
export const isRetryable = (code: string): boolean => retryable.has(code)

/** A stage after parsing throws this to fail the document at once. The message is shown to people. */
export class DocumentFailure extends Error {
  override readonly name = 'DocumentFailure'
  readonly code: DocumentFailureCode

  constructor(code: DocumentFailureCode, message: string = documentFailures[code], cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

type DocumentEnd = { id: string; collectionId: string; version: number; at: number } & (
  | { status: 'ready'; warnings: DocumentWarning[] }
  | { status: 'failed'; errorCode: string }
  | { status: 'deleted'; erased: boolean; actor: Actor }
)

/** Call this in the transaction of the change. */
export async function recordDocumentEvent(
  tx: Tx,
  outbox: Outbox,
  { workspaceId, environment }: WholeScope,
  document: DocumentEnd,
): Promise<void> {
  const { id, collectionId, version, status, at } = document
  await outbox.record(tx, {
    workspaceId,
    environment,
    collectionId,
    at,
    type: `document.${status}`,
    data: {
      id,
      collectionId,
      version,
      status,
      errorCode: status === 'failed' ? document.errorCode : null,
      warnings: status === 'ready' ? document.warnings : [],
      erased: status === 'deleted' && document.erased,
      actor: status === 'deleted' ? document.actor : null,
    },
  })
}

/** Marks the document as `failed` and writes the event, in the transaction that ends its work. */
export async function failDocument(
  tx: Tx,
  { outbox, clock }: { outbox: Outbox; clock: Clock },
  scope: WholeScope,
  document: { id: string; collectionId: string; version: number },
  { code, message }: { code: string; message: string },
): Promise<void> {
  const at = clock()
  await updateDocument(scope, tx, document.id, {
    status: 'failed',
    error_code: code,
    error_message: message,
    updated_at: at,
  })
  await recordDocumentEvent(tx, outbox, scope, { ...document, status: 'failed', errorCode: code, at })
}
