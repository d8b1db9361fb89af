/**
 * Clears up a connection's syncs once it is disconnected. Its documents stay or go to the trash; the rest is
 * forgotten.
 */
import { type Caller, type Scope, systemCaller } from '../../../platform/caller.ts'
import { minuteMs, secondMs } from '../../../platform/clock.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { Queue } from '../../../platform/jobs/job.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { TrashService } from '../../knowledge/documents/trash-service.ts'
import type { ConnectionRow } from '../records/store.ts'
import type { Afterwards } from '../records/sync-schemas.ts'
import { countKept, deleteItems, documentsOf } from './items-store.ts'
import { requireWriter } from './sync-start.ts'
import { findSyncUnderWay } from './syncs-store.ts'

export const forgetQueue = 'integration.forget'

const mostShown = 100

type Payload = {
  scope: Scope
  connectionId: string
  /**
   * The collection that the connection was kept in. Documents that it brought into another collection before stay.
   */
  collectionId: string | null
  userId: string | null
  documents: Afterwards
}

/** How many documents would go to the trash, and the first hundred of their ids. */
export async function previewLeaving(
  query: Query,
  caller: Caller,
  row: ConnectionRow,
): Promise<{ count: number; ids: string[] }> {
  requireWriter(caller)
  if (row.sync_collection_id === null) return { count: 0, ids: [] }
  const collectionId = row.sync_collection_id
  const ids: string[] = []
  for await (const id of documentsOf(caller.scope, query, row.id, { keptIn: collectionId })) {
    if (ids.push(id) === mostShown) break
  }
  return { count: await countKept(caller.scope, query, row.id, collectionId), ids }
}

/** Runs in the transaction that deletes the connection. A sync in progress stops, and a job clears up. */
export async function leaveSyncs(
  jobs: Jobs,
  tx: Tx,
  caller: Caller,
  row: ConnectionRow,
  documents: Afterwards,
): Promise<void> {
  if (documents === 'trash') requireWriter(caller)
  const { id: connectionId, sync_collection_id: collectionId } = row
  const { workspaceId, environment } = caller.scope
  const { userId } = caller
  const scope = { workspaceId, environment }
  const sync = await findSyncUnderWay(scope, tx, connectionId)
  if (sync?.job_id != null) await jobs.cancel(tx, sync.job_id)
  const payload: Payload = { scope, connectionId, collectionId, userId, documents }
  await jobs.enqueue(tx, { queue: forgetQueue, workspaceId, payload })
}

/** Every step can be done again, so an attempt that was cut short is repeated. */
export function createForgetQueue(
  dependencies: Pick<Platform, 'database' | 'newId'> & {
    trash: Pick<TrashService, 'remove'>
  },
): Queue<Payload> {
  const { database, newId, trash } = dependencies

  const moveToTrash = async (caller: Caller, documentId: string): Promise<void> => {
    try {
      await trash.remove(caller, documentId, { ifMatch: null, dryRun: false, erase: false })
    } catch (error) {
      // Another request has deleted the document.
      if (!(error instanceof ServiceError && error.code === 'not_found')) throw error
    }
  }

  return {
    concurrency: 2,
    leaseMs: 30 * secondMs,
    maxAttempts: 20,
    timeoutMs: 60 * minuteMs,
    async handle({ payload: { scope, connectionId, collectionId, userId, documents }, signal }) {
      const caller = systemCaller(scope, newId('request'), userId)
      if (documents === 'trash' && collectionId !== null) {
        const kept = documentsOf(scope, database.read, connectionId, { keptIn: collectionId })
        for await (const documentId of kept) {
          signal.throwIfAborted()
          await moveToTrash(caller, documentId)
        }
      }
      while ((await database.write(tx => deleteItems(scope, tx, connectionId, 'all'))) > 0) {
        signal.throwIfAborted()
      }
    },
  }
}
