/** Signing in and out, second factors and single sign-on: better-auth's endpoints, with our limits around and our errors out of them. */
import { ServiceError } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import type { Attempts } from './attempts.ts'
import { authFailure } from './auth-failures.ts'
import { type AuthHandler, addressHeader, authPath, type BetterAuth, singleSignOnId } from './better-auth.ts'
import type { Sessions, SignedIn } from './sessions-service.ts'

/** Who asks, as far as their request tells. */
export type Visitor = { cookie: string | undefined; address: string; userAgent: string | undefined }

/** What better-auth answered: the body without the session's token, and the cookies to be set. */
export type AuthAnswer = { body: Record<string, unknown>; cookies: string[]; location: string | null }

export type SignInService = {
  /** Throws `sign_in_refused` for whatever is wrong, `email_not_verified` and `rate_limited`. */
  signIn(visitor: Visitor, form: Credentials): Promise<{ twoFactorRequired: boolean; cookies: string[] }>
  signOut(visitor: Visitor): Promise<AuthAnswer>
  /** The address of the single sign-on server, to go to. */
  beginSingleSignOn(visitor: Visitor, callbackURL: string): Promise<AuthAnswer>
  /** Where the browser goes on, signed in or with an error. */
  endSingleSignOn(visitor: Visitor, search: string): Promise<AuthAnswer>
  /** Throws `sign_in_required`. */
  signedIn(visitor: Visitor): Promise<SignedIn>
  /** For whoever is signed in and gives the password again; throws a 400 for `password`. */
  enableTwoFactor(visitor: Visitor, password: string): Promise<AuthAnswer>
  disableTwoFactor(visitor: Visitor, password: string): Promise<AuthAnswer>
  newBackupCodes(visitor: Visitor, password: string): Promise<AuthAnswer>
  /** The second step of signing in, or the proof that the second factor works; throws a 400 for `code`. */
  verifyCode(visitor: Visitor, kind: 'totp' | 'backup-code', code: string): Promise<AuthAnswer>
}

export type Credentials = { email: string; password: string; rememberMe?: boolean }

/** A single sign-on server that does not answer must not hold a request for ever. */
const timeoutMs = 20_000

export function createSignInService(dependencies: {
  auth: BetterAuth
  sessions: Sessions
  attempts: Attempts
  log: Log
  publicUrl: () => string
}): SignInService {
  const { auth, sessions, attempts, log, publicUrl } = dependencies

  const ask = async (
    handler: AuthHandler,
    visitor: Visitor,
    path: string,
    body?: unknown,
  ): Promise<AuthAnswer> => {
    const url = `${publicUrl()}${authPath}${path}`
    const response = await inTime(handler(requestTo(url, visitor, body)))
    const text = await response.text()
    const answer = (text === '' ? {} : parsed(text)) as Record<string, unknown>
    if (response.status >= 400) throw authFailure(response.status, answer)
    const { token: _token, user, ...shown } = answer
    const cookies = response.headers.getSetCookie()
    return { body: { ...shown, user }, cookies, location: response.headers.get('location') }
  }
  const core = async (visitor: Visitor, path: string, body: unknown) =>
    ask(await auth.core(), visitor, path, body)

  const signedIn = async ({ cookie }: Visitor): Promise<SignedIn> => {
    const session = await sessions.find(cookie)
    if (session === null) throw new ServiceError('sign_in_required')
    return session
  }
  /** A stolen session must not be a place to guess the password at. */
  const confirmed = async (visitor: Visitor, path: string, password: string): Promise<AuthAnswer> => {
    const { userId } = await signedIn(visitor)
    await attempts.confirm(userId)
    const answer = await core(visitor, path, { password })
    await attempts.confirmed(userId)
    return answer
  }

  return {
    signedIn,
    async signIn(visitor, { email, password, rememberMe = true }) {
      await attempts.signIn(email, visitor.address)
      // A session that is there already is left alone: its cookie would hide that a second factor is asked for.
      const credentials = { email, password, rememberMe }
      const { body, cookies } = await core(
        { ...visitor, cookie: undefined },
        '/sign-in/email',
        credentials,
      ).catch((error: unknown) => {
        const code = error instanceof ServiceError ? error.code : null
        if (code === 'sign_in_refused') log.info('A sign-in was refused', { address: visitor.address })
        throw error
      })
      await attempts.signedIn(email, visitor.address)
      const twoFactorRequired = body.twoFactorRedirect === true
      // Refused, the cookie that opens the second step is not handed over.
      if (twoFactorRequired) await attempts.challenge(email)
      return { twoFactorRequired, cookies }
    },
    signOut: visitor => core(visitor, '/sign-out', {}),
    async beginSingleSignOn(visitor, callbackURL) {
      const handler = await inTime(auth.withSingleSignOn())
      return ask(handler, visitor, '/sign-in/social', {
        provider: singleSignOnId,
        callbackURL,
        errorCallbackURL: '/sign-in',
        disableRedirect: true,
      })
    },
    async endSingleSignOn(visitor, search) {
      return ask(await inTime(auth.withSingleSignOn()), visitor, `/callback/${singleSignOnId}${search}`)
    },
    enableTwoFactor: (visitor, password) => confirmed(visitor, '/two-factor/enable', password),
    disableTwoFactor: (visitor, password) => confirmed(visitor, '/two-factor/disable', password),
    newBackupCodes: (visitor, password) => confirmed(visitor, '/two-factor/generate-backup-codes', password),
    async verifyCode(visitor, kind, code) {
      const answer = await core(visitor, `/two-factor/verify-${kind}`, { code })
      const { id: userId, email } = answer.body.user as { id: string; email: string }
      if (kind === 'totp' && !(await attempts.isFirstUse(userId, code))) {
        await endBegunSession(sessions, answer.cookies)
        throw authFailure(401, { code: 'INVALID_CODE' })
      }
      await attempts.passed(email)
      return answer
    },
  }
}

/** Of a code that was looked at over somebody's shoulder nobody is signed in. */
async function endBegunSession(sessions: Sessions, cookies: string[]): Promise<void> {
  const begun = await sessions.find(cookies.map(cookie => cookie.split(';')[0]).join('; '))
  if (begun !== null) await sessions.end(begun.userId, begun.sessionId)
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
