/**
 * Second factors: turns them on and off, and checks codes, as a step of sign-in or as proof that the factor works.
 */
import { createHash, randomBytes } from 'node:crypto'
import { minuteMs } from '../../platform/clock.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import { isSame, randomToken } from '../../platform/crypto/tokens.ts'
import { stepOf, totpUri } from '../../platform/crypto/totp.ts'
import type { Tx } from '../../platform/database/database.ts'
import { invalidField, ServiceError, tooManyRequests } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import type { AccountLog, Visitor } from './account-log.ts'
import { type AccountService, confirmPassword } from './account-service.ts'
import type { Attempts } from './attempts.ts'
import type { Cookies } from './cookies.ts'
import type { Sessions, SignedIn } from './sessions-service.ts'
import {
  lockPassword,
  lockTwoFactor,
  putTwoFactor,
  type TwoFactorRow,
  turnOffTwoFactor,
  turnOnTwoFactor,
  updateTwoFactor,
} from './store.ts'
import type { Verification, Verifications } from './verifications.ts'

/** A code as a person typed it. */
type Code = { kind: 'totp' | 'backup-code'; text: string }

export type SecondFactorService = ReturnType<typeof createSecondFactorService>

type Dependencies = Pick<Platform, 'database' | 'keyring' | 'clock' | 'newId' | 'passwords'> & {
  cookies: Cookies
  sessions: Sessions
  verifications: Verifications
  attempts: Attempts
  accountLog: AccountLog
  accounts: AccountService
}

/** An error here is thrown after the commit, so that a wrong code stays counted. */
type Outcome = { userId: string; cookies: string[] } | ServiceError

const stepLifetimeMs = 10 * minuteMs
const codesOfStep = 5
/** Wrong codes in a row, over all steps. */
const codesUntilLock = 10
const lockMs = 15 * minuteMs

const keyBytes = 20
const recoveryCodes = 10

export function createSecondFactorService(dependencies: Dependencies) {
  const { database, keyring, newId, cookies, sessions, verifications, attempts, accountLog } = dependencies
  const { accounts } = dependencies

  const confirmed = async (visitor: Visitor, password: string): Promise<string> => {
    const { userId } = await sessions.require(visitor.cookie)
    await confirmPassword(dependencies, visitor, userId, password)
    return userId
  }

  return {
    /** Begins the second step in the transaction that checked the password; returns its cookies. */
    async begin(tx: Tx, userId: string, { rememberMe }: { rememberMe: boolean }): Promise<string[]> {
      const step = { userId, rememberMe, wrongCodes: 0, lifetimeMs: stepLifetimeMs }
      const token = await verifications.make(tx, 'second-step', step)
      // The cookie of an earlier session would hide that a code is needed.
      return [cookies.clear('session_token'), cookies.sign('two_factor', token, stepLifetimeMs)]
    },

    /**
     * Makes a new secret and new recovery codes, which replace the old ones. A person's first second factor counts
     * only after a code has proven it. Throws a 400 for `password`.
     */
    async enable(visitor: Visitor, password: string): Promise<{ totpURI: string; backupCodes: string[] }> {
      const userId = await confirmed(visitor, password)
      const key = randomBytes(keyBytes)
      const codes = newRecoveryCodes()
      const row = {
        id: newId('twoFactor'),
        user_id: userId,
        secret: sealTotpSecret(keyring, userId, { key, usedStep: 0 }),
        backup_codes: sealRecoveryCodes(keyring, userId, codes),
      }
      await database.write(tx => putTwoFactor(tx, row))
      const { email } = await accounts.person(userId)
      return { totpURI: totpUri(key, email), backupCodes: codes }
    },

    /** Throws a 400 for `password`. */
    async disable(visitor: Visitor, password: string): Promise<void> {
      const userId = await confirmed(visitor, password)
      await database.write(async tx => {
        await turnOffTwoFactor(tx, userId)
        await accountLog.record(tx, visitor, userId, { action: 'account.second_factor_off' })
      })
    },

    /** The old codes stop working. Throws a 400 for `password`, and `second_factor_off` if no second factor is on. */
    async newRecoveryCodes(visitor: Visitor, password: string): Promise<string[]> {
      const userId = await confirmed(visitor, password)
      const codes = newRecoveryCodes()
      await database.write(async tx => {
        const factor = await lockTwoFactor(tx, userId)
        if (factor?.verified !== 1) throw notOn()
        await updateTwoFactor(tx, userId, { backup_codes: sealRecoveryCodes(keyring, userId, codes) })
        await accountLog.record(tx, visitor, userId, { action: 'account.recovery_codes' })
      })
      return codes
    },

    /**
     * Accepts each code once, and returns the cookies of the session that it begins. For a person who is signed in,
     * it proves that the second factor works, and turns it on. Throws a 400 for `code`, `second_factor_off` if there
     * is no second factor, `sign_in_required` if there is no second step, and `rate_limited`.
     */
    async verify(visitor: Visitor, code: Code): Promise<string[]> {
      const session = await sessions.find(visitor.cookie)
      const outcome = await database.write(tx =>
        session === null
          ? signInByCode(dependencies, tx, visitor, code)
          : proveByCode(dependencies, tx, visitor, session, code),
      )
      if (outcome instanceof ServiceError) throw outcome
      const { email } = await accounts.person(outcome.userId)
      await attempts.passed(email)
      return outcome.cookies
    },
  }
}

