/** Filters, as a request gives them and a scope carries them, and what narrows a run by them. */
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

/** Meets both; null and undefined leave everything. What both say stands in it once, so that it does not grow by repetition. */
export function bothFilters(one: Filter | null = null, other: Filter | null = null): Filter | null {
  if (one === null || other === null) return one ?? other
  const parts = partsOf(one)
  const added = partsOf(other).filter(part => !parts.some(known => isDeepStrictEqual(known, part)))
  return added.length === 0 ? one : { and: [...parts, ...added] }
}

/** Null leaves all collections, and all documents; an empty list leaves none. */
export type RunNarrowing = { collectionIds: readonly string[] | null; filter: Filter | null }

export const notNarrowed: RunNarrowing = { collectionIds: null, filter: null }

/** What both leave. */
export const bothNarrowings = (one: RunNarrowing, other: RunNarrowing): RunNarrowing => ({
  collectionIds: bothLists(one.collectionIds, other.collectionIds),
  filter: bothFilters(one.filter, other.filter),
})

/** Null for all. */
export function bothLists(one: readonly string[] | null, other: readonly string[] | null) {
  if (one === null || other === null) return one ?? other
  return one.filter(id => other.includes(id))
}

const partsOf = (filter: Filter): readonly Filter[] => ('and' in filter ? filter.and : [filter])
