/** The first owner: named by whoever has the setup link, and signed in. */

import type { Clock } from '../../platform/clock.ts'
import { dayMs } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { invalidField } from '../../platform/errors.ts'
import type { AccountService } from './account-service.ts'
import { findPassword } from './accounts-store.ts'
import { type Links, unusable } from './links.ts'
import { firstOwnerEmail, type IdentityService } from './service.ts'
import type { Client, Sessions } from './sessions-service.ts'
import { nameUser, type UserRow } from './store.ts'

export type SetupService = {
  /** True while nobody has taken the place of the first owner. */
  isRequired(): Promise<boolean>
  /** The token of the link by which the first owner names themselves. */
  invite(tx: Tx, userId: string): Promise<string>
  /** Names the first owner and signs them in. Throws a 400 for the field that is at fault. */
  complete(form: SetupForm, client: Client): Promise<{ person: UserRow; cookie: string }>
}

export type SetupForm = { token: string; name: string; email: string; password: string }

const lifetimeMs = 365 * dayMs

export function createSetupService(dependencies: {
  database: Database
  clock: Clock
  identity: IdentityService
  accounts: AccountService
  sessions: Sessions
  links: Links
}): SetupService {
  const { database, clock, identity, accounts, sessions, links } = dependencies
  return {
    async isRequired() {
      const owner = await identity.findByEmail(database.read, firstOwnerEmail)
      return owner !== undefined && !(await accounts.hasAccount(owner.id))
    },
    invite: (tx, userId) => links.make(tx, { purpose: 'setup', userId, lifetimeMs, provesAddress: false }),
    async complete({ token, name, email, password }, client) {
      // Before the password is hashed: a stranger without a link gets no work done.
      await links.find(database.read, 'setup', token)
      const hash = await accounts.prepare(password, email)
      return database.write(async tx => {
        const { userId } = await links.take(tx, 'setup', token)
        if ((await findPassword(tx, userId)) !== undefined) throw unusable()
        const known = await identity.findByEmail(tx, email)
        if (known !== undefined && known.id !== userId) {
          throw invalidField('email', 'belongs to somebody else already')
        }
        await nameUser(tx, userId, { name, email, now: clock() })
        await accounts.give(tx, userId, hash)
        const person = await identity.findByEmail(tx, email)
        if (person === undefined) throw unusable()
        return { person, cookie: await sessions.begin(tx, userId, client) }
      })
    },
  }
}
