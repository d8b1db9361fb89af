/** Conditions on documents, as a request gives them and a scope carries them. How they are read and asked: features/knowledge/filter. */
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

const partsOf = (filter: Filter): readonly Filter[] => ('and' in filter ? filter.and : [filter])
