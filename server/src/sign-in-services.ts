/** How people prove who they are, made from the settings: sessions, accounts, the first owner's setup, better-auth behind them. */
import { type Settings, SettingsError } from './config.ts'
import type { Dependencies } from './dependencies.ts'
import type { AuditService } from './features/audit/service.ts'
import { type AccountLog, createAccountLog } from './features/identity/account-log.ts'
import { accountMailQueue, createAccountMailQueue } from './features/identity/account-mail.ts'
import { type AccountService, createAccountService } from './features/identity/account-service.ts'
import { createAttempts } from './features/identity/attempts.ts'
import { createBetterAuth, type SingleSignOn } from './features/identity/better-auth.ts'
import { createLinks, type Links } from './features/identity/links.ts'
import type { IdentityService } from './features/identity/service.ts'
import { createSessions, type Sessions } from './features/identity/sessions-service.ts'
import { createSetupService, type SetupService } from './features/identity/setup-service.ts'
import { createSignInService, type SignInService } from './features/identity/sign-in-service.ts'
import type { WorkspaceService } from './features/workspaces/service.ts'
import type { Queues } from './platform/jobs/job.ts'
import type { Jobs } from './platform/jobs/jobs.ts'

export type SignInServices = {
  sessions: Sessions
  accounts: AccountService
  links: Links
  setup: SetupService
  signIn: SignInService
  accountLog: AccountLog
}

export function createSignInServices(
  given: Dependencies & {
    identity: IdentityService
    jobs: Jobs
    audit: AuditService
    workspaces: WorkspaceService
    /** Called once a session has ended. */
    onChange: () => void
  },
): { services: SignInServices; queues: Queues } {
  const { settings, keyring } = given
  const signUpOpen = settings.signUp === 'open'
  const sessions = createSessions({ ...given, sessionMs: settings.sessionMs })
  sessions.onEnd(given.onChange)
  const links = createLinks(given)
  const attempts = createAttempts({ counters: given.counters.counters, keyring })
  const accountLog = createAccountLog({ ...given, attempts })
  const shared = { ...given, sessions, links, attempts, accountLog, signUpOpen }
  const accounts = createAccountService(shared)
  const auth = createBetterAuth({
    ...shared,
    sessionMs: settings.sessionMs,
    singleSignOn: singleSignOnOf(settings),
  })
  return {
    services: {
      sessions,
      accounts,
      links,
      accountLog,
      setup: createSetupService({ ...shared, accounts }),
      signIn: createSignInService({ ...shared, auth }),
    },
    queues: { [accountMailQueue]: createAccountMailQueue(shared) },
  }
}

/** Null where nothing of it is set; a half of it would be a sign-in that silently is not there. */
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
