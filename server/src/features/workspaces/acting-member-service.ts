/** A member in whose name the server goes on working, long after their request: what they may do now counts. */
import { type Caller, rolePermissions, type Scope, systemCaller } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { NewId } from '../../platform/ids.ts'
import { findActingMember } from './members-store.ts'
import { createReach } from './reach-service.ts'

/** Null where they are no member any more, or the workspace is deleted. Also for a service account. */
export type ActingMember = (scope: Scope, userId: string | null) => Promise<Caller | null>

export function createActingMember(dependencies: {
  database: Database
  clock: Clock
  newId: NewId
}): ActingMember {
  const { database, newId } = dependencies
  const reach = createReach(dependencies)
  return async ({ workspaceId, environment }, userId) => {
    if (userId === null) return null
    const scope = { workspaceId, environment }
    const member = await findActingMember(scope, database.read, userId)
    if (member === undefined || member.deletesAt !== null) return null
    return reach.now({
      ...systemCaller(scope, newId('request'), userId),
      role: member.role,
      permissions: new Set(rolePermissions[member.role]),
      plan: member.plan,
      requestsPerMinute: member.rateLimit,
    })
  }
}
