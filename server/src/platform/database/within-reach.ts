/**
 * The conditions that hide the rows that a scope does not reach: because of the key's narrowing, of teams, or of
 * other persons' conversations.
 */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Scope } from '../caller.ts'
import type { Filter } from '../narrowing.ts'
import type { Engine } from './database.ts'
import { decodeJson, type Json } from './json.ts'

/** The condition that a column names a collection of the scope; null if the scope reaches all collections. */
export const reachesCollection = ({ collectionIds, withheld }: Scope, column: string) =>
  conditionOn(column, collectionIds, withheld?.collectionIds)

/** The same condition for an agent. */
export const reachesAgent = ({ agentIds, withheld }: Scope, column: string): RawBuilder<SqlBool> | null =>
  conditionOn(column, agentIds, withheld?.agentIds)

/**
 * The condition that a row exists for the reader: it is the workspace's, the reader's own, or shared with the reader.
 * For a page, the row is the workspace's and of the page's end user. `table` is one of the two that hold the owner.
 * Conversations that the reader has opened are found by their id, and stand in no list.
 */
export function isOfReader(scope: Scope, table: 'runs' | 'conversations', use: 'lookup' | 'list') {
  const { reader, endUser } = scope
  const owner = sql.ref(`${table}.owner_id`)
  const conversation = sql.ref(table === 'runs' ? 'runs.conversation_id' : 'conversations.id')
  if (endUser !== undefined) {
    return sql<SqlBool>`(${owner} IS NULL AND ${sql.ref(`${table}.end_user_id`)} = ${endUser.id})`
  }
  if (reader === undefined) return sql<SqlBool>`${owner} IS NULL`
  const { personId, openedIds } = reader
  const isListed = use === 'list'
  const ways = [sql`${owner} IS NULL`, sql`${owner} = ${personId}`]
  if (isListed) ways.push(sql`${conversation} IN (${sharedWith(scope, personId)})`)
  else ways.push(sql`EXISTS (${sharedWith(scope, personId)} AND shared.id = ${conversation})`)
  if (!isListed && openedIds.length > 0) ways.push(sql`${conversation} IN (${sql.join(openedIds)})`)
  return sql<SqlBool>`(${sql.join(ways, sql` OR `)})`
}

/** The conversations that are shared with the person, through an index over these few rows. */
const sharedWith = ({ workspaceId, environment }: Scope, personId: string) => sql`
  SELECT shared.id FROM conversations AS shared
  WHERE shared.shared_with IS NOT NULL
    AND shared.workspace_id = ${workspaceId} AND shared.environment = ${environment}
    AND (shared.shared_with = 'workspace' OR EXISTS (
      SELECT 1 FROM conversation_teams
        JOIN team_members ON team_members.team_id = conversation_teams.team_id
        JOIN members ON members.id = team_members.member_id
      WHERE conversation_teams.conversation_id = shared.id AND members.user_id = ${personId}
    ))`

/**
 * The condition that a JSON column names only allowed ids. Null in the column stands for all ids, so only a scope
 * that reaches all ids gets it.
 */
export function namesOnly(engine: Engine, column: string, allowed: readonly string[] | undefined) {
  if (allowed === undefined) return sql<SqlBool>`1 = 1`
  const each =
    engine === 'sqlite'
      ? sql`json_each(${sql.ref(column)}) AS named`
      : sql`json_array_elements_text(${sql.ref(column)}::json) AS named (value)`
  const other = allowed.length === 0 ? sql`1 = 1` : sql`named.value NOT IN (${sql.join(allowed)})`
  return sql<SqlBool>`(${sql.ref(column)} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${each} WHERE ${other}))`
}

/** The narrowing of a key or an endpoint from its row, where null means all. Endpoints have no filter. */
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
  // PostgreSQL does not accept an empty list.
  if (allowed !== undefined) {
    conditions.push(
      allowed.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`${sql.ref(column)} IN (${sql.join(allowed)})`,
    )
  }
  if (withheld.length > 0) conditions.push(sql<SqlBool>`${sql.ref(column)} NOT IN (${sql.join(withheld)})`)
  if (conditions.length === 0) return null
  return sql<SqlBool>`(${sql.join(conditions, sql` AND `)})`
}
