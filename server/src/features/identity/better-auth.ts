/** better-auth as it is set up here. It is loaded with the first request that needs it, since sign-ins are rare. */
import type { Clock } from '../../platform/clock.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import { maxPasswordLength, minPasswordLength, type Passwords } from '../../platform/crypto/passwords.ts'
import type { Database } from '../../platform/database/database.ts'
import { ServiceError } from '../../platform/errors.ts'
import type { IdKind, NewId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import type { Mailer } from '../../platform/mail/mailer.ts'
import { createAuthStorage } from './auth-adapter-store.ts'
import { cookiePrefix, cookieSecret, type Sessions } from './sessions-service.ts'

/** A single sign-on server (OpenID Connect) whose word on who a person is the operator trusts. */
export type SingleSignOn = { issuer: string; clientId: string; clientSecret: string; name: string }

export const singleSignOnId = 'oidc'
export const authPath = '/auth'
/** Set by us on each request that better-auth is given, over whatever a client sent. */
export const addressHeader = 'x-atrium-address'

export type AuthHandler = (request: Request) => Promise<Response>

type BetterAuthDependencies = {
  database: Database
  keyring: Keyring
  mailer: Mailer
  log: Log
  clock: Clock
  newId: NewId
  publicUrl: () => string
  sessions: Sessions
  passwords: Passwords
  sessionMs: number
  signUpOpen: boolean
  singleSignOn: SingleSignOn | null
}

/** Two of them: passwords must work while the single sign-on server is down. */
export type BetterAuth = ReturnType<typeof createBetterAuth>

export function createBetterAuth(dependencies: BetterAuthDependencies) {
  const { publicUrl, singleSignOn, log } = dependencies
  const made = new Map<string, Promise<AuthHandler>>()
  const once = (name: string, make: (url: string) => Promise<AuthHandler>): Promise<AuthHandler> => {
    const url = publicUrl()
    const key = `${name} ${url}`
    const known = made.get(key)
    if (known !== undefined) return known
    const making = make(url)
    made.set(key, making)
    // What could not be made is made again with the next request.
    making.catch(() => made.delete(key))
    return making
  }
  return {
    core: (): Promise<AuthHandler> => once('core', url => load(dependencies, url, null)),
    /** Throws `unavailable` while the single sign-on server does not answer. */
    async withSingleSignOn(): Promise<AuthHandler> {
      if (singleSignOn === null) throw new ServiceError('not_found', 'No single sign-on is configured')
      try {
        return await once('sso', url => load(dependencies, url, singleSignOn))
      } catch (error) {
        log.warn('The single sign-on server does not answer', { issuer: singleSignOn.issuer, error })
        throw new ServiceError('unavailable', `${singleSignOn.name} does not answer at the moment`, {
          headers: { 'retry-after': '10' },
        })
      }
    },
  }
}

async function load(
  dependencies: BetterAuthDependencies,
  baseURL: string,
  singleSignOn: SingleSignOn | null,
): Promise<AuthHandler> {
  const { keyring, newId, mailer, passwords, sessionMs } = dependencies
  const [{ betterAuth }, { createAdapterFactory }, { twoFactor }, { genericOAuth }] = await Promise.all([
    import('better-auth/minimal'),
    import('better-auth/adapters'),
    import('better-auth/plugins/two-factor'),
    import('better-auth/plugins/generic-oauth'),
  ])
  const storage = createAuthStorage({ ...dependencies, ended: dependencies.sessions.ended })
  const auth = betterAuth({
    appName: 'Atrium',
    baseURL,
    basePath: authPath,
    secrets: cookieSecrets(keyring),
    telemetry: { enabled: false },
    logger: loggerOf(dependencies.log),
    database: createAdapterFactory({
      config: {
        adapterId: 'atrium',
        supportsNumericIds: false,
        customIdGenerator: ({ model }) => newId(idKindOf(model)),
      },
      adapter: () => storage,
    }),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength,
      maxPasswordLength,
      // Without a mail server no person could prove an address.
      requireEmailVerification: mailer.available,
      password: {
        hash: password => passwords.hash(password),
        verify: ({ password, hash }) => passwords.verify(password, hash),
      },
    },
    session: {
      expiresIn: sessionMs / 1000,
      disableSessionRefresh: true,
      cookieCache: { enabled: false },
    },
    verification: { disableCleanup: true },
    account: { accountLinking: { enabled: true, requireLocalEmailVerified: true } },
    // Our own counts tries in the store that all servers share.
    rateLimit: { enabled: false },
    onAPIError: { errorURL: `${baseURL}/sign-in` },
    advanced: {
      cookiePrefix,
      useSecureCookies: baseURL.startsWith('https:'),
      ipAddress: { ipAddressHeaders: [addressHeader] },
      disableOriginCheck: false,
      disableCSRFCheck: true,
    },
    plugins: [
      twoFactor({ issuer: 'Atrium', backupCodeOptions: { storeBackupCodes: 'encrypted' } }),
      ...(singleSignOn === null ? [] : [genericOAuth({ config: [providerOf(dependencies, singleSignOn)] })]),
    ],
  })
  await auth.$context
  return auth.handler
}

/** The present one signs and encrypts; what the earlier ones have encrypted still opens. */
const cookieSecrets = (keyring: Keyring): { version: number; value: string }[] =>
  Array.from({ length: keyring.pepperVersion }, (_, index) => keyring.pepperVersion - index).map(version => ({
    version,
    value: cookieSecret(keyring, version),
  }))

const providerOf = (
  { signUpOpen }: BetterAuthDependencies,
  { issuer, clientId, clientSecret, name }: SingleSignOn,
) => ({
  providerId: singleSignOnId,
  name,
  clientId,
  clientSecret,
  discoveryUrl: `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`,
  requireIdTokenVerification: true,
  scopes: ['openid', 'email', 'profile'],
  pkce: true,
  disableSignUp: !signUpOpen,
  disableProviderLogout: true,
})

function idKindOf(model: string): IdKind {
  switch (model) {
    case 'user':
    case 'session':
    case 'account':
    case 'verification':
    case 'twoFactor':
      return model
    default:
      throw new Error(`better-auth makes a ${model} that has no table`)
  }
}

/** Its messages only: what it hands over beside them may hold whatever a stranger sent. */
const loggerOf = (log: Log) => ({
  level: 'warn' as const,
  disableColors: true,
  log: (level: string, message: string, ...details: unknown[]) => {
    const error = details.find(detail => detail instanceof Error)?.message
    const say = level === 'error' ? log.warn : log.debug
    say('Sign-in: what better-auth says', { said: message, error })
  },
})
