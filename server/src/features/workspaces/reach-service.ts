/** What is kept from a member by the teams' access: the same for their keys and for themselves, be it in a request or a run. */
import type { Caller, Role, Withheld } from '../../platform/caller.ts'
import { type Clock, secondMs } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { createLookUps } from '../../platform/look-ups.ts'
import { readWithheld } from './reach-store.ts'

/** Owners and admins reach what any team reaches. */
const reachesEverything = (role: Role): boolean => role === 'owner' || role === 'admin'

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
  const cache = createLookUps<{ withheld: Withheld | undefined }>({
    clock,
    keptMs: cachedMs,
    limit: maxCached,
  })

  const look = ({ scope }: Caller, userId: string): Promise<Withheld | undefined> =>
    readWithheld(scope, database.read, userId)

  return {
    async within(caller) {
      const { userId, role, scope } = caller
      if (userId === null || reachesEverything(role)) return caller
      const name = `${scope.workspaceId} ${scope.environment} ${userId}`
      const found = await cache.find(name, async () => ({ withheld: await look(caller, userId) }))
      return narrowed(caller, found?.withheld)
    },
    async now(caller) {
      const { userId, role } = caller
      if (userId === null || reachesEverything(role)) return caller
      return narrowed(caller, await look(caller, userId))
    },
    forget: cache.forget,
  }
}

/** What was kept from them before no longer counts. */
const narrowed = (caller: Caller, withheld: Withheld | undefined): Caller => {
  if (caller.scope.withheld === undefined && withheld === undefined) return caller
  const { withheld: _, ...scope } = caller.scope
  return { ...caller, scope: withheld === undefined ? scope : { ...scope, withheld } }
}
