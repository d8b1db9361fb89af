import type { Plan, Role, Scope } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { type Page, type PageRequest, pageOf } from '../../../platform/database/page.ts'
import { countOf, deletes, revises } from '../../../platform/database/rows.ts'
import { found, ServiceError } from '../../../platform/errors.ts'
import type { MemberFilter } from './members-schemas.ts'

export type MemberRecord = {
  id: string
  userId: string
  name: string
  email: string
  role: Role
  kind: 'person' | 'service'
  teamIds: string[]
  joinedAt: number
  lastActiveAt: number | null
  revision: number
}

export async function listMembers(
  scope: Scope,
  query: Query,
  filter: MemberFilter,
  page: PageRequest,
): Promise<Page<MemberRecord>> {
  let rows = selectMembers(scope, query)
  const { role, kind, teamId } = filter
  if (role !== undefined) rows = rows.where('members.role', '=', role)
  if (kind !== undefined) rows = rows.where('members.kind', '=', kind)
  if (teamId !== undefined) {
    rows = rows.where('members.id', 'in', select =>
      select.selectFrom('team_members').select('member_id').where('team_id', '=', teamId),
    )
  }
  const members = await pageOf(rows, page, {
    idColumn: 'members.id',
    columns: { named: { query, name: 'users.name', texts: ['users.name', 'users.email'] } },
  })
  return { ...members, items: await withTeams(query, members.items) }
}

export async function findMember(scope: Scope, query: Query, id: string): Promise<MemberRecord | undefined> {
  const rows = await selectMembers(scope, query).where('members.id', '=', id).execute()
  return (await withTeams(query, rows))[0]
}

export async function findMemberByUser(
  scope: Scope,
  query: Query,
  userId: string,
): Promise<MemberRecord | undefined> {
  const rows = await selectMembers(scope, query).where('members.user_id', '=', userId).execute()
  return (await withTeams(query, rows))[0]
}

export async function findMemberByEmail(
  scope: Scope,
  query: Query,
  email: string,
): Promise<MemberRecord | undefined> {
  const rows = await selectMembers(scope, query).where('users.email', '=', email).execute()
  return (await withTeams(query, rows))[0]
}

export const listAdministrators = (query: Query, workspaceId: string, limit: number) =>
  query
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['users.id as userId', 'users.name', 'users.email'])
    .where('members.workspace_id', '=', workspaceId)
    .where('members.kind', '=', 'person')
    .where('members.role', 'in', ['owner', 'admin'])
    .orderBy('members.role', 'desc')
    .orderBy('members.id')
    .limit(limit)
    .execute()

export async function isMember(scope: Scope, query: Query, userId: string): Promise<boolean> {
  const member = await query
    .selectFrom('members')
    .select('id')
    .where('workspace_id', '=', scope.workspaceId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return member !== undefined
}

export const countMembers = (scope: Scope, query: Query): Promise<number> =>
  countOf(query.selectFrom('members').where('workspace_id', '=', scope.workspaceId))

export async function hasOtherOwner(scope: Scope, query: Query, memberId: string): Promise<boolean> {
  const other = await query
    .selectFrom('members')
    .select('id')
    .where('workspace_id', '=', scope.workspaceId)
    .where('role', '=', 'owner')
    .where('id', '<>', memberId)
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

export async function insertMember(
  { workspaceId }: Scope,
  tx: Tx,
  member: { id: string; userId: string; role: Role; kind: 'person' | 'service'; joinedAt: number },
): Promise<void> {
  const row = {
    id: member.id,
    workspace_id: workspaceId,
    user_id: member.userId,
    role: member.role,
    kind: member.kind,
    joined_at: member.joinedAt,
    last_active_at: null,
    revision: 1,
  }
  await tx.insertInto('members').values(row).execute()
}

export const updateMember = revises('members')

/** The member's places in teams are deleted too. */
export const deleteMember = deletes('members')

/** The keys of a user in this workspace, in both environments, that have not been revoked. */
export async function keyIdsOf(scope: Scope, query: Query, userId: string): Promise<string[]> {
  const rows = await query
    .selectFrom('api_keys')
    .select('id')
    .where('workspace_id', '=', scope.workspaceId)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ id }) => id)
}

/** Revokes the keys for good. Otherwise they would work again when the person joins again. */
export async function revokeKeysOf(scope: Scope, tx: Tx, userId: string, nowMs: number): Promise<void> {
  await tx
    .updateTable('api_keys')
    .set(({ eb }) => ({ revoked_at: nowMs, updated_at: nowMs, revision: eb('revision', '+', 1) }))
    .where('workspace_id', '=', scope.workspaceId)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .execute()
}

const selectMembers = (scope: Scope, query: Query) =>
  query
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select([
      'members.id',
      'members.user_id as userId',
      'users.name',
      'users.email',
      'members.role',
      'members.kind',
      'members.joined_at as joinedAt',
      'members.last_active_at as lastActiveAt',
      'members.revision',
    ])
    .where('members.workspace_id', '=', scope.workspaceId)

/** Uses one query for all rows of a page. */
async function withTeams<Row extends { id: string }>(query: Query, rows: Row[]) {
  if (rows.length === 0) return []
  const places = await query
    .selectFrom('team_members')
    .select(['member_id', 'team_id'])
    .where(
      'member_id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('team_id')
    .execute()
  return rows.map(row => ({
    ...row,
    teamIds: places.filter(({ member_id }) => member_id === row.id).map(({ team_id }) => team_id),
  }))
}

/**
 * Locks the workspace's row until the transaction ends. Every change of members, invitations and teams takes this
 * lock. Otherwise two owners could demote each other at once, since neither sees the other's change. A deleted
 * workspace cannot be changed: throws `workspace_deleted`.
 */
export async function lockWorkspace(scope: Scope, tx: Tx): Promise<{ name: string; plan: Plan }> {
  const locked = await lockWorkspaceRow(tx, scope.workspaceId)
  if (locked.deletes_at !== null) {
    throw new ServiceError('workspace_deleted', undefined, { details: { workspaceId: scope.workspaceId } })
  }
  return locked
}

/** The same for a workspace that may be deleted already. */
export async function lockWorkspaceRow(tx: Tx, workspaceId: string) {
  const row = tx.selectFrom('workspaces').select(['name', 'plan', 'deletes_at']).where('id', '=', workspaceId)
  // No stronger lock: rows that refer to the workspace may be inserted meanwhile.
  return found(await row.forNoKeyUpdate().executeTakeFirst())
}
