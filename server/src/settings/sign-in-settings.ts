/** How people sign in: who may make an account, how long a session lasts, and the single sign-on server. */
import { dayMs } from '../platform/clock.ts'
import { secret, setting } from './setting.ts'
import { days, httpUrl, oneOf, optional, text } from './values.ts'

export const signInSettings = {
  signUp: setting(
    'ATRIUM_SIGN_UP',
    oneOf(['closed', 'open']),
    'closed' as 'closed' | 'open',
    'Whether anybody may make an account; where it is closed, people come by invitation or by the operator.',
  ),
  sessionMs: setting(
    'ATRIUM_SESSION_DAYS',
    days(1, 365),
    30 * dayMs,
    'How long a person stays signed in, in days.',
  ),
  oidcIssuer: setting(
    'ATRIUM_OIDC_ISSUER',
    optional(httpUrl),
    null,
    'Single sign-on server (OpenID Connect), such as https://login.example.com; its redirect address here is /auth/callback/oidc.',
  ),
  oidcClientId: setting(
    'ATRIUM_OIDC_CLIENT_ID',
    optional(text),
    null,
    'Client that is registered there; all three are needed.',
  ),
  oidcClientSecret: secret('ATRIUM_OIDC_CLIENT_SECRET', optional(text), null, 'Its secret.'),
  oidcName: setting('ATRIUM_OIDC_NAME', text, 'Single sign-on', 'What the sign-in page calls it.'),
} as const
