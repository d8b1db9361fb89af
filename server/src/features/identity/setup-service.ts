/** The first owner: the person who has the setup link names themselves, and is signed in. */
import { dayMs } from '../../platform/clock.ts'
import type { Query, Tx } from '../../platform/database/database.ts'
import { invalidField } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import type { AccountLog, Visitor } from './account-log.ts'
import type { AccountService } from './account-service.ts'
import { firstOwnerEmail, type IdentityService } from './service.ts'
import type { Sessions } from './sessions-service.ts'
import { findPassword, nameUser, type UserRow } from './store.ts'
import { unusable, usable, type Verifications } from './verifications.ts'

export type SetupService = ReturnType<typeof createSetupService>

export type SetupForm = { token: string; name: string; email: string; password: string }

const lifetimeMs = 365 * dayMs

export function createSetupService(
  dependencies: Pick<Platform, 'database' | 'clock'> & {
    identity: IdentityService
    accounts: AccountService
    sessions: Sessions
    verifications: Verifications
    accountLog: AccountLog
  },
) {
  const { database, clock, identity, accounts, sessions, verifications, accountLog } = dependencies
  /** Throws if another link has named the first owner meanwhile. */
  const requireFree = async (query: Query, userId: string): Promise<void> => {
    if ((await findPassword(query, userId)) !== undefined) throw unusable()
  }
  return {
    /** Throws a 400 for `token`, as `complete` would for any form. */
    async check(token: string): Promise<void> {
      const { userId } = usable(await verifications.find(database.read, 'setup', token))
      await requireFree(database.read, userId)
    },
    /** True while the server has no first owner. */
    async isRequired(): Promise<boolean> {
      const owner = await identity.findByEmail(database.read, firstOwnerEmail)
      return owner !== undefined && !(await accounts.hasAccount(owner.id))
    },
    /** The token of the link by which the first owner names themselves. */
    invite: (tx: Tx, userId: string): Promise<string> =>
      verifications.make(tx, 'setup', { userId, provesAddress: false, lifetimeMs }),
    /** Names the first owner and signs them in. Throws a 400 for the field that is at fault. */
    async complete(
      { token, name, email, password }: SetupForm,
      visitor: Visitor,
    ): Promise<{ person: UserRow; cookie: string }> {
      // Before the password is hashed: a stranger without a link gets no work done.
      usable(await verifications.find(database.read, 'setup', token))
      // That name says that the first owner has none yet.
      if (email === firstOwnerEmail) throw invalidField('email', 'has a form that cannot be used to sign in')
      const hash = await accounts.prepare(password, email)
      return database.write(async tx => {
        const { userId } = usable(await verifications.take(tx, 'setup', token))
        const known = await identity.findByEmail(tx, email)
        if (known !== undefined && known.id !== userId) {
          throw invalidField('email', 'belongs to somebody else already')
        }
        // Locks the person, so of two links that are used at once the second one sees the password of the first.
        await nameUser(tx, userId, { name, email, now: clock() })
        await requireFree(tx, userId)
        await accounts.give(tx, userId, hash)
        const person = await identity.findByEmail(tx, email)
        if (person === undefined) throw unusable()
        await accountLog.record(tx, visitor, userId, { action: 'account.set_up', details: { email } })
        return { person, cookie: await sessions.begin(tx, userId, visitor) }
      })
    },
  }
}
