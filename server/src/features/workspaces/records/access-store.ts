/** Which teams reach which collections, agents and conversations: one table for each kind, with the same columns. */
import { sql } from 'kysely'
import type { Access, Scope } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { countOf } from '../../../platform/database/rows.ts'
import { reachesAgent, reachesCollection } from '../../../platform/database/within-reach.ts'

export type AccessKind = 'collection' | 'agent' | 'conversation'

const tableOf = (kind: AccessKind) => ({
  table: sql.table(`${kind}_teams`),
  idColumn: sql.ref<string>(`${kind}_id`),
})

/** The teams of each record that has any, ordered by id. */
export async function readTeamIds(query: Query, kind: AccessKind, ids: readonly string[]) {
  const teams = new Map<string, string[]>()
  if (ids.length === 0) return teams
  const { table, idColumn } = tableOf(kind)
  const { rows } = await sql<{ id: string; teamId: string }>`
    SELECT ${idColumn} AS id, team_id AS "teamId" FROM ${table}
    WHERE ${idColumn} IN (${sql.join(ids)}) ORDER BY team_id`.execute(query)
  for (const { id, teamId } of rows) teams.set(id, [...(teams.get(id) ?? []), teamId])
  return teams
}

/** Replaces the teams of the record. */
export async function writeTeamIds(
  tx: Tx,
  kind: AccessKind,
  id: string,
  teamIds: readonly string[],
  nowMs: number,
): Promise<void> {
  const { table, idColumn } = tableOf(kind)
  await sql`DELETE FROM ${table} WHERE ${idColumn} = ${id}`.execute(tx)
  if (teamIds.length === 0) return
  const rows = teamIds.map(teamId => sql`(${id}, ${teamId}, ${nowMs})`)
  await sql`INSERT INTO ${table} (${idColumn}, team_id, created_at) VALUES ${sql.join(rows)}`.execute(tx)
}

/** How many collections and agents of the workspace are kept to teams, including deleted ones. */
export async function countKept({ workspaceId }: Scope, query: Query): Promise<number> {
  const of = (table: 'collections' | 'agents') =>
    countOf(
      query
        .selectFrom(table)
        .where('workspace_id', '=', workspaceId)
        .where('access', '=', sql.lit<Access>('teams')),
    )
  return (await of('collections')) + (await of('agents'))
}

/** The teams that a user is in. */
export async function teamIdsOfUser({ workspaceId }: Scope, query: Query, userId: string) {
  const rows = await query
    .selectFrom('team_members')
    .innerJoin('members', 'members.id', 'team_members.member_id')
    .select('team_members.team_id')
    .where('members.workspace_id', '=', workspaceId)
    .where('members.user_id', '=', userId)
    .execute()
  return new Set(rows.map(row => row.team_id))
}

export type TeamReach = { collectionIds: string[]; agentIds: string[] }

/** The collections and agents that are kept to the teams, as far as they exist for the scope. */
export async function readTeamReach(scope: Scope, query: Query, teamIds: readonly string[]) {
  const reach = new Map(teamIds.map(id => [id, { collectionIds: [], agentIds: [] } as TeamReach]))
  if (teamIds.length === 0) return reach
  const collections = query
    .selectFrom('collection_teams')
    .innerJoin('collections', 'collections.id', 'collection_teams.collection_id')
    .select(['collection_teams.team_id as teamId', 'collections.id'])
    .where('collection_teams.team_id', 'in', [...teamIds])
    .where('collections.workspace_id', '=', scope.workspaceId)
    .where('collections.environment', '=', scope.environment)
    .where('collections.deleted_at', 'is', null)
    .orderBy('collections.id')
  const collectionReached = reachesCollection(scope, 'collections.id')
  const ofCollections = collectionReached === null ? collections : collections.where(collectionReached)
  for (const { teamId, id } of await ofCollections.execute()) reach.get(teamId)?.collectionIds.push(id)
  const agents = query
    .selectFrom('agent_teams')
    .innerJoin('agents', 'agents.id', 'agent_teams.agent_id')
    .select(['agent_teams.team_id as teamId', 'agents.id'])
    .where('agent_teams.team_id', 'in', [...teamIds])
    .where('agents.workspace_id', '=', scope.workspaceId)
    .where('agents.environment', '=', scope.environment)
    .where('agents.deleted_at', 'is', null)
    .orderBy('agents.id')
  const agentReached = reachesAgent(scope, 'agents.id')
  const ofAgents = agentReached === null ? agents : agents.where(agentReached)
  for (const { teamId, id } of await ofAgents.execute()) reach.get(teamId)?.agentIds.push(id)
  return reach
}

/** When a team is deleted, its collections and agents lose a team, so they get a new ETag. */
export async function touchReached({ workspaceId }: Scope, tx: Tx, teamId: string, nowMs: number) {
  await tx
    .updateTable('collections')
    .set(({ eb }) => ({ revision: eb('revision', '+', 1), updated_at: nowMs }))
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('collection_teams').select('collection_id').where('team_id', '=', teamId),
    )
    .execute()
  await tx
    .updateTable('agents')
    .set(({ eb }) => ({ change_count: eb('change_count', '+', 1), updated_at: nowMs }))
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('agent_teams').select('agent_id').where('team_id', '=', teamId),
    )
    .execute()
}
