/** The consequences when a member joins, leaves or changes the role, by any caller. The workspace is locked. */
import { type Caller, type Role, rolePermissions, roles, type Scope } from '../../../platform/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { found, ServiceError } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { AuditService } from '../../audit/service.ts'
import { actorOf, type Outbox } from '../../events/outbox-service.ts'
import { pendingInvitationIdsOf, revokeInvitations } from '../records/invitations-store.ts'
import {
  countMembers,
  deleteMember,
  findMember,
  hasOtherOwner,
  insertMember,
  keyIdsOf,
  type MemberRecord,
  revokeKeysOf,
  updateMember,
} from '../records/members-store.ts'
import { rolesAbove } from '../records/roles.ts'
import { touchTeams } from '../records/teams-store.ts'

/** The records that are deleted, revoked or changed with a removed member. */
export type Removal = {
  memberId: string
  keyIds: string[]
  invitationIds: string[]
  teamIds: string[]
  webhookIds: string[]
}

/** The feature that knows webhooks hands this in: the webhooks that a member made, in both environments. */
export type MemberWebhooks = {
  list(scope: Scope, query: Query, userId: string): Promise<{ id: string }[]>
  /** Administrators are notified by mail. */
  disable(tx: Tx, caller: Caller, userId: string): Promise<void>
}

export function createMemberChanges(
  dependencies: Pick<Platform, 'database' | 'clock'> & {
    audit: AuditService
    outbox: Outbox
    memberWebhooks: MemberWebhooks
    /** Called after each change, so that this process drops what it has cached of the member. */
    onChange: () => void
  },
) {
  const { database, clock, audit, outbox, memberWebhooks, onChange } = dependencies
  return {
    /**
     * Removes the member and their places in teams, revokes their keys and their pending invitations, and disables
     * their webhooks. Throws `last_owner`. A dry run makes the same check and returns the same, but changes nothing.
     */
    async end(
      tx: Tx,
      caller: Caller,
      member: MemberRecord,
      { action, dryRun }: { action: string; dryRun: boolean },
    ): Promise<Removal> {
      await keepAnOwner(tx, caller, member)
      const { id, userId, role, teamIds } = member
      const keyIds = await keyIdsOf(caller.scope, tx, userId)
      const invitationIds = await pendingInvitationIdsOf(caller.scope, tx, userId, roles)
      const webhookIds = (await memberWebhooks.list(caller.scope, tx, userId)).map(webhook => webhook.id)
      const removal = { memberId: id, keyIds, invitationIds, teamIds, webhookIds }
      if (dryRun) return removal
      await revokeKeysOf(caller.scope, tx, userId, clock())
      await revokeInvitations(caller.scope, tx, invitationIds, clock())
      await touchTeams(caller.scope, tx, teamIds, clock())
      await deleteMember(caller.scope, tx, id)
      const details = { userId, role, keyIds, invitationIds, teamIds, webhookIds }
      await audit.record(tx, caller, { action, resourceId: id, details })
      await memberWebhooks.disable(tx, caller, userId)
      await recordMemberEvent(tx, outbox, caller, {
        id,
        userId,
        role,
        type: 'member.removed',
        at: clock(),
      })
      database.afterCommit(tx, onChange)
      return removal
    },
    /**
     * Throws `last_owner` if the workspace would have no owner left. Revokes pending invitations that the member made
     * for a role above the new one: the member could use them to return. Disables the member's webhooks if the new
     * role may not manage webhooks.
     */
    async giveRole(
      tx: Tx,
      caller: Caller,
      member: MemberRecord,
      { role, action }: { role: Role; action: string },
    ): Promise<MemberRecord> {
      if (role === member.role) return member
      if (role !== 'owner') await keepAnOwner(tx, caller, member)
      const { id, userId } = member
      await updateMember(caller.scope, tx, id, { role })
      const invitationIds = await pendingInvitationIdsOf(caller.scope, tx, userId, rolesAbove(role))
      await revokeInvitations(caller.scope, tx, invitationIds, clock())
      const details = { userId, from: member.role, to: role, invitationIds }
      await audit.record(tx, caller, { action, resourceId: id, details })
      if (!rolePermissions[role].includes('webhooks:write')) await memberWebhooks.disable(tx, caller, userId)
      await recordMemberEvent(tx, outbox, caller, {
        id,
        userId,
        role,
        previousRole: member.role,
        type: 'member.changed',
        at: clock(),
      })
      database.afterCommit(tx, onChange)
      return { ...member, role, revision: member.revision + 1 }
    },
  }
}

/** Safe because every change of owners is made under the workspace's lock. */
async function keepAnOwner(tx: Tx, caller: Caller, member: MemberRecord): Promise<void> {
  if (member.role === 'owner' && !(await hasOtherOwner(caller.scope, tx, member.id))) {
    throw new ServiceError(
      'last_owner',
      'A workspace needs at least one owner: make someone else an owner first',
      { details: { memberId: member.id } },
    )
  }
}

/** Throws `member_limit` if the plan allows no further member. */
export async function checkMemberLimit(scope: Scope, tx: Tx, limit: number): Promise<void> {
  if ((await countMembers(scope, tx)) < limit) return
  throw new ServiceError('member_limit', `The workspace has the ${limit} members that its plan allows`, {
    details: { limit },
  })
}

/** Makes a user a member, with the audit entry and the event. */
export async function addMember(
  { clock, audit, outbox }: { clock: Clock; audit: AuditService; outbox: Outbox },
  tx: Tx,
  caller: Caller,
  { id, userId, role, serviceName }: { id: string; userId: string; role: Role; serviceName?: string },
): Promise<MemberRecord> {
  const { scope } = caller
  const at = clock()
  const kind = serviceName === undefined ? 'person' : 'service'
  await insertMember(scope, tx, { id, userId, role, kind, joinedAt: at })
  const details = serviceName === undefined ? { userId, role } : { userId, role, kind, name: serviceName }
  await audit.record(tx, caller, { action: 'member.create', resourceId: id, details })
  await recordMemberEvent(tx, outbox, caller, { id, userId, role, type: 'member.joined', at })
  return found(await findMember(scope, tx, id))
}

/** Recorded in the transaction of the change. Members belong to the whole workspace, so their events are live. */
export async function recordMemberEvent(
  tx: Tx,
  outbox: Outbox,
  caller: Caller,
  member: {
    type: 'member.joined' | 'member.changed' | 'member.removed'
    id: string
    userId: string
    role: Role
    previousRole?: Role
    at: number
  },
): Promise<void> {
  const { type, id, userId, role, previousRole = null, at } = member
  await outbox.record(tx, {
    workspaceId: caller.scope.workspaceId,
    environment: 'live',
    at,
    type,
    data: { id, userId, role, previousRole, actor: actorOf(caller) },
  })
}
