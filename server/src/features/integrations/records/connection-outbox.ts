/** Events of connections: one works, needs its person, failed or was ended. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Caller } from '../../../platform/caller.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { actorOf, type Outbox } from '../../events/outbox-service.ts'
import type { ConnectionRow } from './store.ts'

/** In the transaction of the change, by the name of its author. */
export async function recordConnectionEvent(
  tx: Tx,
  outbox: Outbox,
  caller: Caller,
  row: Pick<ConnectionRow, 'id' | 'integration_id' | 'sync_collection_id'>,
  change: { status: 'active' | 'needs_reauth' | 'failed' | 'deleted'; errorCode?: string; at: number },
): Promise<void> {
  const { workspaceId, environment } = caller.scope
  const { status, errorCode = null, at } = change
  await outbox.record(
    tx,
    withoutUndefined({
      workspaceId,
      environment,
      at,
      collectionId: row.sync_collection_id ?? undefined,
      type: `connection.${status}`,
      data: { id: row.id, integrationId: row.integration_id, status, errorCode, actor: actorOf(caller) },
    }),
  )
}
