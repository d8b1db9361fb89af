/** What follows when a member goes or gets another role, by any caller's decision. The workspace is locked meanwhile. */
import { type Caller, type Role, rolePermissions, roles, type Scope } from '../../../platform/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Query, Tx } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { AuditService } from '../../audit/service.ts'
import type { Outbox } from '../../events/outbox-service.ts'
import { pendingInvitationIdsOf, revokeInvitations } from '../records/invitations-store.ts'
import {
  deleteMember,
  hasOtherOwner,
  keyIdsOf,
  type MemberRecord,
  revokeKeysOf,
  setRole,
} from '../records/members-store.ts'
import { rolesAbove } from '../records/roles.ts'
import { touchTeams } from '../records/teams-store.ts'
import { recordMemberEvent } from './member-outbox.ts'

/** What goes with a member who is removed. */
export type Removal = {
  memberId: string
  keyIds: string[]
  invitationIds: string[]
  teamIds: string[]
  webhookIds: string[]
}

/** Handed in by the feature that knows webhooks: those that a member made, in both environments. */
export type MemberWebhooks = {
  list(scope: Scope, query: Query, userId: string): Promise<{ id: string }[]>
  /** Administrators get a mail. */
  disable(tx: Tx, caller: Caller, userId: string): Promise<void>
}

export function createMemberChanges(dependencies: {
  database: Database
  clock: Clock
  audit: AuditService
  outbox: Outbox
  memberWebhooks: MemberWebhooks
  /** Called after each change, so that this process forgets what it had cached of the member. */
  onChange: () => void
}) {
  const { database, clock, audit, outbox, memberWebhooks, onChange } = dependencies
  return {
    /**
     * Takes the member and their places in teams away, revokes their keys and the pending invitations that they made, and
     * disables their webhooks; throws `last_owner`. A dry run makes the same check and answers the same, and changes nothing.
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
     * Throws `last_owner` where the workspace would be left without an owner. Pending invitations that the member made
     * for a role above the new one are revoked: they could be the way back. So are their webhooks disabled where the new
     * role may not manage any.
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
      await setRole(caller.scope, tx, id, role)
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

/** Holds because every change of owners is made under the workspace's lock. */
async function keepAnOwner(tx: Tx, caller: Caller, member: MemberRecord): Promise<void> {
  if (member.role === 'owner' && !(await hasOtherOwner(caller.scope, tx, member.id))) {
    throw new ServiceError(
      'last_owner',
      'A workspace needs at least one owner: make someone else an owner first',
    )
  }
}
