/** How runs and conversations keep what narrows them, and how it is shown. */
import type { Scope } from '../../../platform/caller.ts'
import { decodeJson, encodeJson } from '../../../platform/database/json.ts'
import type { RunNarrowing } from '../../../platform/narrowing.ts'
import type { RunRow } from './run-store.ts'

/** Runs and conversations have the same two columns; equal texts are the same narrowing. */
export type NarrowedRow = Pick<RunRow, 'collection_ids' | 'filter'>

export const runNarrowingOf = ({ collection_ids: ids, filter }: NarrowedRow): RunNarrowing => ({
  collectionIds: ids === null ? null : decodeJson(ids),
  filter: filter === null ? null : decodeJson(filter),
})

export const narrowingColumns = ({ collectionIds, filter }: RunNarrowing): NarrowedRow => ({
  collection_ids: collectionIds === null ? null : encodeJson([...collectionIds]),
  filter: filter === null ? null : encodeJson(filter),
})

/** Without the collections that are withheld from the reader, whose very ids do not exist there. A page is shown none of it. */
export function shownNarrowing(row: NarrowedRow, { withheld, endUser }: Scope) {
  if (endUser !== undefined) return { collectionIds: null, filter: null }
  const { collectionIds, filter } = runNarrowingOf(row)
  const shown = collectionIds?.filter(id => withheld?.collectionIds.includes(id) !== true)
  return { collectionIds: shown ?? null, filter }
}
