/** A sync session without a manifest: of a source that names what is gone itself. The guard is the same. */
import type { Caller } from '../../../platform/caller.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { notFound } from '../../../platform/errors.ts'
import { lockCollection } from '../records/collections-store.ts'
import { countNamed, keepNamed } from './sync-deletions-store.ts'
import { recordSync, type SyncDependencies, type SyncEnding } from './sync-ending.ts'
import { guardDeletes } from './sync-guard.ts'
import { syncJob } from './sync-job.ts'
import { makeRoom, newSync } from './sync-opening.ts'
import { defaultDeleteShare, removedAtOnce } from './sync-schemas.ts'
import { deleteSyncRow, insertSync } from './sync-store.ts'

export type SyncRemoval = {
  /**
   * Throws `delete_guard`, naming the number, where the collection holds so many of the documents that they may not go
   * unasked. `kept` is how many other documents the source has there; `confirmed` is the exact number, where it is known.
   */
  guardRemoval(
    caller: Caller,
    collectionId: string,
    gone: { documentIds: AsyncIterable<string>; kept: number; confirmed: number | null },
  ): Promise<void>
  /**
   * Moves at most `removedAtOnce` documents to the trash, by a session that is `completing` at once; documents of others
   * are not touched, be it under the same external ids. Throws 404, and a `conflict` that names the session that is under
   * way. `also` belongs to the same transaction; it is given the session's id, or null where none of the documents is there.
   */
  remove(
    caller: Caller,
    collectionId: string,
    documents: { ids: readonly string[]; kept: number },
    also: (tx: Tx, syncId: string | null) => Promise<void>,
  ): Promise<void>
}

export function createSyncRemoval(
  dependencies: SyncDependencies,
  { expire }: Pick<SyncEnding, 'expire'>,
): SyncRemoval {
  const { database, jobs, audit, clock } = dependencies
  return {
    async guardRemoval({ scope }, collectionId, { documentIds, kept, confirmed }) {
      let count = 0
      let slice: string[] = []
      const countSlice = async () => {
        if (slice.length === 0) return
        count += await countNamed(scope, database.read, collectionId, slice)
        slice = []
      }
      for await (const id of documentIds) if (slice.push(id) === removedAtOnce) await countSlice()
      await countSlice()
      const refusal = guardDeletes({ count, of: kept + count, maxShare: defaultDeleteShare }, confirmed)
      if (refusal !== null) throw refusal
    },

    remove: (caller, collectionId, { ids, kept }, also) =>
      database.write(async tx => {
        const { scope } = caller
        const collection = await lockCollection(scope, tx, database.engine, collectionId)
        if (collection === undefined) throw notFound()
        await makeRoom({ clock, expire }, tx, caller, collectionId)
        const sync = newSync(dependencies, caller, collectionId, {})
        await insertSync(scope, tx, { ...sync, status: 'completing', entries: kept, unchanged: kept })
        const count = await keepNamed(scope, tx, sync, ids)
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
