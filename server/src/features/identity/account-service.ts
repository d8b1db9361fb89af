/**
 * A person's account: sign-up, proof of the address, password changes and resets, and the first owner's setup link.
 */
import { dayMs } from '../../platform/clock.ts'
import { checkPassword, type Passwords } from '../../platform/crypto/passwords.ts'
import type { Database, Query, Tx } from '../../platform/database/database.ts'
import { invalidField, ServiceError } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import type { AccountLog, Origin, Visitor } from './account-log.ts'
import { accountMailJob, type MailKind, type MailRequest } from './account-mail.ts'
import type { Attempts } from './attempts.ts'
import { firstOwnerEmail, type IdentityService } from './service.ts'
import type { Client, Sessions, SignedIn } from './sessions-service.ts'
import {
  deleteForeignAccounts,
  findPassword,
  findUser,
  hasAccount,
  markVerified,
  nameUser,
  putPassword,
  renameUser,
  turnOffTwoFactor,
  type UserRow,
} from './store.ts'
import { type Kept, unusable, usable, type Verification, type Verifications } from './verifications.ts'

export type AccountService = ReturnType<typeof createAccountService>

/** Handed over by word of mouth, so it lives longer than a mailed link. */
const handedOverLifetimeMs = dayMs

type AccountDependencies = Pick<
  Platform,
  'database' | 'keyring' | 'clock' | 'newId' | 'jobs' | 'mailer' | 'passwords'
> & {
  identity: IdentityService
  sessions: Sessions
  verifications: Verifications
  attempts: Attempts
  accountLog: AccountLog
  signUpOpen: boolean
}

