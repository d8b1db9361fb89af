/**
 * The cost of testing documents against a filter; SQLite does this in the calling thread. Finds out by indexed
 * conditions whether only few documents can match. Otherwise limits how many are tested at once and in total.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../../platform/caller.ts'
import type { Query } from '../../../platform/database/database.ts'
import { engineOf, isOneOf } from '../../../platform/database/statement.ts'
import { invalidField } from '../../../platform/errors.ts'
import type { Condition, Filter } from '../../../platform/narrowing.ts'
import { builtInField } from './filter.ts'
import { documentMatches, fieldsThatMeet } from './matches.ts'

/** A filter that more documents may match is broad: listing them would take longer than checking the best chunks. */
const maxFew = 1_000
/** Up to this many values of a field are tested one by one. This takes about 40 ms at worst. */
const maxAskedValues = 2_000
/** With this many documents or fewer, no other condition is tried. */
const veryFew = 100

/**
 * The condition on a row of `documents`. If only few documents can meet it, `few` has their ids, and `condition`
 * makes either engine begin with these ids. `matches` is the condition without the ids.
 */
export async function readCondition(
  scope: Scope,
  query: Query,
  filter: Filter,
): Promise<{ few: string[] | null; matches: RawBuilder<boolean>; condition: RawBuilder<boolean> }> {
  const engine = engineOf(query)
  const matches = documentMatches(engine, filter)
  const ids = (await readFewIds(scope, query, filter)) ?? (await readIdsWhere(scope, query, sql`true`))
  if (ids === null) return { few: null, matches, condition: matches }
  // A document may meet several alternatives, or one condition by several items of a list.
  const few = [...new Set(ids)]
  return { few, matches, condition: sql`documents.id ${isOneOf(engine, few, sql`text`)} AND ${matches}` }
}

/** The ids of documents that include all matching ones, and others too; null if there may be many. */
async function readFewIds(scope: Scope, query: Query, filter: Filter): Promise<string[] | null> {
  if ('not' in filter) return null
  if ('or' in filter) {
    const found: string[] = []
    for (const inner of filter.or) {
      const ids = await readFewIds(scope, query, inner)
      if (ids === null || found.length + ids.length > maxFew) return null
      found.push(...ids)
    }
    return found
  }
  if ('and' in filter) {
    let fewest: string[] | null = null
    for (const inner of filter.and) {
      const ids = await readFewIds(scope, query, inner)
      if (ids !== null && (fewest === null || ids.length < fewest.length)) fewest = ids
      if (fewest !== null && fewest.length <= veryFew) return fewest
    }
    return fewest
  }
  return readMeeting(scope, query, filter)
}

async function readMeeting(scope: Scope, query: Query, condition: Condition) {
  const engine = engineOf(query)
  const isNegative = condition.op === 'ne' || (condition.op === 'exists' && !condition.value)
  if (isNegative) return null
  const builtIn = builtInField(condition.field)
  if (builtIn !== null) {
    const isAsked = condition.op === 'eq' || condition.op === 'in'
    if (!isAsked || !indexedColumns.includes(builtIn.column)) return null
    return readIdsWhere(scope, query, documentMatches(engine, condition))
  }
  if (!isIndexed(condition) && (await hasManyValues(scope, query, condition.field))) return null
  const { rows } = await sql<{ id: string }>`SELECT document_fields.document_id AS id FROM document_fields
    WHERE ${fieldsThatMeet(scope, engine, condition)} LIMIT ${maxFew + 1}`.execute(query)
  return rows.length > maxFew ? null : rows.map(row => row.id)
}

const indexedColumns = ['id', 'name', 'external_id']

/** The ids of the documents that meet the condition; null if there are more than `maxFew`. */
async function readIdsWhere(scope: Scope, query: Query, condition: RawBuilder<boolean>) {
  const { rows } = await sql<{ id: string }>`SELECT documents.id AS id FROM documents
    WHERE documents.workspace_id = ${scope.workspaceId} AND documents.environment = ${scope.environment}
      AND ${condition} LIMIT ${maxFew + 1}`.execute(query)
  return rows.length > maxFew ? null : rows.map(({ id }) => id)
}

/** Whether an index answers the condition. Other conditions are tested on each value of the field. */
const isIndexed = ({ op, value }: Condition): boolean =>
  op !== 'contains' && (typeof value !== 'string' || op === 'eq' || op === 'ne')

async function hasManyValues(scope: Scope, query: Query, field: string): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM document_fields
    WHERE workspace_id = ${scope.workspaceId} AND environment = ${scope.environment} AND name = ${field}
    LIMIT 1 OFFSET ${maxAskedValues}`.execute(query)
  return rows.length > 0
}

/** A `contains` part that begins like many places of a text takes about 20 µs, all items of a list half as long. */
const costOfContains = 10
const costOfOthers = 5
/** About 10 ms in the worst case. */
const mostAtOnce = 5_000
/** About 10 s in the worst case, with turns for other requests. */
const mostOfRequest = 5_000_000

/** The cost of testing one document. */
function costOf(filter: Filter): number {
  if ('and' in filter) return sumOf(filter.and)
  if ('or' in filter) return sumOf(filter.or)
  if ('not' in filter) return costOf(filter.not)
  return filter.op === 'contains' ? costOfContains : costOfOthers
}

const sumOf = (filters: readonly Filter[]): number => filters.reduce((sum, filter) => sum + costOf(filter), 0)

/** How many documents one statement tests. */
export const documentsAtOnce = (filter: Filter): number => Math.ceil(mostAtOnce / costOf(filter))

/** Throws a 400 if this many documents are too many for the filter. */
export function checkCost(filter: Filter, documentCount: number): void {
  const most = Math.floor(mostOfRequest / costOf(filter))
  if (documentCount <= most) return
  throw invalidField(
    'filter',
    `would be asked of more than ${most} documents: give it fewer conditions, or name a collection`,
  )
}
