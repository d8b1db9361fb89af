/** A sync session without a manifest: of a source that names what is gone itself. The guard is the same. */
import type { Caller } from '../../../platform/caller.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { notFound } from '../../../platform/errors.ts'
import { lockCollection } from '../records/collections-store.ts'
import { recordSync, type SyncDependencies, type SyncEnding } from './sync-ending.ts'
import { guardDeletes } from './sync-guard.ts'
import { syncJob } from './sync-job.ts'
import { makeRoom, newSync } from './sync-opening.ts'
import { deleteSyncRow, entriesAtOnce, insertSync, keepNamed } from './sync-store.ts'

export type Gone = {
  documentIds: readonly string[]
  /** How many other documents the source has in the collection. */
  kept: number
  /** As in a completion: the exact number, where the caller knows it. */
  confirmed: number | null
}

export type SyncRemoval = {
  /**
   * Moves the documents to the trash, by a session that is `completing` at once; documents of others are not touched, be it under the same external ids.
   * Throws 404, `delete_guard` naming the number, and a `conflict` that names the session that is under way. `also`
   * belongs to the same transaction; it is given the session's id, or null where none of the documents is there.
   */
  remove(
    caller: Caller,
    collectionId: string,
    gone: Gone,
    also: (tx: Tx, syncId: string | null) => Promise<void>,
  ): Promise<void>
}

export function createSyncRemoval(
  dependencies: SyncDependencies,
  { expire }: Pick<SyncEnding, 'expire'>,
): SyncRemoval {
  const { database, jobs, audit, clock } = dependencies
  return {
    remove: (caller, collectionId, { documentIds, kept, confirmed }, also) =>
      database.write(async tx => {
        const { scope } = caller
        const collection = await lockCollection(scope, tx, database.engine, collectionId)
        if (collection === undefined) throw notFound()
        await makeRoom({ clock, expire }, tx, caller, collectionId)
        const sync = newSync(dependencies, caller, collectionId, {})
        await insertSync(scope, tx, { ...sync, status: 'completing', entries: kept, unchanged: kept })
        let count = 0
        for (let start = 0; start < documentIds.length; start += entriesAtOnce) {
          count += await keepNamed(tx, sync, documentIds.slice(start, start + entriesAtOnce))
        }
        const refusal = guardDeletes({ count, of: kept + count, maxShare: sync.max_delete_share }, confirmed)
        if (refusal !== null) throw refusal
        if (count === 0) {
          await deleteSyncRow(tx, sync.id)
          await also(tx, null)
          return
        }
        await jobs.enqueue(tx, syncJob(caller, sync.id))
        await recordSync(audit, tx, caller, 'sync.remove', sync, { deleting: count })
        await also(tx, sync.id)
      }),
  }
}
