/**
 * Events of connections: a connection works, needs its person, failed or ended, or its server has changed its tools.
 */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Caller } from '../../../platform/caller.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { actorOf, type Outbox } from '../../events/outbox-service.ts'
import type { ConnectionRow } from './store.ts'

/** Records the event in the transaction of the change, in the name of the change's author. */
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

/** The names of tools that agents have lost. */
export type LostTools = { changed: string[]; missing: string[] }

export async function recordLostTools(
  tx: Tx,
  outbox: Outbox,
  caller: Caller,
  row: Pick<ConnectionRow, 'id' | 'integration_id' | 'sync_collection_id'>,
  { at, ...lost }: LostTools & { at: number },
): Promise<void> {
  const { workspaceId, environment } = caller.scope
  await outbox.record(
    tx,
    withoutUndefined({
      workspaceId,
      environment,
      at,
      collectionId: row.sync_collection_id ?? undefined,
      type: 'connection.tools_changed',
      data: { id: row.id, integrationId: row.integration_id, ...lost, actor: actorOf(caller) },
    }),
  )
}
