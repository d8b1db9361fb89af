/** What a person may do now, for work that goes on after the request by which they began it. */
import type { Caller } from '../../platform/caller.ts'
import type { Database } from '../../platform/database/database.ts'
import { callerOf } from './person-caller.ts'
import { findByMembership } from './store.ts'

/**
 * The caller with what the person may do now; null where they are no member any more, or the workspace is deleted. The
 * session may have ended: who closes the laptop still wants the answer. Whoever is no person acts as before.
 */
export const createCurrentPerson =
  ({ database }: { database: Database }) =>
  async (caller: Caller): Promise<Caller | null> => {
    if (caller.kind !== 'person' || caller.userId === null) return caller
    const person = await findByMembership(caller.scope, database.read, caller.userId)
    if (person === undefined || person.deletesAt !== null) return null
    const { requestId, address, idempotencyId, scope } = caller
    return { ...callerOf(person, scope.environment), requestId, address, idempotencyId }
  }
