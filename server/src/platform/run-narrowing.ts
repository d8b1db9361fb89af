/** What narrows a run besides its author's reach: collections and a filter, of which it never gets out again. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Scope } from './caller.ts'
import { bothFilters, type Filter } from './filter.ts'

/** Null leaves all collections, and all documents; an empty list leaves none. */
export type RunNarrowing = { collectionIds: readonly string[] | null; filter: Filter | null }

export const notNarrowed: RunNarrowing = { collectionIds: null, filter: null }

/** What both leave. */
export const bothNarrowings = (one: RunNarrowing, other: RunNarrowing): RunNarrowing => ({
  collectionIds: bothLists(one.collectionIds, other.collectionIds),
  filter: bothFilters(one.filter, other.filter),
})

/** The part of a scope in which the tools of a narrowed run work: what lies outside does not exist for them. */
export const scopeWithin = (scope: Scope, { collectionIds, filter }: RunNarrowing): Scope =>
  withoutUndefined({
    ...scope,
    collectionIds: bothLists(scope.collectionIds ?? null, collectionIds) ?? undefined,
    documentFilter: bothFilters(scope.documentFilter, filter) ?? undefined,
  })

function bothLists(one: readonly string[] | null, other: readonly string[] | null): readonly string[] | null {
  if (one === null || other === null) return one ?? other
  return one.filter(id => other.includes(id))
}
