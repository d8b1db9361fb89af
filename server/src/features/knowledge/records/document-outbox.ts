/** Events of documents: one row for each that becomes ready, fails or is deleted. */
import type { Clock } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { Actor } from '../../events/data-schemas.ts'
import type { Outbox } from '../../events/outbox-service.ts'
import type { WholeScope } from './document-jobs.ts'
import { updateDocument } from './documents-store.ts'

type DocumentEnd = { id: string; collectionId: string; version: number; at: number } & (
  | { status: 'ready' }
  | { status: 'failed'; errorCode: string }
  | { status: 'deleted'; erased: boolean; actor: Actor }
)

/** In the transaction of the change. */
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
