/** Which chunks a search may find: of published versions, in its collections, in documents that match its filter. */
import type { Scope } from '../../../../platform/caller.ts'
import type { Engine, Query } from '../../../../platform/database/database.ts'
import { bothFilters, type Filter } from '../../../../platform/narrowing.ts'
import { placesPerCollection } from '../index/index-store.ts'
import { type Best, bestMatching, type Narrowing, readNarrowing } from './narrowing.ts'
import { type Hidden, readHidden } from './search-store.ts'
import { findSearchedIndex, type SearchedIndex } from './searched-index.ts'

export type ReachRequest = {
  /** By default all collections that the scope can reach. */
  collectionIds?: readonly string[]
  /** By default all documents. */
  filter?: Filter
}

export type Reach = {
  index: SearchedIndex
  /** Whether the chunk is in a searched collection, and of a published version, whatever the filter says. */
  isFound(number: number): boolean
  /** The chunks that the filter leaves; null if there is no filter. */
  narrowing: Narrowing | null
  /** The best `limit` chunks that may be found. `pick` returns the best wanted chunks. */
  best(limit: number, pick: Best): Promise<readonly number[]>
}

/** Null if nothing can be found. */
export async function readReach(
  engine: Engine,
  scope: Scope,
  query: Query,
  { collectionIds, filter }: ReachRequest,
): Promise<Reach | null> {
  const index = await findSearchedIndex(scope, query, collectionIds)
  if (index === null || index.totals.chunkCount === 0) return null
  const hidden = await readHidden(query, index.number)
  const isFound = createFilter(index.collections, hidden)
  const asked = bothFilters(scope.documentFilter, filter)
  const narrowing = asked === null ? null : await readNarrowing(scope, query, engine, index, asked)
  if (narrowing?.kind === 'few' && narrowing.chunkCount === 0) return null
  const best: Reach['best'] = async (limit, pick) =>
    narrowing === null
      ? pick(isFound, limit)
      : bestMatching(narrowing, limit, (isWanted, most) =>
          pick(number => isFound(number) && isWanted(number), most),
        )
  return { index, isFound, narrowing, best }
}

/** Returns a test for the chunks that may be found: in a searched collection, and not hidden. */
function createFilter(
  collections: SearchedIndex['collections'],
  hidden: Hidden,
): (number: number) => boolean {
  const searched = collections === null ? null : new Set(collections.map(({ number }) => number))
  const removed = new Set(hidden.collections)
  let collection = -1
  let isSearched = false
  return number => {
    const own = Math.floor(number / placesPerCollection)
    // Numbers come in runs of the same collection.
    if (own !== collection) {
      collection = own
      isSearched = !removed.has(own) && (searched === null || searched.has(own))
    }
    return isSearched && !isWithin(number, hidden.segments)
  }
}

function isWithin(number: number, segments: Hidden['segments']): boolean {
  let low = 0
  let high = segments.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((segments[middle]?.first ?? 0) <= number) low = middle + 1
    else high = middle
  }
  return number <= (segments[low - 1]?.last ?? -1)
}
