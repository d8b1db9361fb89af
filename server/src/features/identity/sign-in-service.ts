/** Signing in and out, second factors and single sign-on: better-auth's endpoints, with our limits around and our errors out of them. */
import type { Keyring } from '../../platform/crypto/keyring.ts'
import type { Database } from '../../platform/database/database.ts'
import { invalidField, ServiceError } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import type { AccountLog, Origin } from './account-log.ts'
import type { Attempts } from './attempts.ts'
import { type AuthHandler, addressHeader, authPath, type BetterAuth, singleSignOnId } from './better-auth.ts'
import { type Links, unusable } from './links.ts'
import type { IdentityService } from './service.ts'
import { challengeCookieName, openSignedCookie, type Sessions, type SignedIn } from './sessions-service.ts'
import { findUser } from './store.ts'

/** Who asks, as far as their request tells. */
export type Visitor = Origin & { cookie: string | undefined; userAgent: string | undefined }

/** What better-auth answered: the body without the session's token, and the cookies to be set. */
export type AuthAnswer = { body: Record<string, unknown>; cookies: string[]; location: string | null }

export type SignInService = ReturnType<typeof createSignInService>

export type Credentials = { email: string; password: string; rememberMe?: boolean }

/** A single sign-on server that does not answer must not hold a request for ever. */
const timeoutMs = 20_000

type Dependencies = {
  auth: BetterAuth
  sessions: Sessions
  attempts: Attempts
  log: Log
  publicUrl: () => string
  database: Database
  keyring: Keyring
  identity: IdentityService
  links: Links
  accountLog: AccountLog
}

