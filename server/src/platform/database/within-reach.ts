/** The conditions by which rows do not exist that a scope does not reach: the key's narrowing, and what teams keep to themselves. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Scope } from '../caller.ts'
import type { Filter } from '../narrowing.ts'
import type { Engine } from './database.ts'
import { decodeJson, type Json } from './json.ts'

/** That a column names a collection of the scope; null if it reaches all of them, so that nothing is asked. */
export const reachesCollection = (
  { collectionIds, withheld }: Scope,
  column: string,
): RawBuilder<SqlBool> | null => conditionOn(column, collectionIds, withheld?.collectionIds)

/** The same of an agent. */
export const reachesAgent = ({ agentIds, withheld }: Scope, column: string): RawBuilder<SqlBool> | null =>
  conditionOn(column, agentIds, withheld?.agentIds)

/** That a column of JSON names some ids, and none but these: null in it stands for all, and no list for a scope that reaches all. */
export function namesOnly(
  engine: Engine,
  column: string,
  allowed: readonly string[] | undefined,
): RawBuilder<SqlBool> {
  if (allowed === undefined) return sql<SqlBool>`1 = 1`
  const each =
    engine === 'sqlite'
      ? sql`json_each(${sql.ref(column)}) AS named`
      : sql`json_array_elements_text(${sql.ref(column)}::json) AS named (value)`
  const other = allowed.length === 0 ? sql`1 = 1` : sql`named.value NOT IN (${sql.join(allowed)})`
  return sql<SqlBool>`(${sql.ref(column)} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${each} WHERE ${other}))`
}

/** The narrowing of a key or an endpoint as its row keeps it, where null stands for all; endpoints have no filter. */
export const narrowingOfRow = (row: {
  agent_ids: Json<string[]> | null
  collection_ids: Json<string[]> | null
  filter?: Json<Filter> | null
}): Pick<Scope, 'agentIds' | 'collectionIds' | 'documentFilter'> =>
  withoutUndefined({
    agentIds: row.agent_ids === null ? undefined : decodeJson(row.agent_ids),
    collectionIds: row.collection_ids === null ? undefined : decodeJson(row.collection_ids),
    documentFilter: row.filter == null ? undefined : decodeJson(row.filter),
  })

function conditionOn(
  column: string,
  allowed: readonly string[] | undefined,
  withheld: readonly string[] = [],
): RawBuilder<SqlBool> | null {
  const conditions: RawBuilder<SqlBool>[] = []
  // An empty list is not SQL for PostgreSQL.
  if (allowed !== undefined) {
    conditions.push(
      allowed.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`${sql.ref(column)} IN (${sql.join(allowed)})`,
    )
  }
  if (withheld.length > 0) conditions.push(sql<SqlBool>`${sql.ref(column)} NOT IN (${sql.join(withheld)})`)
  if (conditions.length === 0) return null
  return sql<SqlBool>`(${sql.join(conditions, sql` AND `)})`
}
