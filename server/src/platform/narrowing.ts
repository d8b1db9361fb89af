/** Filters, as requests and scopes hold them, and the narrowing of runs. */
import { isDeepStrictEqual } from 'node:util'

export type Scalar = string | number | boolean

export type Condition = { field: string } & (
  | { op: 'eq' | 'ne'; value: Scalar }
  | { op: 'in'; value: Scalar[] }
  | { op: 'gt' | 'gte' | 'lt' | 'lte'; value: string | number }
  | { op: 'exists'; value: boolean }
  | { op: 'contains'; value: string }
)

export type Filter = Condition | { and: Filter[] } | { or: Filter[] } | { not: Filter }

/**
 * The filter that meets both; null and undefined leave everything. Common parts stand in it once, so that it does not
 * grow by repetition.
 */
export function bothFilters(one: Filter | null = null, other: Filter | null = null): Filter | null {
  if (one === null || other === null) return one ?? other
  const parts = partsOf(one)
  const added = partsOf(other).filter(part => !parts.some(known => isDeepStrictEqual(known, part)))
  return added.length === 0 ? one : { and: [...parts, ...added] }
}

/** Null means all collections, or all documents; an empty list means none. */
export type RunNarrowing = { collectionIds: readonly string[] | null; filter: Filter | null }

export const notNarrowed: RunNarrowing = { collectionIds: null, filter: null }

/** The narrowing that keeps to both. */
export const bothNarrowings = (one: RunNarrowing, other: RunNarrowing): RunNarrowing => ({
  collectionIds: bothLists(one.collectionIds, other.collectionIds),
  filter: bothFilters(one.filter, other.filter),
})

/** The ids that are in both lists; null means all. */
export function bothLists(one: readonly string[] | null, other: readonly string[] | null) {
  if (one === null || other === null) return one ?? other
  return one.filter(id => other.includes(id))
}

const partsOf = (filter: Filter): readonly Filter[] => ('and' in filter ? filter.and : [filter])
