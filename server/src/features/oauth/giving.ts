/** A person gives an app a part of what they may do themselves, in one workspace and environment. */
import type { AppAudience, PersonCaller } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { invalidField, limitReached, ServiceError } from '../../platform/errors.ts'
import type { GrantKeys } from '../api-keys/grants-service.ts'
import type { Callers } from '../authentication/callers-service.ts'
import type { Client } from './clients.ts'
import type { Grant } from './schemas.ts'
import { countGrants, lockGiver } from './store.ts'

/** Somebody who is signed in, and the request by which they decide. */
export type Decider = { sessionId: string; userId: string; requestId: string; address: string }

type Receiver = {
  client: Client
  /** Where the app's browser or device is. */
  host: string
  audience: AppAudience
  asked: readonly string[]
  /** How long the app may take to fetch its tokens. */
  lastsMs: number
}

export type Giving = ReturnType<typeof createGiving>

export const maxGrants = 200

export function createGiving(dependencies: { clock: Clock; callers: Callers; grantKeys: GrantKeys }) {
  const { clock, callers, grantKeys } = dependencies

  const callerOf = async (
    { sessionId, userId, requestId, address }: Decider,
    { workspaceId, environment }: Pick<Grant, 'workspaceId' | 'environment'>,
  ): Promise<PersonCaller> => {
    const claims = { sessionId, userId, workspaceId, environment }
    const known = await callers.bySession(claims, { requestId, address, idempotencyId: null })
    if (known === null) throw invalidField('grant.workspaceId', 'There is no such workspace for you')
    if (known.refusal !== null) throw known.refusal
    return callers.applyAccess(known.caller)
  }

  return {
    callerOf,

    /**
     * Throws a 400 that names each part which is more than was asked for, or than the person has. What it returns makes the
     * grant within a transaction.
     */
    async prepare(
      decider: Decider,
      given: Grant,
      { client, host, audience, asked, lastsMs }: Receiver,
    ): Promise<(tx: Tx) => Promise<{ id: string }>> {
      const caller = await callerOf(decider, given)
      if (caller.plan === 'free') throw new ServiceError('plan_required')
      const unasked = given.permissions.findIndex(permission => !asked.includes(permission))
      if (unasked !== -1) throw invalidField(`grant.permissions.${unasked}`, 'was not asked for')
      const { permissions, agentIds, collectionIds } = given
      const give = await grantKeys.prepare(caller, {
        name: client.name,
        permissions,
        agentIds,
        collectionIds,
        app: { clientId: client.id, host, audience },
        expiresAt: clock() + lastsMs,
      })
      return async tx => {
        // Of two grants at once, the second counts the first.
        await lockGiver(tx, decider.userId)
        if ((await countGrants(tx, decider.userId, clock())) >= maxGrants) {
          const message = `You have ${maxGrants} apps connected: disconnect one in your account`
          throw limitReached('apps', maxGrants, message)
        }
        return give(tx)
      }
    },
  }
}

/** Another tab may have signed in somebody else, who has seen none of this. */
export function checkSame(decider: Decider, userId: string): void {
  if (decider.userId === userId) return
  throw invalidField('userId', 'Somebody else is signed in meanwhile. Reload the page.')
}