async function signInByCode(
  dependencies: Dependencies,
  tx: Tx,
  visitor: Visitor,
  code: Code,
): Promise<Outcome> {
  const { clock, cookies, sessions, verifications, accountLog } = dependencies
  const { id, userId, rememberMe, wrongCodes } = await openStep(dependencies, tx, visitor)
  const factor = await lockTwoFactor(tx, userId)
  if (factor?.verified !== 1) throw notOn()
  if ((factor.locked_until ?? 0) > clock()) throw tooMany('try again in 15 minutes', lockMs / 1000)
  if (wrongCodes >= codesOfStep) {
    await verifications.remove(tx, id)
    return tooMany('begin with the e-mail address and the password again', 1)
  }
  if (!(await takeCode(dependencies, tx, factor, code))) {
    await verifications.replace<'second-step'>(tx, id, { userId, rememberMe, wrongCodes: wrongCodes + 1 })
    await countWrongCode(tx, factor, clock())
    return wrong(dependencies, tx, visitor, userId)
  }
  await verifications.remove(tx, id)
  await updateTwoFactor(tx, userId, { failed_verification_count: 0, locked_until: null })
  const cookie = await sessions.begin(tx, userId, visitor, { rememberMe })
  await accountLog.record(tx, visitor, userId, { action: 'account.sign_in', details: { method: code.kind } })
  return { userId, cookies: [cookie, cookies.clear('two_factor')] }
}

/** Finds the second step by its cookie. The step is not valid if the password has changed since it began. */
async function openStep(
  { cookies, verifications }: Dependencies,
  tx: Tx,
  { cookie }: Visitor,
): Promise<Verification<'second-step'>> {
  const token = cookies.open('two_factor', cookie)
  const step = token === null ? null : await verifications.lock(tx, 'second-step', token)
  const password = step === null ? undefined : await lockPassword(tx, step.userId)
  if (step === null || password === undefined || password.updatedAt > step.createdAt) {
    throw new ServiceError('sign_in_required', 'Begin with the e-mail address and the password again')
  }
  return step
}

/**
 * Wrong codes of a person who is signed in are not counted: a stolen session must not be able to lock its person out.
 */
async function proveByCode(
  dependencies: Dependencies,
  tx: Tx,
  visitor: Visitor,
  { userId }: SignedIn,
  code: Code,
): Promise<Outcome> {
  const factor = await lockTwoFactor(tx, userId)
  if (factor === undefined) throw notOn()
  if (!(await takeCode(dependencies, tx, factor, code))) return wrong(dependencies, tx, visitor, userId)
  if (code.kind === 'totp' && factor.verified === 0) {
    await turnOnTwoFactor(tx, userId)
    await dependencies.accountLog.record(tx, visitor, userId, { action: 'account.second_factor_on' })
  }
  return { userId, cookies: [] }
}

