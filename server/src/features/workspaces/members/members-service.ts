/** The members of a workspace: lists, roles, removal, and the decisions of members about their own place. */
import type { Caller, Plan, Role, Scope } from '../../../platform/caller.ts'
import { toOptionalTimestamp, toTimestamp } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { Page, PageRequest } from '../../../platform/database/page.ts'
import { forbidden, found, invalidField, ServiceError } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { checkRevision, type Deletion } from '../../../platform/revision.ts'
import type { AuditService } from '../../audit/service.ts'
import type { Outbox } from '../../events/outbox-service.ts'
import type { Member, MemberFilter, NewServiceAccount } from '../records/members-schemas.ts'
import {
  countMembers,
  findMember,
  findMemberByUser,
  isMember,
  listAdministrators,
  listMembers,
  lockWorkspace,
  type MemberRecord,
} from '../records/members-store.ts'
import { checkIsNoKey, checkMayGive, checkOwner, checkRoleWithinReach } from '../records/roles.ts'
import { findTeam } from '../records/teams-store.ts'
import {
  addMember,
  checkMemberLimit,
  createMemberChanges,
  type MemberWebhooks,
  type Removal,
} from './member-changes.ts'

export type MemberService = ReturnType<typeof createMemberService>

export function createMemberService(
  dependencies: Pick<Platform, 'database' | 'clock' | 'newId'> & {
    audit: AuditService
    outbox: Outbox
    memberWebhooks: MemberWebhooks
    /** Called after each change, so that this process drops what it has cached of the member's keys. */
    onChange: () => void
  },
) {
  const { database, newId, audit } = dependencies
  const changes = createMemberChanges(dependencies)

  /** The caller's own row, read again: the data that let the caller in may be some seconds old. */
  const lockSelf = async (tx: Tx, caller: Caller): Promise<MemberRecord> => {
    await lockWorkspace(caller.scope, tx)
    const self = caller.userId === null ? undefined : await findMemberByUser(caller.scope, tx, caller.userId)
    if (self === undefined) {
      throw new ServiceError('membership_ended', 'You are no member of the workspace any more', {
        details: { workspaceId: caller.scope.workspaceId },
      })
    }
    return self
  }

  return {
    count: (scope: Scope): Promise<number> => countMembers(scope, database.read),
    /** Throws a 400 that names `teamId` if the team does not exist. */
    async list(caller: Caller, filter: MemberFilter, page: PageRequest): Promise<Page<MemberRecord>> {
      if (
        filter.teamId !== undefined &&
        (await findTeam(caller.scope, database.read, filter.teamId)) === undefined
      ) {
        throw invalidField('teamId', 'There is no team with this id')
      }
      return listMembers(caller.scope, database.read, filter, page)
    },
    async get(caller: Caller, id: string): Promise<MemberRecord> {
      return found(await findMember(caller.scope, database.read, id))
    },
    /** Makes a user a member inside `tx`, for the first run and the operator. Throws 409 `already_member`. */
    async add(tx: Tx, caller: Caller, { userId, role }: { userId: string; role: Role }) {
      await lockWorkspace(caller.scope, tx)
      if (await isMember(caller.scope, tx, userId)) {
        throw new ServiceError('already_member')
      }
      return addMember(dependencies, tx, caller, { id: newId('member'), userId, role })
    },
    /**
     * Throws `permission_missing` if the member's current or new role is above the caller's. Throws it too if the new
     * role has a permission that both the member and the caller lack. Throws `last_owner` if the workspace would have
     * no owner left. Revokes pending invitations that the member made for a role above the new one: the member could
     * use them to return.
     */
    changeRole: (caller: Caller, id: string, role: Role, ifMatch: string | null): Promise<MemberRecord> =>
      database.write(async tx => {
        const member = await lockForChange(caller, tx, id, ifMatch)
        checkMayGive(caller, role, member.role)
        if (role === 'owner' && member.kind === 'service') {
          throw invalidField('role', 'A service account cannot own a workspace')
        }
        return changes.giveRole(tx, caller, member, { role, action: 'member.update' })
      }),
    /**
     * Removes the member and their places in teams, revokes their keys and their pending invitations, and disables
     * their webhooks. Throws like `changeRole`. A dry run makes the same checks and has the same result, but changes
     * nothing.
     */
    remove: (caller: Caller, id: string, { ifMatch, dryRun }: Deletion): Promise<Removal> =>
      database.write(async tx => {
        const member = await lockForChange(caller, tx, id, ifMatch)
        return changes.end(tx, caller, member, { action: 'member.delete', dryRun })
      }),
    /**
     * Only a person can leave; throws `last_owner` for the last owner. A dry run returns what would be removed too.
     */
    leave: (caller: Caller, { dryRun }: { dryRun: boolean }): Promise<Removal> =>
      database.write(async tx => {
        if (caller.kind !== 'person') {
          throw forbidden('person', 'Only a person can leave, in the console; to stop a key, revoke it')
        }
        const self = await lockSelf(tx, caller)
        return changes.end(tx, caller, self, { action: 'member.leave', dryRun })
      }),
    /** Only a person who is an owner can. The member becomes an owner, the caller an admin; returns the new owner. */
    transfer: (caller: Caller, memberId: string): Promise<MemberRecord> =>
      database.write(async tx => {
        checkIsNoKey(caller, 'hand the workspace over')
        checkOwner(caller, 'hand the workspace over')
        const self = await lockSelf(tx, caller)
        if (self.role !== 'owner') {
          throw forbidden('role', 'Only an owner can hand the workspace over', { role: self.role })
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

/** The people who administer the workspace, owners first; service accounts read no mail. */
export const administrators = listAdministrators

export const presentMember = (member: MemberRecord): Member => ({
  id: member.id,
  userId: member.userId,
  name: member.name,
  email: member.email,
  role: member.role,
  kind: member.kind,
  teamIds: member.teamIds,
  joinedAt: toTimestamp(member.joinedAt),
  lastActiveAt: toOptionalTimestamp(member.lastActiveAt),
})

async function lockForChange(caller: Caller, tx: Tx, id: string, ifMatch: string | null) {
  await lockWorkspace(caller.scope, tx)
  const member = found(await findMember(caller.scope, tx, id))
  checkRevision(ifMatch, member)
  checkRoleWithinReach(caller, member.role)
  return member
}

/** Service accounts: members that are not people, with keys that outlive the people who made them. */
export type ServiceAccountService = ReturnType<typeof createServiceAccountService>

/** A domain that cannot exist (RFC 2606): no mail reaches it, and no person can prove to own it. */
const addressOf = (memberId: string): string => `${memberId.replace('_', '-')}@service.invalid`

/** Makes the user that keys belong to; handed in, since the feature that knows people comes later. */
export type PeopleToCreate = {
  create(tx: Tx, person: { email: string; name: string; emailVerified: boolean }): Promise<{ id: string }>
}

export function createServiceAccountService(
  dependencies: Pick<Platform, 'database' | 'clock' | 'newId'> & {
    audit: AuditService
    outbox: Outbox
    people: PeopleToCreate
    memberLimit: (plan: Plan) => number
  },
) {
  const { database, newId, people, memberLimit } = dependencies
  return {
    /**
     * Throws `member_limit`, and `permission_missing` for a role above the caller's or with a permission that it
     * lacks.
     */
    create: (caller: Caller, { name: wantedName, role }: NewServiceAccount): Promise<MemberRecord> =>
      database.write(async tx => {
        const { plan } = await lockWorkspace(caller.scope, tx)
        checkMayGive(caller, role)
        await checkMemberLimit(caller.scope, tx, memberLimit(plan))
        const name = wantedName.trim()
        const id = newId('member')
        const person = { email: addressOf(id), name, emailVerified: false }
        const { id: userId } = await people.create(tx, person)
        return addMember(dependencies, tx, caller, { id, userId, role, serviceName: name })
      }),
  }
}
