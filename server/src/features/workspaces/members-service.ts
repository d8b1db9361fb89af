/** The members of a workspace: who they are, their roles, and their removal. */
import type { Caller, Role, Scope } from '../../platform/caller.ts'
import { type Clock, toOptionalTimestamp, toTimestamp } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import type { Page, PageRequest } from '../../platform/database/page.ts'
import { invalidField, notFound, ServiceError } from '../../platform/errors.ts'
import type { NewId } from '../../platform/ids.ts'
import { checkRevision } from '../../platform/revision.ts'
import type { AuditService } from '../audit/service.ts'
import type { Outbox } from '../events/outbox-service.ts'
import { createMemberChanges, type MemberWebhooks, type Removal } from './member-changes.ts'
import { recordMemberEvent } from './member-outbox.ts'
import type { Member, MemberFilter } from './members-schemas.ts'
import {
  countMembers,
  findMember,
  insertMember,
  isMember,
  listAdministrators,
  listMembers,
  type MemberRecord,
} from './members-store.ts'
import { checkIsNotNarrowed, checkMayGive, checkRoleWithinReach } from './roles.ts'
import { findTeam } from './teams-store.ts'
import { lockWorkspace } from './workspace-lock.ts'

export type MemberService = {
  /** How many members the workspace has. */
  count(scope: Scope): Promise<number>
  /** Throws a 400 that names `teamId` where there is no such team. */
  list(caller: Caller, filter: MemberFilter, page: PageRequest): Promise<Page<MemberRecord>>
  get(caller: Caller, id: string): Promise<MemberRecord>
  /** Makes a user a member inside `tx`, for the first run and the operator; one who is a member is a 409 `conflict`. */
  add(tx: Tx, caller: Caller, member: { userId: string; role: Role }): Promise<MemberRecord>
  /**
   * Throws `permission_missing` where the member's present or new role is above the caller's, or the new one holds
   * what the member has not and the caller lacks, and `last_owner`
   * where the workspace would be left without an owner. Pending invitations that the member made for a role above
   * the new one are revoked: they could be the way back.
   */
  changeRole(caller: Caller, id: string, role: Role, ifMatch: string | null): Promise<MemberRecord>
  /**
   * Removes the member and their places in teams, revokes their keys and the pending invitations that they made, and
   * disables their webhooks; throws as `changeRole` does. A dry run makes the same checks and answers the same, and changes nothing.
   */
  remove(caller: Caller, id: string, options: { ifMatch: string | null; dryRun: boolean }): Promise<Removal>
}

export function createMemberService(dependencies: {
  database: Database
  clock: Clock
  newId: NewId
  audit: AuditService
  outbox: Outbox
  memberWebhooks: MemberWebhooks
  /** Called after each change, so that this process forgets what it had cached of the member's keys. */
  onChange: () => void
}): MemberService {
  const { database, clock, newId, audit, outbox } = dependencies
  const changes = createMemberChanges(dependencies)
  return {
    count: scope => countMembers(scope, database.read),
    async list(caller, filter, page) {
      if (
        filter.teamId !== undefined &&
        (await findTeam(caller.scope, database.read, filter.teamId)) === undefined
      ) {
        throw invalidField('teamId', 'There is no team with this id')
      }
      return listMembers(caller.scope, database.read, filter, page)
    },
    async get(caller, id) {
      return (await findMember(caller.scope, database.read, id)) ?? missing()
    },
    async add(tx, caller, { userId, role }) {
      await lockWorkspace(caller.scope, tx)
      if (await isMember(caller.scope, tx, userId)) {
        throw new ServiceError('conflict', 'The user is a member of the workspace already')
      }
      const id = newId('member')
      await insertMember(caller.scope, tx, {
        id,
        workspace_id: caller.scope.workspaceId,
        user_id: userId,
        role,
        kind: 'person',
        joined_at: clock(),
        last_active_at: null,
        revision: 1,
      })
      await audit.record(tx, caller, { action: 'member.create', resourceId: id, details: { userId, role } })
      await recordMemberEvent(tx, outbox, caller, {
        id,
        userId,
        role,
        type: 'member.joined',
        at: clock(),
      })
      return (await findMember(caller.scope, tx, id)) ?? missing()
    },
    changeRole: (caller, id, role, ifMatch) =>
      database.write(async tx => {
        const member = await lockForChange(caller, tx, id, ifMatch)
        checkMayGive(caller, role, member.role)
        if (role === 'owner' && member.kind === 'service') {
          throw invalidField('role', 'A service account cannot own a workspace')
        }
        return changes.giveRole(tx, caller, member, { role, action: 'member.update' })
      }),
    remove: (caller, id, { ifMatch, dryRun }) =>
      database.write(async tx => {
        // The member's keys go along, and may reach further.
        checkIsNotNarrowed(caller, 'remove a member')
        const member = await lockForChange(caller, tx, id, ifMatch)
        return changes.end(tx, caller, member, { action: 'member.delete', dryRun })
      }),
  }
}

/** The people who may look after the workspace, owners first; service accounts read no mail. */
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

const missing = (): never => {
  throw notFound()
}

async function lockForChange(
  caller: Caller,
  tx: Tx,
  id: string,
  ifMatch: string | null,
): Promise<MemberRecord> {
  await lockWorkspace(caller.scope, tx)
  const member = (await findMember(caller.scope, tx, id)) ?? missing()
  checkRevision(ifMatch, member)
  checkRoleWithinReach(caller, member.role)
  return member
}
