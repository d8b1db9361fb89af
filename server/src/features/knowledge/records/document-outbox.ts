/** What the outbox is told of documents: one row for each that becomes ready, fails or is deleted. */
import type { Scope } from '../../../platform/caller.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { Actor } from '../../events/data-schemas.ts'
import type { Outbox } from '../../events/outbox-service.ts'

export type DocumentEnd = { id: string; collectionId: string; version: number; at: number } & (
  | { status: 'ready' }
  | { status: 'failed'; errorCode: string }
  | { status: 'deleted'; erased: boolean; actor: Actor }
)

/** In the transaction of the change. */
export async function recordDocumentEvent(
  tx: Tx,
  outbox: Outbox,
  { workspaceId, environment }: Pick<Scope, 'workspaceId' | 'environment'>,
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
