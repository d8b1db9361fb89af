/** Service accounts: members that are no persons, whose keys outlive the people who made them. */
import type { Caller, Plan } from '../../../platform/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Tx } from '../../../platform/database/database.ts'
import { found, ServiceError } from '../../../platform/errors.ts'
import type { NewId } from '../../../platform/ids.ts'
import type { AuditService } from '../../audit/service.ts'
import type { Outbox } from '../../events/outbox-service.ts'
import type { NewServiceAccount } from '../records/members-schemas.ts'
import { countMembers, findMember, insertMember, type MemberRecord } from '../records/members-store.ts'
import { checkMayGive } from '../records/roles.ts'
import { lockWorkspace } from '../records/workspace-lock.ts'
import { recordMemberEvent } from './member-outbox.ts'

export type ServiceAccountService = ReturnType<typeof createServiceAccountService>

/** A domain that cannot exist (RFC 2606): no mail reaches it, and no person can prove to own it. */
const addressOf = (memberId: string): string => `${memberId.replace('_', '-')}@service.invalid`

/** Makes the row that keys belong to; handed in, since the feature that knows people comes later. */
export type PeopleToCreate = {
  create(tx: Tx, person: { email: string; name: string; emailVerified: boolean }): Promise<{ id: string }>
}

export function createServiceAccountService(dependencies: {
  database: Database
  clock: Clock
  newId: NewId
  audit: AuditService
  outbox: Outbox
  people: PeopleToCreate
  memberLimit: (plan: Plan) => number
}) {
  const { database, clock, newId, audit, outbox, people, memberLimit } = dependencies
  return {
    /** Throws `permission_missing` for a role that is above the caller's or holds what the caller lacks, and `member_limit`. */
    create: (caller: Caller, { name: wantedName, role }: NewServiceAccount): Promise<MemberRecord> =>
      database.write(async tx => {
        const { scope } = caller
        const { plan } = await lockWorkspace(scope, tx)
        checkMayGive(caller, role)
        const limit = memberLimit(plan)
        if ((await countMembers(scope, tx)) >= limit) {
          throw new ServiceError(
            'member_limit',
            `The workspace has the ${limit} members that its plan allows`,
          )
        }
        const name = wantedName.trim()
        const id = newId('member')
        const person = { email: addressOf(id), name, emailVerified: false }
        const { id: userId } = await people.create(tx, person)
        await insertMember(scope, tx, {
          id,
          workspace_id: scope.workspaceId,
          user_id: userId,
          role,
          kind: 'service',
          joined_at: clock(),
          last_active_at: null,
          revision: 1,
        })
        const details = { userId, role, kind: 'service', name }
        await audit.record(tx, caller, { action: 'member.create', resourceId: id, details })
        await recordMemberEvent(tx, outbox, caller, {
          id,
          userId,
          role,
          type: 'member.joined',
          at: clock(),
        })
        return found(await findMember(scope, tx, id))
      }),
  }
}
