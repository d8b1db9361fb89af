/** Proofs of identity: passwords, second factors, single sign-on, sessions, accounts, the first owner's setup. */
import type { Feature } from '../../http/feature.ts'
import type { Platform } from '../../platform/platform.ts'
import { eachHour } from '../../platform/schedules/schedules.ts'
import { type Settings, SettingsError } from '../../settings/settings.ts'
import type { AuditService } from '../audit/service.ts'
import type { WorkspaceService } from '../workspaces/service.ts'
import { createAccountLog } from './account-log.ts'
import { accountMailQueue, createAccountMailQueue } from './account-mail.ts'
import { createAccountService, createSetupService } from './account-service.ts'
import { createAttempts } from './attempts.ts'
import { createCookies } from './cookies.ts'
import { createSecondFactorService } from './second-factor.ts'
import type { IdentityService } from './service.ts'
import { createSessions } from './sessions-service.ts'
import { createSignInService } from './sign-in-service.ts'
import { createSingleSignOnService, type SingleSignOn, singleSignOnId } from './single-sign-on.ts'
import { createVerifications } from './verifications.ts'

export type IdentityServices = ReturnType<typeof createIdentityFeature>['services']

export function createIdentityFeature(
  platform: Platform,
  earlier: {
    identity: IdentityService
    audit: AuditService
    workspaces: WorkspaceService
    /** Called once a session has ended. */
    onChange: () => void
  },
) {
  const { settings, keyring, counters, mailer } = platform
  const { sessionMs } = settings
  const cookies = createCookies(platform)
  const sessions = createSessions({ ...platform, cookies, sessionMs })
  sessions.onEnd(earlier.onChange)
  const verifications = createVerifications(platform)
  const attempts = createAttempts({ counters: counters.counters, keyring })
  const accountLog = createAccountLog({ ...platform, ...earlier, attempts })
  const signUpOpen = settings.signUp === 'open'
  const proofs = { cookies, sessions, verifications, attempts, accountLog }
  const shared = { ...platform, ...earlier, ...proofs, signUpOpen }
  const accounts = createAccountService(shared)
  const singleSignOn = singleSignOnOf(settings)
  const secondFactor = createSecondFactorService({ ...shared, accounts })
  const setup = createSetupService({ ...shared, accounts })
  return {
    services: {
      identity: earlier.identity,
      sessions,
      accounts,
      links: verifications,
      accountLog,
      setup,
      signIn: createSignInService({ ...shared, secondFactor }),
      secondFactor,
      singleSignOn: createSingleSignOnService({ ...shared, singleSignOn }),
      /** The facts that the sign-in page needs. */
      entrance: async () => ({
        setupRequired: await setup.isRequired(),
        signUpOpen,
        mailConfigured: mailer.available,
        singleSignOn: singleSignOn === null ? [] : [{ id: singleSignOnId, name: singleSignOn.name }],
      }),
    },
    queues: { [accountMailQueue]: createAccountMailQueue(shared) },
    schedules: [
      eachHour('remove expired sessions', sessions.tidy),
      eachHour('remove expired links', verifications.tidy),
    ],
    close: accountLog.settled,
  } satisfies Feature<object>
}

/**
 * Null if none of its settings is set. An incomplete set is refused, since single sign-on would silently be missing.
 */
export function singleSignOnOf(settings: Settings): SingleSignOn | null {
  const {
    oidcIssuer: issuer,
    oidcClientId: clientId,
    oidcClientSecret: clientSecret,
    oidcName: name,
  } = settings
  if (issuer === null && clientId === null && clientSecret === null) return null
  if (issuer === null || clientId === null || clientSecret === null) {
    throw new SettingsError([
      'ATRIUM_OIDC_ISSUER, ATRIUM_OIDC_CLIENT_ID and ATRIUM_OIDC_CLIENT_SECRET are needed together',
    ])
  }
  return { issuer, clientId, clientSecret, name }
}
