/** The conditions by which rows do not exist that a scope does not reach: the key's narrowing, and what teams keep to themselves. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Scope } from '../caller.ts'

/** That a column names a collection of the scope; null where it reaches all of them, so that nothing is asked. */
export const reachesCollection = (
  { collectionIds, withheld }: Scope,
  column: string,
): RawBuilder<SqlBool> | null => conditionOn(column, collectionIds, withheld?.collectionIds)

/** The same of an agent. */
export const reachesAgent = ({ agentIds, withheld }: Scope, column: string): RawBuilder<SqlBool> | null =>
  conditionOn(column, agentIds, withheld?.agentIds)

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
