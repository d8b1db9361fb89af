/** Sync sessions: a manifest tells what a source holds; the collection is brought in line, and never emptied by accident. */
import type { Caller } from '../../../platform/caller.ts'
import type { Page, PageRequest } from '../../../platform/database/page.ts'
import { notFound } from '../../../platform/errors.ts'
import type { Patience } from '../../../platform/patience.ts'
import { findCollection } from '../records/collections-store.ts'
import { createSyncEnding, type DeletePreview, type SyncDependencies } from './sync-ending.ts'
import { createSyncOpening, type SyncOpening } from './sync-opening.ts'
import { presentMissing, presentSync } from './sync-present.ts'
import { createSyncRemoval, type SyncRemoval } from './sync-removal.ts'
import type { MissingEntry, Sync } from './sync-schemas.ts'
import { findSync, listMissing, listSyncs, type SyncRow } from './sync-store.ts'

export type SyncService = SyncOpening &
  SyncRemoval & {
    list(caller: Caller, collectionId: string, page: PageRequest): Promise<Page<Sync>>
    get(caller: Caller, id: string): Promise<Sync>
    /** What was asked for and has not been uploaded. */
    missing(caller: Caller, id: string, page: PageRequest): Promise<Page<MissingEntry>>
    /** What `complete` would delete now. */
    previewDeletes(caller: Caller, id: string): Promise<DeletePreview>
    /**
     * Ends the session: documents that the manifest lacks go to the trash. Throws `delete_guard`, naming their number,
     * where they are too many and not confirmed. Waits for the deletion.
     */
    complete(caller: Caller, id: string, confirmed: number | null, patience: Patience): Promise<Sync>
    /** Ends the session without a deletion; what was uploaded stays. */
    cancel(caller: Caller, id: string): Promise<Sync>
    /**
     * For housekeeping, in every workspace: ends sessions to which nothing came for a day, and forgets those that
     * ended 30 days ago. Answers how many they were.
     */
    tidy(): Promise<number>
  }

export function createSyncService(dependencies: SyncDependencies): SyncService {
  const { database } = dependencies
  const ending = createSyncEnding(dependencies)
  const opening = createSyncOpening(dependencies, ending)

  const find = async ({ scope }: Caller, id: string): Promise<SyncRow> => {
    const sync = await findSync(scope, database.read, id)
    if (sync === undefined) throw notFound()
    return sync
  }
  const get = async (caller: Caller, id: string): Promise<Sync> =>
    presentSync(database.read, await find(caller, id))

  return {
    ...opening,
    ...createSyncRemoval(dependencies, ending),

    async list(caller, collectionId, page) {
      if ((await findCollection(caller.scope, database.read, collectionId)) === undefined) throw notFound()
      const { items, total } = await listSyncs(caller.scope, database.read, collectionId, page)
      return { items: await Promise.all(items.map(sync => presentSync(database.read, sync))), total }
    },

    get,

    async missing(caller, id, page) {
      const { items, total } = await listMissing(database.read, await find(caller, id), page)
      return { items: items.map(presentMissing), total }
    },

    previewDeletes: async (caller, id) => ending.previewDeletes(await find(caller, id)),

    async complete(caller, id, confirmed, patience) {
      await ending.complete(caller, id, confirmed, patience)
      return get(caller, id)
    },

    async cancel(caller, id) {
      await ending.cancel(caller, id)
      return get(caller, id)
    },

    tidy: ending.tidy,
  }
}
