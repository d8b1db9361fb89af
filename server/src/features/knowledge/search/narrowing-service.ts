/** Checks the narrowing that a run asks for against what its author can see, and joins it with the present one. */
import type { Caller, Scope } from '../../../platform/caller.ts'
import type { Database } from '../../../platform/database/database.ts'
import { type FieldError, ServiceError } from '../../../platform/errors.ts'
import { filterLimits } from '../../../platform/filter/filter.ts'
import { bothNarrowings, type Filter, type RunNarrowing } from '../../../platform/narrowing.ts'
import { checkFilter } from '../filter/filter.ts'
import { existingCollectionIds } from '../records/collections-store.ts'

export type WantedNarrowing = { collectionIds?: readonly string[]; filter?: Record<string, unknown> }

/**
 * Returns a narrowing that allows no more than `holding` does. Throws one 400 that names each collection that does
 * not exist for the caller, and each fault of the filter.
 */
export type ReadNarrowing = (
  caller: Caller,
  wanted: WantedNarrowing,
  holding: RunNarrowing,
) => Promise<RunNarrowing>

export const createReadNarrowing =
  ({ database }: { database: Database }): ReadNarrowing =>
  async ({ scope }, { collectionIds, filter }, holding) => {
    const read = readFilter(filter)
    const errors = [
      ...(await collectionErrors(database, scope, collectionIds ?? [])),
      ...('errors' in read ? read.errors : []),
    ]
    if ('errors' in read || errors.length > 0) {
      throw new ServiceError('validation_failed', undefined, { errors })
    }
    // Sorted, so that the same collections in another order are the same narrowing.
    const wanted = { collectionIds: collectionIds?.toSorted() ?? null, filter: read.filter }
    const narrowing = bothNarrowings(holding, wanted)
    if (isTooLong(narrowing.filter)) {
      const message = `must have at most ${filterLimits.textLength} characters together with the conversation's filter`
      throw new ServiceError('validation_failed', undefined, { errors: [{ field: 'filter', message }] })
    }
    return narrowing
  }

/** The filter, or null if none is wanted; or its faults, each at its place within `filter`. */
export function readFilter(
  wanted: Record<string, unknown> | undefined,
): { filter: Filter | null } | { errors: FieldError[] } {
  if (wanted === undefined) return { filter: null }
  // The length is checked first: each unknown name in the filter costs a search for the nearest known name.
  if (!isTooLong(wanted)) return checkFilter(wanted, 'filter')
  const message = `must have at most ${filterLimits.textLength} characters as JSON`
  return { errors: [{ field: 'filter', message }] }
}

const isTooLong = (filter: object | null): boolean =>
  filter !== null && JSON.stringify(filter).length > filterLimits.textLength

async function collectionErrors(
  { read }: Database,
  scope: Scope,
  ids: readonly string[],
): Promise<FieldError[]> {
  const existing = await existingCollectionIds(scope, read, ids)
  return ids.flatMap((id, index) =>
    existing.has(id)
      ? []
      : [{ field: `collectionIds.${index}`, message: 'There is no collection with this id' }],
  )
}
