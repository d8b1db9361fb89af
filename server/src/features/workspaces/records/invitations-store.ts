/** The rows of invitations. A pending invitation whose time is over counts as expired before its row says so. */
import type { Selectable, Updateable } from 'kysely'
import type { Role, Scope } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { type Page, type PageRequest, pageOf } from '../../../platform/database/page.ts'
import { countOf, inserts } from '../../../platform/database/rows.ts'
import type { Tables } from '../../../platform/database/tables.ts'
import type { InvitationFilter } from './invitations-schemas.ts'

export type InvitationRow = Selectable<Tables['invitations']>

/** An invitation with the names that its link's page shows. */
export type LinkedInvitation = InvitationRow & { workspace_name: string; inviter_name: string | null }

export function listInvitations(
  scope: Scope,
  query: Query,
  filter: InvitationFilter,
  page: PageRequest,
  nowMs: number,
): Promise<Page<InvitationRow>> {
  const rows = selectInvitations(scope, query)
  const unfiltered = rows
  const { status } = filter
  if (status === undefined) return pageOf(rows, page)
  if (status === 'pending') {
    return pageOf(rows.where('status', '=', status).where('expires_at', '>', nowMs), page, { unfiltered })
  }
  if (status !== 'expired') return pageOf(rows.where('status', '=', status), page, { unfiltered })
  const expired = rows.where(({ eb, or, and }) =>
    or([eb('status', '=', 'expired'), and([eb('status', '=', 'pending'), eb('expires_at', '<=', nowMs)])]),
  )
  return pageOf(expired, page, { unfiltered })
}

export const findInvitation = (scope: Scope, query: Query, id: string): Promise<InvitationRow | undefined> =>
  selectInvitations(scope, query).where('id', '=', id).executeTakeFirst()

export const findPendingByEmail = (scope: Scope, query: Query, email: string) =>
  selectInvitations(scope, query)
    .where('email', '=', email)
    .where('status', '=', 'pending')
    .executeTakeFirst()

/** Needs no scope: the token determines its workspace. */
export const findByTokenHash = (query: Query, tokenHash: string): Promise<LinkedInvitation | undefined> =>
  query
    .selectFrom('invitations')
    .innerJoin('workspaces', 'workspaces.id', 'invitations.workspace_id')
    .leftJoin('users', 'users.id', 'invitations.invited_by')
    .selectAll('invitations')
    .select(['workspaces.name as workspace_name', 'users.name as inviter_name'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()

export const countPending = (scope: Scope, query: Query): Promise<number> =>
  countOf(selectInvitations(scope, query).where('status', '=', 'pending'))

/** Stores the status that is already shown, so that addresses and seats are free again; hence no new revision. */
export async function expireInvitations(scope: Scope, tx: Tx, nowMs: number): Promise<void> {
  await tx
    .updateTable('invitations')
    .set({ status: 'expired' })
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
    .where('status', '=', 'pending')
    .where('expires_at', '<=', nowMs)
    .execute()
}

export const insertInvitation = inserts('invitations')

export async function updateInvitation(
  scope: Scope,
  tx: Tx,
  id: string,
  change: Updateable<Tables['invitations']> & { updated_at: number },
): Promise<void> {
  await tx
    .updateTable('invitations')
    .set(({ eb }) => ({ ...change, revision: eb('revision', '+', 1) }))
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
    .where('id', '=', id)
    .execute()
}

/** The pending live invitations, newest first, that a user made for one of these roles. */
export async function pendingInvitationIdsOf(
  { workspaceId }: Scope,
  query: Query,
  userId: string,
  invitedRoles: readonly Role[],
): Promise<string[]> {
  if (invitedRoles.length === 0) return []
  const rows = await selectInvitations({ workspaceId, environment: 'live' }, query)
    .clearSelect()
    .select('id')
    .where('invited_by', '=', userId)
    .where('status', '=', 'pending')
    .where('role', 'in', invitedRoles)
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ id }) => id)
}

export async function revokeInvitations(
  { workspaceId }: Scope,
  tx: Tx,
  ids: readonly string[],
  nowMs: number,
): Promise<void> {
  for (const id of ids) {
    const change = { status: 'revoked', updated_at: nowMs } as const
    await updateInvitation({ workspaceId, environment: 'live' }, tx, id, change)
  }
}

const selectInvitations = (scope: Scope, query: Query) =>
  query
    .selectFrom('invitations')
    .selectAll()
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
