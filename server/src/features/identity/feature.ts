/** How people prove who they are: sessions, accounts, the setup of the first owner, and better-auth behind them. */
import type { Feature } from '../../http/feature.ts'
import type { Platform } from '../../platform/platform.ts'
import { eachHour } from '../../platform/schedules/schedules.ts'
import { type Settings, SettingsError } from '../../settings/settings.ts'
import type { AuditService } from '../audit/service.ts'
import type { WorkspaceService } from '../workspaces/service.ts'
import { createAccountLog } from './account-log.ts'
import { accountMailQueue, createAccountMailQueue } from './account-mail.ts'
import { createAccountService } from './account-service.ts'
import { createAttempts } from './attempts.ts'
import { createBetterAuth, type SingleSignOn, singleSignOnId } from './better-auth.ts'
import { createLinks } from './links.ts'
import type { IdentityService } from './service.ts'
import { createSessions } from './sessions-service.ts'
import { createSetupService } from './setup-service.ts'
import { createSignInService } from './sign-in-service.ts'

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
  const sessions = createSessions({ ...platform, sessionMs })
  sessions.onEnd(earlier.onChange)
  const links = createLinks(platform)
  const attempts = createAttempts({ counters: counters.counters, keyring })
  const accountLog = createAccountLog({ ...platform, ...earlier, attempts })
  const signUpOpen = settings.signUp === 'open'
  const shared = { ...platform, ...earlier, sessions, links, attempts, accountLog, signUpOpen }
  const accounts = createAccountService(shared)
  const singleSignOn = singleSignOnOf(settings)
  const auth = createBetterAuth({ ...shared, sessionMs, singleSignOn })
  const setup = createSetupService({ ...shared, accounts })
  return {
    services: {
      identity: earlier.identity,
      sessions,
      accounts,
      links,
      accountLog,
      setup,
      signIn: createSignInService({ ...shared, auth }),
      /** What the page of signing in has to know. */
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
      eachHour('remove expired links', links.tidy),
    ],
    close: accountLog.settled,
  } satisfies Feature<object>
}

/** Null where nothing of it is set. A half of it is refused, since sign-in would silently be missing. */
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