export function createAccountService(dependencies: AccountDependencies) {
  const { database, keyring, clock, newId, jobs, mailer } = dependencies
  const { identity, sessions, passwords, verifications, attempts, accountLog, signUpOpen } = dependencies

  const person = async (userId: string): Promise<UserRow> => {
    const found = await findUser(database.read, userId)
    if (found === undefined) throw new ServiceError('sign_in_required')
    return found
  }
  const give = (tx: Tx, userId: string, password: string) =>
    putPassword(tx, { id: newId('account'), userId, password, now: clock() })
  /** Does the same for addresses with and without an account. */
  const mail = async (kind: MailKind, request: MailRequest) => {
    if (await attempts.mayMail(request.email)) await database.write(tx => enqueueMail(tx, kind, request))
  }
  const enqueueMail = (tx: Tx, kind: MailKind, request: MailRequest) =>
    jobs.enqueue(tx, accountMailJob(keyring, kind, request))
  /** Checks and hashes a password for a person with this address; throws a 400 for `field`. */
  const prepare = async (
    password: string,
    email: string,
    clientAddress: string | null = null,
    field = 'password',
  ): Promise<string> => {
    checkPassword(field, password, email)
    return passwords.hash(password, clientAddress)
  }

  return {
    person,
    /** Sets a person's password, with the transaction that makes or admits the person. */
    give,
    prepare,
    hasAccount: (userId: string): Promise<boolean> => hasAccount(database.read, userId),
    /** The address of the person who is signed in. */
    async signedInAs(cookie: string | undefined): Promise<string | null> {
      const session = await sessions.find(cookie)
      return session === null ? null : (await person(session.userId)).email
    },
    /** Gives a person without an account a password, signs them in, returns the cookie. Throws `already_exists`. */
    async open(tx: Tx, userId: string, passwordHash: string, client: Client): Promise<string> {
      if (await hasAccount(tx, userId))
        throw new ServiceError('already_exists', 'This address has an account already', {
          details: { resource: 'user', field: 'email', id: null },
        })
      await give(tx, userId, passwordHash)
      return sessions.begin(tx, userId, client)
    },
    /** Throws `sign_up_closed`. The reply does not reveal that an address is taken: its owner gets a mail. */
    async signUp(
      { name, email, password }: { name: string; email: string; password: string },
      clientAddress: string,
    ): Promise<{ verificationRequired: boolean }> {
      if (!signUpOpen) throw new ServiceError('sign_up_closed')
      const hash = await prepare(password, email, clientAddress)
      const mayMail = mailer.available && (await attempts.mayMail(email))
      await database.write(async tx => {
        const known = await identity.findByEmail(tx, email)
        if (known === undefined) {
          const made = await identity.create(tx, { name, email, emailVerified: false })
          await give(tx, made.id, hash)
        }
        const kind = known === undefined ? 'verify-email' : 'has-account'
        if (mayMail) await enqueueMail(tx, kind, { email, clientAddress })
      })
      return { verificationRequired: mailer.available }
    },
    async sendVerification(request: MailRequest): Promise<void> {
      if (mailer.available) await mail('verify-email', request)
    },
    /** Mails a link if a person has this address; throws `mail_unavailable` if this server sends no mail. */
    async requestReset(request: MailRequest): Promise<void> {
      if (!mailer.available) {
        const remedy = 'Its operator can make a link for you: user reset-password'
        throw new ServiceError('mail_unavailable', `This server sends no mail. ${remedy}`, {
          details: { setting: 'SMTP_URL' },
        })
      }
      await mail('reset-password', request)
    },
    /** Ends every session of the person. Throws a 400 for `token` or `newPassword`. */
    async resetPassword(origin: Origin, token: string, newPassword: string): Promise<void> {
      const { userId } = usable(await verifications.find(database.read, 'reset-password', token))
      const owner = await person(userId)
      const hash = await prepare(newPassword, owner.email, origin.address, 'newPassword')
      await database.write(async tx => {
        const link = usable(await verifications.take(tx, 'reset-password', token))
        const before = await findPassword(tx, userId)
        // The first link that is used ends the others.
        if (before !== undefined && before.updatedAt > link.createdAt) throw unusable()
        await give(tx, userId, hash)
        if (link.provesAddress) await takeAddress(tx, owner, clock())
        await sessions.endAll(tx, userId, null)
        await accountLog.record(tx, origin, userId, { action: 'account.password_reset' })
      })
    },
    /** Ends every session except the one that asks. Throws a 400 for either password. */
    async changePassword(
      origin: Origin,
      { userId, sessionId }: SignedIn,
      { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
    ): Promise<void> {
      await confirmPassword(dependencies, origin, userId, currentPassword, 'currentPassword')
      const { email } = await person(userId)
      const hash = await prepare(newPassword, email, origin.address, 'newPassword')
      await database.write(async tx => {
        await give(tx, userId, hash)
        await sessions.endAll(tx, userId, sessionId)
        await accountLog.record(tx, origin, userId, { action: 'account.password_change' })
      })
    },
    rename: ({ userId }: SignedIn, name: string): Promise<void> =>
      database.write(tx => renameUser(tx, userId, name, clock())),
    /** Makes a link for a new password, which the operator hands over. */
    handOverLink: (userId: string, options: { turnOffTwoFactor: boolean }) =>
      database.write(async tx => {
        if (options.turnOffTwoFactor) await turnOffTwoFactor(tx, userId)
        const lifetimeMs = handedOverLifetimeMs
        const link = { userId, provesAddress: false, lifetimeMs }
        const token = await verifications.make(tx, 'reset-password', link)
        return { token, expiresAt: clock() + lifetimeMs }
      }),
  }
}

/** A single sign-on that was linked before the address was proven may belong to another person. */
async function takeAddress(tx: Tx, { id, email_verified }: UserRow, now: number): Promise<void> {
  if (email_verified === 0) await deleteForeignAccounts(tx, id)
  await markVerified(tx, id, now)
}

/**
 * Checks the password of a person who is signed in. A stolen session must not allow guessing it. Throws a 400 for
 * `field`, and `rate_limited`.
 */
export async function confirmPassword(
  dependencies: { database: Database; passwords: Passwords; attempts: Attempts; accountLog: AccountLog },
  origin: Origin,
  userId: string,
  password: string,
  field = 'password',
): Promise<void> {
  const { database, passwords, attempts, accountLog } = dependencies
  await attempts.confirm(userId)
  const before = await findPassword(database.read, userId)
  if (before === undefined || !(await passwords.verify(password, before.password, origin.address))) {
    accountLog.refused(origin, async () => userId, 'password')
    throw invalidField(field, 'is wrong')
  }
  await attempts.confirmed(userId)
}

// The first owner: the person with the setup link enters their name and address, and is signed in.

export type SetupService = ReturnType<typeof createSetupService>

/** The link by which the first owner names themselves, and what the first start prints with it. */
export type SetupLink = Pick<Verification<'setup'>, 'token' | 'kept' | 'expiresAt'>

/** The row of `meta` that holds the id of the setup link. */
const linkName = 'setup_link'

type SetupForm = { token: string; name: string; email: string; password: string }

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
  /** Throws if another link has been used to name the first owner meanwhile. */
  const requireFree = async (query: Query, userId: string): Promise<void> => {
    if ((await findPassword(query, userId)) !== undefined) throw unusable()
  }
  const linkId = async (tx: Tx): Promise<string | null> => {
    const row = await tx.selectFrom('meta').select('value').where('name', '=', linkName).executeTakeFirst()
    return row?.value ?? null
  }
  const findLink = async (tx: Tx): Promise<SetupLink | null> => {
    const id = await linkId(tx)
    return id === null ? null : verifications.findSetup(tx, id)
  }
  /** An earlier version may have used another link than the one that is kept. */
  const forgetLink = async (tx: Tx): Promise<void> => {
    const id = await linkId(tx)
    if (id === null) return
    await verifications.remove(tx, id)
    await tx.deleteFrom('meta').where('name', '=', linkName).execute()
  }
  const invite = async (tx: Tx, userId: string, kept: Kept = {}): Promise<SetupLink | null> => {
    await forgetLink(tx)
    const id = await verifications.makeSetup(tx, userId, kept, lifetimeMs)
    await tx.insertInto('meta').values({ name: linkName, value: id }).execute()
    return verifications.findSetup(tx, id)
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
    /** Makes the setup link of the first owner. `kept` is sealed with it, and erased once the link is used. */
    invite,
    /** The setup link, which is shown until it is used. Makes another one if it has expired. Null once it is used. */
    link: (): Promise<SetupLink | null> =>
      database.write(async tx => {
        const owner = await identity.findByEmail(tx, firstOwnerEmail)
        if (owner === undefined || (await hasAccount(tx, owner.id))) return null
        return (await findLink(tx)) ?? (await invite(tx, owner.id))
      }),
    /** Names the first owner and signs them in. Throws a 400 for the faulty field. */
    async complete(
      { token, name, email, password }: SetupForm,
      visitor: Visitor,
    ): Promise<{ person: UserRow; cookie: string }> {
      // Checked before the password is hashed: a stranger without a link must not cause that work.
      usable(await verifications.find(database.read, 'setup', token))
      // This address stands for a first owner who is not named yet.
      if (email === firstOwnerEmail) throw invalidField('email', 'has a form that cannot be used to sign in')
      const hash = await accounts.prepare(password, email, visitor.address)
      return database.write(async tx => {
        const { userId } = usable(await verifications.take(tx, 'setup', token))
        const known = await identity.findByEmail(tx, email)
        if (known !== undefined && known.id !== userId) {
          throw invalidField('email', 'belongs to somebody else already')
        }
        // Locks the person: of two links that are used at once, the second sees the password that the first has set.
        await nameUser(tx, userId, { name, email, now: clock() })
        await requireFree(tx, userId)
        await accounts.give(tx, userId, hash)
        await forgetLink(tx)
        const person = await identity.findByEmail(tx, email)
        if (person === undefined) throw unusable()
        await accountLog.record(tx, visitor, userId, { action: 'account.set_up', details: { email } })
        return { person, cookie: await sessions.begin(tx, userId, visitor) }
      })
    },
  }
}