export function createSignInService(dependencies: Dependencies) {
  const { auth, sessions, attempts, log, publicUrl, database, identity, accountLog } = dependencies

  const ask = (handler: AuthHandler, visitor: Visitor, path: string, body?: unknown): Promise<AuthAnswer> =>
    askBetterAuth(handler, requestTo(`${publicUrl()}${authPath}${path}`, visitor, body))
  const core = async (visitor: Visitor, path: string, body: unknown) =>
    ask(await auth.core(), visitor, path, body)

  const signedIn = async ({ cookie }: Visitor): Promise<SignedIn> => {
    const session = await sessions.find(cookie)
    if (session === null) throw new ServiceError('sign_in_required')
    return session
  }
  const tell = (visitor: Visitor, answer: AuthAnswer, method: string) =>
    tellSignIn(dependencies, visitor, answer.cookies, method)
  /** A stolen session must not be a place to guess the password at. */
  const confirmed = async (
    visitor: Visitor,
    path: string,
    password: string,
    action: 'account.second_factor_off' | 'account.recovery_codes' | null,
  ): Promise<AuthAnswer> => {
    const { userId } = await signedIn(visitor)
    await attempts.confirm(userId)
    const answer = await core(visitor, path, { password }).catch(error => {
      if (blames(error, 'password')) accountLog.refused(visitor, async () => userId, 'password')
      throw error
    })
    await attempts.confirmed(userId)
    if (action !== null) await database.write(tx => accountLog.record(tx, visitor, userId, { action }))
    return answer
  }

  return {
    /** Throws `sign_in_required`. */
    signedIn,
    /** Throws `sign_in_refused` for whatever is wrong, `email_not_verified` and `rate_limited`. */
    async signIn(
      visitor: Visitor,
      { email, password, rememberMe = true }: Credentials,
    ): Promise<{ twoFactorRequired: boolean; cookies: string[] }> {
      await attempts.signIn(email, visitor.address)
      // A session that is there already is left alone: its cookie would hide that a second factor is asked for.
      const credentials = { email, password, rememberMe }
      const answer = await core({ ...visitor, cookie: undefined }, '/sign-in/email', credentials).catch(
        (error: unknown) => {
          const code = error instanceof ServiceError ? error.code : null
          if (code === 'sign_in_refused') {
            log.info('A sign-in was refused', { address: visitor.address })
            const idOf = async () => (await identity.findByEmail(database.read, email))?.id ?? null
            accountLog.refused(visitor, idOf, 'password')
          }
          throw error
        },
      )
      await attempts.signedIn(email, visitor.address)
      const twoFactorRequired = answer.body.twoFactorRedirect === true
      // Refused, the cookie that opens the second step is not handed over.
      if (twoFactorRequired) await attempts.challenge(email)
      await tell(visitor, answer, 'password')
      return { twoFactorRequired, cookies: answer.cookies }
    },
    signOut: (visitor: Visitor): Promise<AuthAnswer> => core(visitor, '/sign-out', {}),
    /** The address of the single sign-on server, to go to. */
    async beginSingleSignOn(visitor: Visitor, callbackURL: string): Promise<AuthAnswer> {
      const handler = await inTime(auth.withSingleSignOn())
      return ask(handler, visitor, '/sign-in/social', {
        provider: singleSignOnId,
        callbackURL,
        errorCallbackURL: '/sign-in',
        disableRedirect: true,
      })
    },
    /** Where the browser goes on, signed in or with an error. */
    async endSingleSignOn(visitor: Visitor, search: string): Promise<AuthAnswer> {
      const handler = await inTime(auth.withSingleSignOn())
      const answer = await ask(handler, visitor, `/callback/${singleSignOnId}${search}`)
      await tell(visitor, answer, 'single_sign_on')
      return answer
    },
    /** For a person who is signed in and gives the password again; throws a 400 for `password`. */
    enableTwoFactor: (visitor: Visitor, password: string): Promise<AuthAnswer> =>
      confirmed(visitor, '/two-factor/enable', password, null),
    disableTwoFactor: (visitor: Visitor, password: string): Promise<AuthAnswer> =>
      confirmed(visitor, '/two-factor/disable', password, 'account.second_factor_off'),
    newBackupCodes: (visitor: Visitor, password: string): Promise<AuthAnswer> =>
      confirmed(visitor, '/two-factor/generate-backup-codes', password, 'account.recovery_codes'),
    /** The second step of signing in, or the proof that the second factor works; throws a 400 for `code`. */
    async verifyCode(visitor: Visitor, kind: 'totp' | 'backup-code', code: string): Promise<AuthAnswer> {
      const before = await sessions.find(visitor.cookie)
      const person = before === null ? undefined : await findUser(database.read, before.userId)
      const answer = await core(visitor, `/two-factor/verify-${kind}`, { code }).catch(error => {
        if (blames(error, 'code')) accountLog.refused(visitor, () => asked(dependencies, visitor), 'code')
        throw error
      })
      const { id: userId, email } = answer.body.user as { id: string; email: string }
      if (kind === 'totp' && !(await attempts.isFirstUse(userId, code))) {
        await endBegunSession(sessions, answer.cookies)
        accountLog.refused(visitor, async () => userId, 'code')
        throw authFailure(401, { code: 'INVALID_CODE' })
      }
      await attempts.passed(email)
      if (before === null) await tell(visitor, answer, kind)
      else if (person?.two_factor_enabled === 0) {
        const action = 'account.second_factor_on'
        await database.write(tx => accountLog.record(tx, visitor, userId, { action }))
      }
      return answer
    },
  }
}

/** Logs the session that an answer's cookies begin; a session that cannot be logged is ended. */
async function tellSignIn(
  { database, sessions, accountLog }: Dependencies,
  visitor: Visitor,
  cookies: string[],
  method: string,
): Promise<void> {
  const begun = await begunSession(sessions, cookies)
  if (begun === null) return
  const { userId, sessionId } = begun
  const change = { action: 'account.sign_in', details: { method } } as const
  await database
    .write(tx => accountLog.record(tx, visitor, userId, change))
    .catch(async error => {
      await sessions.end(userId, sessionId)
      throw error
    })
}

/** Whose code is asked for: a person who is signed in, or whose password was right. */
async function asked(
  { sessions, keyring, publicUrl, links }: Dependencies,
  { cookie }: Visitor,
): Promise<string | null> {
  const session = await sessions.find(cookie)
  if (session !== null) return session.userId
  const challenge = openSignedCookie(keyring, cookie, challengeCookieName(publicUrl()))
  return challenge === null ? null : links.challenged(challenge)
}

