/** What a member decides about their own place in a workspace: to leave it, to hand it over. */
import type { Caller } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { invalidField, ServiceError } from '../../platform/errors.ts'
import type { AuditService } from '../audit/service.ts'
import type { Outbox } from '../events/outbox-service.ts'
import { checkOwner } from './life-service.ts'
import { createMemberChanges, type MemberWebhooks, type Removal } from './member-changes.ts'
import { findMember, findMemberByUser, type MemberRecord } from './members-store.ts'
import { checkIsNoKey } from './roles.ts'
import { lockWorkspace } from './workspace-lock.ts'

export type OwnMembershipService = {
  /** Only a person leaves; throws `last_owner` for the last one. A dry run tells what would go along. */
  leave(caller: Caller, options: { dryRun: boolean }): Promise<Removal>
  /** Only a person hands it over. The member becomes an owner and the caller, who was one, an admin; answers the new owner. */
  transfer(caller: Caller, memberId: string): Promise<MemberRecord>
}

export function createOwnMembershipService(dependencies: {
  database: Database
  clock: Clock
  audit: AuditService
  outbox: Outbox
  memberWebhooks: MemberWebhooks
  onChange: () => void
}): OwnMembershipService {
  const { database, audit } = dependencies
  const changes = createMemberChanges(dependencies)

  /** The caller's own row, as it is now: what the caller was let in by may be some seconds old. */
  const lockSelf = async (tx: Tx, caller: Caller): Promise<MemberRecord> => {
    await lockWorkspace(caller.scope, tx)
    const self = caller.userId === null ? undefined : await findMemberByUser(caller.scope, tx, caller.userId)
    if (self === undefined) throw new ServiceError('conflict', 'You are no member of the workspace any more')
    return self
  }

  return {
    leave: (caller, { dryRun }) =>
      database.write(async tx => {
        if (caller.kind !== 'person') {
          throw new ServiceError(
            'permission_missing',
            'Only a person can leave, in the console; to stop a key, revoke it',
          )
        }
        const self = await lockSelf(tx, caller)
        return changes.end(tx, caller, self, { action: 'member.leave', dryRun })
      }),
    transfer: (caller, memberId) =>
      database.write(async tx => {
        checkIsNoKey(caller, 'hand the workspace over')
        checkOwner(caller, 'hand the workspace over')
        const self = await lockSelf(tx, caller)
        if (self.role !== 'owner') {
          throw new ServiceError('permission_missing', 'Only an owner can hand the workspace over')
        }
        const heir = await findMember(caller.scope, tx, memberId)
        if (heir === undefined) throw invalidField('memberId', 'There is no member with this id')
        if (heir.id === self.id) throw invalidField('memberId', 'is your own: choose another member')
        if (heir.kind !== 'person') throw invalidField('memberId', 'A service account cannot own a workspace')
        const owner = await changes.giveRole(tx, caller, heir, { role: 'owner', action: 'member.update' })
        await changes.giveRole(tx, caller, self, { role: 'admin', action: 'member.update' })
        await audit.record(tx, caller, {
          action: 'workspace.transfer',
          resourceId: caller.scope.workspaceId,
          details: { from: self.userId, to: heir.userId },
        })
        return owner
      }),
  }
}
