/** What is kept from a member by the teams' access: the same for their keys and for themselves, be it in a request or a run. */
import type { Caller, Environment, Role, Withheld } from '../../platform/caller.ts'
import { type Clock, secondMs } from '../../platform/clock.ts'
import type { Database, Query } from '../../platform/database/database.ts'
import { readWithheld } from './reach-store.ts'

/** Owners and admins reach what any team reaches. */
const reachesEverything = (role: Role): boolean => role === 'owner' || role === 'admin'

/** Undefined where nothing is kept from the member. */
const reachOf = async (
  query: Query,
  workspaceId: string,
  environment: Environment,
  userId: string,
  role: Role,
): Promise<Withheld | undefined> =>
  reachesEverything(role) ? undefined : readWithheld({ workspaceId, environment }, query, userId)

export type Reach = {
  /** The caller with what is kept from them, as it was known at most five seconds ago. */
  within(caller: Caller): Promise<Caller>
  /** The same as it is now, for work that goes on. */
  now(caller: Caller): Promise<Caller>
  /** Drops what is cached, so that a change made in this process holds from the next request on. */
  forget(): void
}

/** Half of the time within which a change holds on every server. */
const cachedMs = 5 * secondMs
const maxCached = 10_000

export function createReach({ database, clock }: { database: Database; clock: Clock }): Reach {
  const cache = new Map<string, { withheld: Withheld | undefined; until: number }>()

  const look = async (caller: Caller, userId: string): Promise<Withheld | undefined> => {
    const { workspaceId, environment } = caller.scope
    return reachOf(database.read, workspaceId, environment, userId, caller.role)
  }

  return {
    async within(caller) {
      const { userId, role, scope } = caller
      if (userId === null || reachesEverything(role)) return caller
      const name = `${scope.workspaceId} ${scope.environment} ${userId}`
      const now = clock()
      const cached = cache.get(name)
      if (cached !== undefined && cached.until > now) return narrowed(caller, cached.withheld)
      const withheld = await look(caller, userId)
      cache.delete(name)
      cache.set(name, { withheld, until: now + cachedMs })
      // The oldest makes room.
      const oldest = cache.size > maxCached ? cache.keys().next().value : undefined
      if (oldest !== undefined) cache.delete(oldest)
      return narrowed(caller, withheld)
    },
    async now(caller) {
      const { userId, role } = caller
      if (userId === null || reachesEverything(role)) return caller
      return narrowed(caller, await look(caller, userId))
    },
    forget: () => cache.clear(),
  }
}

/** What was kept from them before no longer counts. */
const narrowed = (caller: Caller, withheld: Withheld | undefined): Caller => {
  if (caller.scope.withheld === undefined && withheld === undefined) return caller
  const { withheld: _, ...scope } = caller.scope
  return { ...caller, scope: withheld === undefined ? scope : { ...scope, withheld } }
}
