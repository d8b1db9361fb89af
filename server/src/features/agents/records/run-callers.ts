/** The stored author and the stored narrowing of a run, with which any worker can continue the run. */
import type { Caller, Scope } from '../../../platform/caller.ts'
import type { Query } from '../../../platform/database/database.ts'
import { decodeJson, encodeJson, type Json } from '../../../platform/database/json.ts'
import type { RunNarrowing } from '../../../platform/narrowing.ts'
import { restoreCaller, type StoredCaller } from '../../../platform/stored-caller.ts'
import type { Actor } from '../../events/data-schemas.ts'
import { findRunOfJob, type RunRow } from './run-store.ts'

export const callerOf = (run: Pick<RunRow, 'caller'>): Caller => restoreCaller(run.caller)

/** The actor that began the run, without the rest of the caller. */
export const authorOf = (run: Pick<RunRow, 'caller'>): Actor => decodeJson(run.caller as Json<StoredCaller>)

/** The id of the browser token whose page began the run; null if no page did. */
export const browserTokenOf = (run: Pick<RunRow, 'caller'>): string | null =>
  decodeJson(run.caller as Json<StoredCaller>).browserTokenId ?? null

/** What the author of a run may read now. Null if the run is deleted or its author may no longer do anything. */
export const createAuthorOfRun =
  (currentCaller: CurrentCaller) =>
  async (query: Query, runId: string): Promise<Scope | null> => {
    const run = await findRunOfJob(query, runId)
    return run === undefined ? null : ((await currentCaller(callerOf(run)))?.scope ?? null)
  }

/** The author with today's permissions; null once the key is revoked or has expired, or its creator has left. */
export type CurrentCaller = (caller: Caller) => Promise<Caller | null>

/** The same two columns of runs and conversations. Equal texts are the same narrowing. */
export type NarrowedRow = Pick<RunRow, 'collection_ids' | 'filter'>

export const runNarrowingOf = ({ collection_ids: ids, filter }: NarrowedRow): RunNarrowing => ({
  collectionIds: ids === null ? null : decodeJson(ids),
  filter: filter === null ? null : decodeJson(filter),
})

export const narrowingColumns = ({ collectionIds, filter }: RunNarrowing): NarrowedRow => ({
  collection_ids: collectionIds === null ? null : encodeJson([...collectionIds]),
  filter: filter === null ? null : encodeJson(filter),
})

/**
 * The narrowing as a reader sees it: without the ids of collections that the reader does not reach. A page sees
 * nothing of the narrowing.
 */
export function shownNarrowing(row: NarrowedRow, { collectionIds: own, withheld, endUser }: Scope) {
  if (endUser !== undefined) return { collectionIds: null, filter: null }
  const { collectionIds, filter } = runNarrowingOf(row)
  const shown = collectionIds?.filter(
    id => withheld?.collectionIds.includes(id) !== true && own?.includes(id) !== false,
  )
  return { collectionIds: shown ?? null, filter }
}
