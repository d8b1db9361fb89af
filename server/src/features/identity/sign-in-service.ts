/**
 * Signing in by e-mail address and password, and signing out. A person with a second factor is then asked for a code.
 */
import { ServiceError } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import type { AccountLog, Visitor } from './account-log.ts'
import type { Attempts } from './attempts.ts'
import type { Cookies } from './cookies.ts'
import type { SecondFactorService } from './second-factor.ts'
import type { Sessions } from './sessions-service.ts'
import { findPassword, findUser, findUserByEmail, lockPassword, markVerified } from './store.ts'
import type { Verifications } from './verifications.ts'

/** `verificationToken` is from the link that was mailed to the address. */
export type Credentials = {
  email: string
  password: string
  rememberMe?: boolean
  verificationToken?: string
}

export type SignInService = ReturnType<typeof createSignInService>

export function createSignInService(
  dependencies: Pick<Platform, 'database' | 'clock' | 'passwords' | 'mailer' | 'log'> & {
    cookies: Cookies
    sessions: Sessions
    secondFactor: SecondFactorService
    verifications: Verifications
    attempts: Attempts
    accountLog: AccountLog
  },
) {
  const { database, clock, passwords, mailer, log, cookies } = dependencies
  const { sessions, secondFactor, verifications, attempts, accountLog } = dependencies

  /**
   * Accepts the link only together with the password. A mail scanner that opens the link has no password. If a
   * stranger signed up with the address, its owner did not choose the password. Throws `email_not_verified`.
   */
  const verifyAddress = (userId: string, token: string | undefined): Promise<void> =>
    database.write(async tx => {
      const link = token === undefined ? null : await verifications.take(tx, 'verify-email', token)
      if (link?.userId === userId) return markVerified(tx, userId, clock())
      // The browser may have sent the same link twice.
      const isVerified = (await findUser(tx, userId))?.email_verified === 1
      if (!isVerified) throw new ServiceError('email_not_verified')
    })

  return {
    /**
     * The browser's existing session stays. Throws `sign_in_refused` for any wrong part, and also
     * `email_not_verified` and `rate_limited`.
     */
    async signIn(
      visitor: Visitor,
      { email, password, rememberMe = true, verificationToken }: Credentials,
    ): Promise<{ twoFactorRequired: boolean; cookies: string[] }> {
      await attempts.signIn(email, visitor.address)
      // An address without a password causes the same work: the time must not reveal whether it has one.
      const person = await findUserByEmail(database.read, email)
      const hash = (await findPassword(database.read, person?.id ?? ''))?.password
      const isRight = await (hash === undefined
        ? passwords.hash(password, visitor.address).then(() => false)
        : passwords.verify(password, hash, visitor.address))
      if (person === undefined || !isRight) {
        log.info('A sign-in was refused', { address: visitor.address })
        accountLog.refused(visitor, async () => person?.id ?? null, 'password')
        throw new ServiceError('sign_in_refused')
      }
      // Without a mail server no person could prove an address.
      if (mailer.available && person.email_verified === 0) {
        await verifyAddress(person.id, verificationToken)
      }
      await attempts.signedIn(email, visitor.address)
      const twoFactorRequired = person.two_factor_enabled === 1
      if (twoFactorRequired) await attempts.challenge(email)
      const { id: userId } = person
      return database.write(async tx => {
        // The password may have been replaced during the check, which ends every session of the old one. The second
        // factor may also have changed.
        const current = await lockPassword(tx, userId)
        const factor = (await findUser(tx, userId))?.two_factor_enabled
        if (current?.password !== hash || factor !== person.two_factor_enabled) {
          throw new ServiceError('sign_in_refused')
        }
        if (twoFactorRequired) {
          return { twoFactorRequired, cookies: await secondFactor.begin(tx, userId, { rememberMe }) }
        }
        const cookie = await sessions.begin(tx, userId, visitor, { rememberMe })
        const details = { method: 'password' }
        await accountLog.record(tx, visitor, userId, { action: 'account.sign_in', details })
        return { twoFactorRequired, cookies: [cookie] }
      })
    },

    /** Ends the session, if there is one; returns the header that removes its cookie. */
    async signOut(visitor: Visitor): Promise<string[]> {
      const session = await sessions.find(visitor.cookie)
      if (session !== null) await sessions.end(session.userId, session.sessionId)
      return [cookies.clear('session_token')]
    },
  }
}
