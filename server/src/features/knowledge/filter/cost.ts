/** What it costs to ask documents whether they match a filter: SQLite answers in the server's own thread. */
import { invalidField } from '../../../platform/errors.ts'
import type { Filter } from './filter.ts'

/** A part that begins like many places of a text takes some 20 µs; the items of a list together take half as long. */
const costOfContains = 10
const costOfOthers = 5
/** Some 10 ms of the worst. */
const mostAtOnce = 5_000
/** Some 10 s of the worst, in which others have their turn. */
const mostOfRequest = 5_000_000

/** Of one document. */
function costOf(filter: Filter): number {
  if ('and' in filter) return sumOf(filter.and)
  if ('or' in filter) return sumOf(filter.or)
  if ('not' in filter) return costOf(filter.not)
  return filter.op === 'contains' ? costOfContains : costOfOthers
}

const sumOf = (filters: readonly Filter[]): number => filters.reduce((sum, filter) => sum + costOf(filter), 0)

/** How many documents one statement asks. */
export const documentsAtOnce = (filter: Filter): number => Math.ceil(mostAtOnce / costOf(filter))

/** Throws a 400 where so many documents are too many for the filter. */
export function checkCost(filter: Filter, documentCount: number): void {
  const most = Math.floor(mostOfRequest / costOf(filter))
  if (documentCount <= most) return
  throw invalidField(
    'filter',
    `would be asked of more than ${most} documents: give it fewer conditions, or name a collection`,
  )
}
