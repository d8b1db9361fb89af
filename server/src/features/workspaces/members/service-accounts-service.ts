/** Service accounts: members that are no persons, whose keys outlive the people who made them. */
import type { Caller, Plan } from '../../../platform/caller.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { AuditService } from '../../audit/service.ts'
import type { Outbox } from '../../events/outbox-service.ts'
import type { NewServiceAccount } from '../records/members-schemas.ts'
import type { MemberRecord } from '../records/members-store.ts'
import { checkMayGive } from '../records/roles.ts'
import { lockWorkspace } from '../records/workspace-lock.ts'
import { addMember, checkMemberLimit } from './member-changes.ts'

export type ServiceAccountService = ReturnType<typeof createServiceAccountService>

/** A domain that cannot exist (RFC 2606): no mail reaches it, and no person can prove to own it. */
const addressOf = (memberId: string): string => `${memberId.replace('_', '-')}@service.invalid`

/** Makes the row that keys belong to; handed in, since the feature that knows people comes later. */
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
    /** Throws `permission_missing` for a role that is above the caller's or holds what the caller lacks, and `member_limit`. */
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