/** False if the code is wrong or was used before. A right code is used up with the transaction. */
async function takeCode(
  { keyring, clock }: Dependencies,
  tx: Tx,
  { user_id: userId, secret: sealedSecret, backup_codes: sealedCodes }: TwoFactorRow,
  { kind, text }: Code,
): Promise<boolean> {
  if (kind === 'totp') {
    const { key, usedStep } = await openTotpSecret(keyring, userId, sealedSecret)
    const step = stepOf(key, text, { now: clock(), usedStep })
    if (step === null) return false
    await updateTwoFactor(tx, userId, { secret: sealTotpSecret(keyring, userId, { key, usedStep: step }) })
    return true
  }
  const codes = await openRecoveryCodes(keyring, userId, sealedCodes)
  const given = Buffer.from(text)
  const rest = codes.filter(unused => !isSame(given, Buffer.from(unused)))
  if (rest.length === codes.length) return false
  await updateTwoFactor(tx, userId, { backup_codes: sealRecoveryCodes(keyring, userId, rest) })
  return true
}

async function countWrongCode(tx: Tx, factor: TwoFactorRow, now: number): Promise<void> {
  // After a lock has ended, the count begins again.
  const before = factor.locked_until === null ? factor.failed_verification_count : 0
  const count = before + 1
  await updateTwoFactor(tx, factor.user_id, {
    failed_verification_count: count,
    locked_until: count >= codesUntilLock ? now + lockMs : null,
  })
}

function wrong({ database, accountLog }: Dependencies, tx: Tx, visitor: Visitor, userId: string) {
  database.afterCommit(tx, () => accountLog.refused(visitor, async () => userId, 'code'))
  return invalidField('code', 'is wrong, or was used before')
}

/** Ten characters, each one of 62: 59 bits for each code. */
const newRecoveryCodes = (): string[] =>
  Array.from({ length: recoveryCodes }, () => {
    const text = randomToken(keyBytes)
    return `${text.slice(-10, -5)}-${text.slice(-5)}`
  })

const notOn = (): ServiceError =>
  new ServiceError('second_factor_off', 'There is no second factor: turn it on first')

const tooMany = (remedy: string, seconds: number): ServiceError =>
  tooManyRequests(`Too many wrong codes: ${remedy}`, seconds)

/** The key of the authenticator app, and the time step of the last accepted code. */
type TotpSecret = { key: Buffer; usedStep: number }

const secretField = (userId: string): string => `${userId}.secret`
const codesField = (userId: string): string => `${userId}.recovery-codes`

const sealTotpSecret = (keyring: Keyring, userId: string, { key, usedStep }: TotpSecret): string =>
  keyring.sealLasting(secretField(userId), JSON.stringify({ key: key.toString('base64'), usedStep }))

async function openTotpSecret(keyring: Keyring, userId: string, sealed: string): Promise<TotpSecret> {
  // In better-auth's rows, each byte of the text is a byte of the key.
  if (isOfBetterAuth(sealed))
    return { key: Buffer.from(await openOfBetterAuth(keyring, sealed)), usedStep: 0 }
  const { key, usedStep } = JSON.parse(keyring.openLasting(secretField(userId), sealed))
  return { key: Buffer.from(key, 'base64'), usedStep }
}

const sealRecoveryCodes = (keyring: Keyring, userId: string, codes: readonly string[]): string =>
  keyring.sealLasting(codesField(userId), JSON.stringify(codes))

async function openRecoveryCodes(keyring: Keyring, userId: string, sealed: string): Promise<string[]> {
  if (isOfBetterAuth(sealed)) return JSON.parse(await openOfBetterAuth(keyring, sealed))
  return JSON.parse(keyring.openLasting(codesField(userId), sealed))
}

// better-auth 1.7 signed people in before we did. It wrote `$ba$`, the version of its key, `$`, and in hexadecimal a
// nonce of 24 bytes before XChaCha20-Poly1305. A row gets our format at its next use. This code goes with 1.0.

const isOfBetterAuth = (sealed: string): boolean => sealed.startsWith('$ba$')

async function openOfBetterAuth(keyring: Keyring, sealed: string): Promise<string> {
  const [, version, hex = ''] = /^\$ba\$(\d{1,9})\$([0-9a-f]+)$/.exec(sealed) ?? []
  // Loaded only for the first such row.
  const { xchacha20poly1305 } = await import('@noble/ciphers/chacha.js')
  const secret = keyring.keyedHash('sign-in', 'better-auth', Number(version))
  const key = createHash('sha256').update(secret).digest()
  const bytes = Buffer.from(hex, 'hex')
  const opened = xchacha20poly1305(key, bytes.subarray(0, nonceLength)).decrypt(bytes.subarray(nonceLength))
  return Buffer.from(opened).toString()
}

const nonceLength = 24
