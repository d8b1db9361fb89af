/** Who a bearer token stands for: a key's is known by `sk_`, a person's by `ct_`. What teams keep from them is the same. */
import { createAuthenticator, type KeyAuthenticator } from './features/api-keys/authenticator.ts'
import { createCurrentCaller } from './features/api-keys/current-caller.ts'
import { createPersonAuthenticator } from './features/persons/authenticator.ts'
import { createCurrentPerson } from './features/persons/current-caller.ts'
import { createReach } from './features/workspaces/reach-service.ts'
import type { Caller } from './platform/caller.ts'

export function createAuthenticators(
  dependencies: Parameters<typeof createAuthenticator>[0],
): KeyAuthenticator {
  const keys = createAuthenticator(dependencies)
  const persons = createPersonAuthenticator(dependencies)
  const reach = createReach(dependencies)
  const of = (token: string) => (token.startsWith('ct_') ? persons : keys)
  return {
    isWellFormed: token => of(token).isWellFormed(token),
    wasValid: token => of(token).wasValid(token),
    async find(token, request) {
      const found = await of(token).find(token, request)
      if (found === null) return null
      const caller = await reach.within(found.caller)
      return caller === found.caller ? found : { ...found, caller }
    },
    forget() {
      reach.forget()
      keys.forget()
      persons.forget()
    },
    async flush() {
      await keys.flush()
      await persons.flush()
    },
    async close() {
      await keys.close()
      await persons.close()
    },
  }
}

/** What the caller of a run may do now; null where that is nothing any more. */
export function createCurrentCallers(dependencies: Parameters<typeof createCurrentCaller>[0]) {
  const keys = createCurrentCaller(dependencies)
  const persons = createCurrentPerson(dependencies)
  const reach = createReach(dependencies)
  return async (caller: Caller): Promise<Caller | null> => {
    const now = await (caller.kind === 'person' ? persons(caller) : keys(caller))
    return now === null ? null : reach.now(now)
  }
}
