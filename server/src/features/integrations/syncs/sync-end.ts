/** The end of a sync: its record, what the connection keeps of it, and the news, in one transaction. */
import { type Scope, systemCaller } from '../../../platform/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { encodeJson } from '../../../platform/database/json.ts'
import type { NewId } from '../../../platform/ids.ts'
import type { AuditService } from '../../audit/service.ts'
import { actorOf, type Outbox } from '../../events/outbox-service.ts'
import { findConnection } from '../records/store.ts'
import {
  ClaimLost,
  type ConnectionSyncRow,
  type SyncSettings,
  updateSync,
  updateSyncError,
  updateSyncSettings,
} from './syncs-store.ts'

export type SyncEnd =
  | { status: 'succeeded' }
  | { status: 'failed'; error: { code: string; message: string } }
  | { status: 'cancelled' }

/**
 * Where the next sync goes on. A reconnection to another account has set it to null since this one began: then everything
 * is listed once more.
 */
async function continuation(
  scope: Scope,
  tx: Tx,
  { connection_id: connectionId, since, next_since }: ConnectionSyncRow,
): Promise<Pick<SyncSettings, 'sync_since'>> {
  const connection = await findConnection(scope, tx, connectionId)
  return since !== null && connection?.sync_since === null ? {} : { sync_since: next_since }
}

/** Throws `ClaimLost` if the sync has ended already, or its claim is another attempt's by now. */
export async function endSync(
  { clock, newId, audit, outbox }: { clock: Clock; newId: NewId; audit: AuditService; outbox: Outbox },
  tx: Tx,
  scope: Scope,
  sync: ConnectionSyncRow,
  end: SyncEnd,
): Promise<ConnectionSyncRow> {
  const now = clock()
  const error = end.status === 'failed' ? end.error : null
  const held = sync.claim === null ? ({ isUnderWay: true } as const) : { claim: sync.claim }
  const ended = await updateSync(scope, tx, sync.id, held, {
    status: end.status,
    claim: null,
    waiting_until: null,
    page: null,
    landmark: null,
    error_code: error?.code ?? null,
    error_message: error?.message ?? null,
    updated_at: now,
    finished_at: now,
  })
  if (ended === undefined) throw new ClaimLost(sync.id)
  if (end.status === 'succeeded') {
    await updateSyncSettings(scope, tx, sync.connection_id, {
      last_sync_at: now,
      ...(await continuation(scope, tx, ended)),
      last_full_at: ended.is_full === 1 ? now : undefined,
    })
  }
  if (end.status !== 'cancelled') {
    const last_error = error === null ? null : encodeJson({ ...error, at: now })
    await updateSyncError(scope, tx, sync.connection_id, last_error)
  }
  const { added, changed, unchanged, deleted, failed } = ended
  const counts = { added, changed, unchanged, deleted, failed }
  const author = systemCaller(scope, newId('request'), sync.acting_user_id)
  const connection = await findConnection(scope, tx, sync.connection_id)
  if (end.status === 'cancelled' || connection === undefined) return ended
  await audit.record(tx, author, {
    action: 'integration.sync_end',
    resourceId: sync.connection_id,
    details: { syncId: sync.id, status: end.status, code: error?.code ?? null, ...counts },
  })
  await outbox.record(tx, {
    workspaceId: scope.workspaceId,
    environment: scope.environment,
    at: now,
    collectionId: sync.collection_id,
    type: `connection.sync_${end.status}`,
    data: {
      id: sync.connection_id,
      integrationId: connection.integration_id,
      syncId: sync.id,
      collectionId: sync.collection_id,
      status: end.status,
      ...counts,
      errorCode: error?.code ?? null,
      actor: actorOf(author),
    },
  })
  return ended
}
