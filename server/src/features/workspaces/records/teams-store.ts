/** The rows of teams and of their members. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Scope } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { type Page, type PageRequest, pageOf } from '../../../platform/database/page.ts'
import { countOf, deletes, inserts, revises } from '../../../platform/database/rows.ts'
import { readTeamReach, type TeamReach } from './access-store.ts'

export type TeamRecord = {
  id: string
  name: string
  description: string | null
  memberCount: number
  createdAt: number
  updatedAt: number
  /** Covers the team's own fields and the records that both team and scope reach; it reveals nothing about others. */
  revision: string
  reach: TeamReach
}

export async function listTeams(scope: Scope, query: Query, page: PageRequest): Promise<Page<TeamRecord>> {
  const teams = await pageOf(selectTeams(scope, query), page, {
    idColumn: 'teams.id',
    columns: {
      createdAt: 'teams.created_at',
      updatedAt: 'teams.updated_at',
      named: { query, name: 'teams.name', texts: ['teams.name', 'teams.description'] },
    },
  })
  return { ...teams, items: await withReach(scope, query, teams.items) }
}

export async function findTeam(scope: Scope, query: Query, id: string): Promise<TeamRecord | undefined> {
  const rows = await selectTeams(scope, query).where('teams.id', '=', id).execute()
  const [team] = await withReach(scope, query, rows)
  return team
}

/** Returns the team's id. */
export async function findTeamNamed(scope: Scope, query: Query, name: string): Promise<string | null> {
  const row = await selectTeams(scope, query).where('teams.name', '=', name).executeTakeFirst()
  return row?.id ?? null
}

type TeamRow = Omit<TeamRecord, 'revision' | 'reach'> & { revision: number; keptCount: number }

async function withReach(scope: Scope, query: Query, rows: readonly TeamRow[]): Promise<TeamRecord[]> {
  const kept = rows.filter(({ keptCount }) => keptCount > 0).map(({ id }) => id)
  const reached = await readTeamReach(scope, query, kept)
  return rows.map(({ keptCount: _, revision, ...team }) => {
    const reach = reached.get(team.id) ?? { collectionIds: [], agentIds: [] }
    const ids = [...reach.collectionIds, ...reach.agentIds]
    const hash = createHash('sha256').update(ids.join()).digest('hex').slice(0, 16)
    return { ...team, reach, revision: ids.length === 0 ? String(revision) : `${revision}-${hash}` }
  })
}

/** The ids that name teams of the workspace. */
export async function existingTeamIds(
  scope: Scope,
  query: Query,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await query
    .selectFrom('teams')
    .select('id')
    .where('workspace_id', '=', scope.workspaceId)
    .where('id', 'in', ids)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export const countTeams = (scope: Scope, query: Query): Promise<number> =>
  countOf(query.selectFrom('teams').where('workspace_id', '=', scope.workspaceId))

export const insertTeam = inserts('teams')

export const updateTeam = revises('teams')

/** The places of its members are deleted too. */
export const deleteTeam = deletes('teams')

export async function memberIdsOfTeam(query: Query, teamId: string): Promise<string[]> {
  const rows = await query
    .selectFrom('team_members')
    .select('member_id')
    .where('team_id', '=', teamId)
    .orderBy('member_id', 'desc')
    .execute()
  return rows.map(({ member_id }) => member_id)
}

/** Team and member must be in the same workspace. */
export async function addToTeam(tx: Tx, teamId: string, memberId: string, nowMs: number): Promise<void> {
  await tx
    .insertInto('team_members')
    .values({ team_id: teamId, member_id: memberId, created_at: nowMs })
    .execute()
}

export async function removeFromTeam(tx: Tx, teamId: string, memberId: string): Promise<void> {
  await tx
    .deleteFrom('team_members')
    .where('team_id', '=', teamId)
    .where('member_id', '=', memberId)
    .execute()
}

/** Gives the teams a new revision, because their members have changed. */
export async function touchTeams(scope: Scope, tx: Tx, ids: readonly string[], nowMs: number): Promise<void> {
  for (const id of ids) await updateTeam(scope, tx, id, { updated_at: nowMs })
}

/** Gives the members a new revision, because their teams have changed. */
export async function touchMembers(scope: Scope, tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx
    .updateTable('members')
    .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
    .where('workspace_id', '=', scope.workspaceId)
    .where('id', 'in', ids)
    .execute()
}

/** Collections and agents that are kept to the team, in both environments and in the trash. */
const countKept = sql<number>`(
  (SELECT count(*) FROM collection_teams WHERE collection_teams.team_id = teams.id)
  + (SELECT count(*) FROM agent_teams WHERE agent_teams.team_id = teams.id)
)`

const selectTeams = (scope: Scope, query: Query) =>
  query
    .selectFrom('teams')
    .select(({ selectFrom }) => [
      'teams.id',
      'teams.name',
      'teams.description',
      'teams.created_at as createdAt',
      'teams.updated_at as updatedAt',
      'teams.revision',
      selectFrom('team_members')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('team_members.team_id', '=', 'teams.id')
        .$asScalar()
        .$notNull()
        .as('memberCount'),
      countKept.as('keptCount'),
    ])
    .where('teams.workspace_id', '=', scope.workspaceId)
