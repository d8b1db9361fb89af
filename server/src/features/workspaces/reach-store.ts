/** What of a workspace is kept to teams, and which of it a member reaches. */
import { type QueryResult, sql } from 'kysely'
import type { Scope, Withheld } from '../../platform/caller.ts'
import type { Query } from '../../platform/database/database.ts'

type Place = Pick<Scope, 'workspaceId' | 'environment'>

/** What is kept from a member whose role does not reach everything. By one query, of which the commonest answer is no row. */
export async function readWithheld(
  { workspaceId, environment }: Place,
  query: Query,
  userId: string,
): Promise<Withheld | undefined> {
  const { rows } = await selectWithheld({ workspaceId, environment }, query, userId)
  if (rows.length === 0) return undefined
  const idsOf = (kind: WithheldRow['kind']) => rows.flatMap(row => (row.kind === kind ? row.id : []))
  return { userId, collectionIds: idsOf('collection'), agentIds: idsOf('agent') }
}

type WithheldRow = { kind: 'collection' | 'agent'; id: string }

/** What is deleted is among it, since runs still tell of it. `teams` is written out, so that the index over these few rows is used. */
const selectWithheld = (
  { workspaceId, environment }: Place,
  query: Query,
  userId: string,
): Promise<QueryResult<WithheldRow>> =>
  sql<WithheldRow>`
    SELECT 'collection' AS kind, id FROM collections
    WHERE workspace_id = ${workspaceId} AND environment = ${environment} AND access = 'teams'
      AND NOT EXISTS (
        SELECT 1 FROM collection_teams
          JOIN team_members ON team_members.team_id = collection_teams.team_id
          JOIN members ON members.id = team_members.member_id
        WHERE collection_teams.collection_id = collections.id AND members.user_id = ${userId}
      )
    UNION ALL
    SELECT 'agent', id FROM agents
    WHERE workspace_id = ${workspaceId} AND environment = ${environment} AND access = 'teams'
      AND NOT EXISTS (
        SELECT 1 FROM agent_teams
          JOIN team_members ON team_members.team_id = agent_teams.team_id
          JOIN members ON members.id = team_members.member_id
        WHERE agent_teams.agent_id = agents.id AND members.user_id = ${userId}
      )`.execute(query)