const begunSession = (sessions: Sessions, cookies: string[]): Promise<SignedIn | null> =>
  sessions.find(cookies.map(cookie => cookie.split(';')[0]).join('; '))

const blames = (error: unknown, field: string): boolean =>
  error instanceof ServiceError && error.errors.some(fault => fault.field === field)

/** Ends the session that a repeated code began: a code can be read over a person's shoulder. */
async function endBegunSession(sessions: Sessions, cookies: string[]): Promise<void> {
  const begun = await begunSession(sessions, cookies)
  if (begun !== null) await sessions.end(begun.userId, begun.sessionId)
}

async function askBetterAuth(handler: AuthHandler, request: Request): Promise<AuthAnswer> {
  const response = await inTime(handler(request))
  const text = await response.text()
  const answer = (text === '' ? {} : parsed(text)) as Record<string, unknown>
  if (response.status >= 400) throw authFailure(response.status, answer)
  const { token: _token, user, ...shown } = answer
  const cookies = response.headers.getSetCookie()
  return { body: { ...shown, user }, cookies, location: response.headers.get('location') }
}

/** Only what better-auth needs goes in: no forwarded address, no origin of a client's choice. */
function requestTo(url: string, visitor: Visitor, body: unknown): Request {
  const headers = new Headers({ origin: new URL(url).origin, [addressHeader]: visitor.address })
  if (visitor.cookie !== undefined) headers.set('cookie', visitor.cookie)
  if (visitor.userAgent !== undefined) headers.set('user-agent', visitor.userAgent.slice(0, 500))
  if (body === undefined) return new Request(url, { headers })
  headers.set('content-type', 'application/json')
  return new Request(url, { method: 'POST', headers, body: JSON.stringify(body) })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // An error page of better-auth's own: its status says what there is to say.
    return {}
  }
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ServiceError('unavailable')), timeoutMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

type Refusal = { code?: unknown; message?: unknown }

function authFailure(status: number, { code, message }: Refusal): ServiceError {
  switch (code) {
    case 'INVALID_EMAIL_OR_PASSWORD':
    case 'INVALID_EMAIL':
      return new ServiceError('sign_in_refused')
    case 'EMAIL_NOT_VERIFIED':
      return new ServiceError('email_not_verified')
    case 'INVALID_PASSWORD':
      return invalidField('password', 'is wrong')
    case 'INVALID_CODE':
    case 'INVALID_BACKUP_CODE':
      return invalidField('code', 'is wrong, or was used before')
    case 'TOTP_NOT_ENABLED':
    case 'BACKUP_CODES_NOT_ENABLED':
    case 'TWO_FACTOR_NOT_ENABLED':
      return new ServiceError('conflict', 'There is no second factor: turn it on first')
    case 'INVALID_TWO_FACTOR_COOKIE':
      return new ServiceError('sign_in_required', 'Begin with the e-mail address and the password again')
    case 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE':
      return tooMany('Too many wrong codes: begin with the e-mail address and the password again', 1)
    case 'ACCOUNT_TEMPORARILY_LOCKED':
      return tooMany('Too many wrong codes: try again in 15 minutes', 900)
    case 'INVALID_TOKEN':
      return unusable()
    default:
      return byStatus(status, typeof message === 'string' ? message : undefined)
  }
}

const tooMany = (message: string, seconds: number): ServiceError =>
  new ServiceError('rate_limited', message, { headers: { 'retry-after': String(seconds) } })

function byStatus(status: number, message: string | undefined): ServiceError {
  if (status === 401) return new ServiceError('sign_in_required')
  if (status === 404) return new ServiceError('not_found')
  if (status === 409) return new ServiceError('conflict', message)
  if (status < 500) return new ServiceError('validation_failed', message)
  return new ServiceError('internal_error', undefined, { cause: new Error(`better-auth answered ${status}`) })
}
