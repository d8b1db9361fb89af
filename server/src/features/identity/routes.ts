/** The routes of the sign-in pages, outside the API: no key but a cookie. */
import {
  type BrowserReply,
  type BrowserRequest,
  type BrowserRoute,
  defineBrowserRoute,
} from '../../http/pages/browser-route.ts'
import { toTimestamp } from '../../platform/clock.ts'
import { maxPasswordLength, minPasswordLength } from '../../platform/crypto/passwords.ts'
import { invalidField, notFound } from '../../platform/errors.ts'
import { type TObject, type TProperties, Type } from '../../platform/json-schema/type.ts'
import { parseAddress } from '../../platform/mail/address.ts'
import type { Visitor } from './account-log.ts'
import type { MailRequest } from './account-mail.ts'
import type { AccountService, SetupService } from './account-service.ts'
import type { SecondFactorService } from './second-factor.ts'
import type { Sessions } from './sessions-service.ts'
import type { SignInService } from './sign-in-service.ts'
import type { SingleSignOnService } from './single-sign-on.ts'

type SignInParts = {
  signIn: SignInService
  secondFactor: SecondFactorService
  singleSignOn: SingleSignOnService
  accounts: AccountService
  sessions: Sessions
  setup: SetupService
}

export const signInRoutes = (parts: SignInParts): BrowserRoute[] => [
  ...signInAndOut(parts),
  ...accountRoutes(parts),
  ...sessionRoutes(parts),
  ...twoFactorRoutes(parts),
]

const signInAndOut = ({ signIn, singleSignOn, accounts, setup }: SignInParts): BrowserRoute[] => [
  defineBrowserRoute({
    method: 'POST',
    path: '/console/setup',
    body: SetupPage,
    async handle({ body, ...request }) {
      const form = { ...body, name: body.name.trim(), email: addressOf(body.email) }
      const { person, cookie } = await setup.complete(form, visitorOf(request))
      const { id, name, email } = person
      return { data: { person: { id, name, email } }, cookies: [cookie] }
    },
  }),
  defineBrowserRoute({
    method: 'POST',
    path: '/console/setup/check',
    body: SetupLink,
    async handle({ body }) {
      await setup.check(body.token)
      return {}
    },
  }),
  defineBrowserRoute({
    method: 'POST',
    path: '/auth/sign-in/email',
    body: SignInForm,
    async handle({ body, ...request }) {
      const form = { ...body, email: addressOf(body.email) }
      const { twoFactorRequired, cookies } = await signIn
        .signIn(visitorOf(request), form)
        .catch(async error => {
          // Only a person who knows the password gets here.
          if (error?.code === 'email_not_verified') {
            await accounts.sendVerification(mailRequest(form.email, request))
          }
          throw error
        })
      return { data: { twoFactorRequired }, cookies }
    },
  }),
  defineBrowserRoute({
    method: 'POST',
    path: '/auth/sign-in/social',
    body: SocialForm,
    async handle({ body }) {
      const { url, cookies } = await singleSignOn.begin(ownPath(body.callbackURL ?? '/'))
      return { data: { url }, cookies }
    },
  }),
  defineBrowserRoute({
    method: 'GET',
    path: '/auth/callback/oidc',
    async handle(request) {
      const { location, cookies } = await singleSignOn.end(visitorOf(request), request.query)
      return { ...redirect(location), cookies }
    },
  }),
  defineBrowserRoute({
    method: 'POST',
    path: '/auth/sign-out',
    body: NothingForm,
    handle: async request => ({ cookies: await signIn.signOut(visitorOf(request)) }),
  }),
]

const accountRoutes = ({ sessions, accounts }: SignInParts): BrowserRoute[] => [
  defineBrowserRoute({
    method: 'POST',
    path: '/auth/sign-up/email',
    body: SignUpForm,
    async handle({ body: { name, email, password }, ...request }) {
      const form = { name: name.trim(), email: addressOf(email), password }
      return { status: 202, data: await accounts.signUp(form, visitorOf(request).address) }
    },
  }),
  defineBrowserRoute({
    method: 'POST',
    path: '/auth/send-verification-email',
    body: EmailForm,
    async handle({ body, ...request }) {
      await accounts.sendVerification(mailRequest(addressOf(body.email), request))
      return { status: 202 }
    },
  }),
  defineBrowserRoute({
    method: 'POST',
    path: '/auth/request-password-reset',
    body: EmailForm,
    async handle({ body, ...request }) {
      await accounts.requestReset(mailRequest(addressOf(body.email), request))
      return { status: 202 }
    },
  }),
  defineBrowserRoute({
    method: 'POST',
    path: '/auth/reset-password',
    body: ResetForm,
    async handle({ body, ...request }) {
      await accounts.resetPassword(visitorOf(request), body.token, body.newPassword)
      return {}
    },
  }),
  defineBrowserRoute({
    method: 'POST',
    path: '/auth/change-password',
    body: ChangePasswordForm,
    async handle({ body, ...request }) {
      const visitor = visitorOf(request)
      await accounts.changePassword(visitor, await sessions.require(visitor.cookie), body)
      return {}
    },
  }),
  defineBrowserRoute({
    method: 'POST',
    path: '/auth/update-user',
    body: PersonForm,
    async handle({ body, ...request }) {
      await accounts.rename(await sessions.require(request.headers.cookie), body.name.trim())
      return {}
    },
  }),
]

const sessionRoutes = ({ sessions }: SignInParts): BrowserRoute[] => [
  defineBrowserRoute({
    method: 'GET',
    path: '/auth/list-sessions',
    async handle(request) {
      const { userId, sessionId } = await sessions.require(request.headers.cookie)
      const rows = await sessions.list(userId)
      const data = rows.map(row => ({
        id: row.id,
        current: row.id === sessionId,
        ipAddress: row.ip_address,
        userAgent: row.user_agent,
        createdAt: toTimestamp(row.created_at),
        expiresAt: toTimestamp(row.expires_at),
      }))
      return { data }
    },
  }),
  defineBrowserRoute({
    method: 'POST',
    path: '/auth/revoke-session',
    body: SessionForm,
    async handle({ body, ...request }) {
      const { userId } = await sessions.require(request.headers.cookie)
      if (!(await sessions.end(userId, body.id))) throw notFound()
      return {}
    },
  }),
  defineBrowserRoute({
    method: 'POST',
    path: '/auth/revoke-other-sessions',
    body: NothingForm,
    async handle(request) {
      await sessions.endOthers(await sessions.require(request.headers.cookie))
      return {}
    },
  }),
]

const twoFactorRoutes = ({ secondFactor }: SignInParts): BrowserRoute[] => [
  defineBrowserRoute({
    method: 'POST',
    path: '/auth/two-factor/enable',
    body: PasswordForm,
    handle: async ({ body, ...request }) => ({
      data: await secondFactor.enable(visitorOf(request), body.password),
    }),
  }),
  defineBrowserRoute({
    method: 'POST',
    path: '/auth/two-factor/disable',
    body: PasswordForm,
    async handle({ body, ...request }) {
      await secondFactor.disable(visitorOf(request), body.password)
      return {}
    },
  }),
  defineBrowserRoute({
    method: 'POST',
    path: '/auth/two-factor/generate-backup-codes',
    body: PasswordForm,
    async handle({ body, ...request }) {
      const backupCodes = await secondFactor.newRecoveryCodes(visitorOf(request), body.password)
      return { data: { backupCodes } }
    },
  }),
  ...(['totp', 'backup-code'] as const).map(kind =>
    defineBrowserRoute({
      method: 'POST',
      path: `/auth/two-factor/verify-${kind}`,
      body: CodeForm,
      handle: async ({ body, ...request }) => ({
        cookies: await secondFactor.verify(visitorOf(request), { kind, text: body.code.trim() }),
      }),
    }),
  ),
]

const visitorOf = ({
  headers,
  address,
  requestId,
}: Pick<BrowserRequest<never>, 'headers' | 'address' | 'requestId'>): Visitor => ({
  cookie: headers.cookie,
  address,
  requestId,
  userAgent: headers['user-agent'],
})

const mailRequest = (email: string, { address }: Pick<BrowserRequest<never>, 'address'>): MailRequest => ({
  email,
  clientAddress: address,
})

function addressOf(email: string): string {
  const address = parseAddress(email)
  if (address === null) throw invalidField('email', 'must be one plain address such as ada@example.com')
  return address
}

/**
 * Allows only paths of this server: a link must not lead a person who has just signed in to another site. Returns the
 * path as a header takes it, so the browser reads the same path that was checked.
 */
function ownPath(path: string): string {
  const base = 'http://here'
  const url = URL.parse(path, base)
  const isOurs = path.startsWith('/') && url?.origin === base && !url.pathname.startsWith('//')
  if (!isOurs || /\p{Cc}/u.test(path)) {
    throw invalidField('callbackURL', 'must be a path of this server, such as /agents')
  }
  return url.pathname + url.search + url.hash
}

const redirect = (location: string): BrowserReply => ({ status: 302, headers: { location } })

const maxNameLength = 200

const object = <Fields extends TProperties>(fields: Fields): TObject<Fields> => Type.Closed(fields)

const email = Type.String({ minLength: 3, maxLength: 254 })
// A given password is only compared, so any length may be wrong; only very long ones are refused.
const givenPassword = Type.String({ minLength: 1, maxLength: 1_000 })
const newPassword = Type.String({ minLength: minPasswordLength, maxLength: maxPasswordLength * 2 })
const name = Type.String({
  minLength: 1,
  maxLength: maxNameLength,
  pattern: '^[^\\u0000-\\u001f\\u007f]*\\S[^\\u0000-\\u001f\\u007f]*$',
})
const token = Type.String({ minLength: 1, maxLength: 200 })
const code = Type.String({ minLength: 1, maxLength: 40 })

const SignInForm = object({
  email,
  password: givenPassword,
  rememberMe: Type.Optional(Type.Boolean()),
  verificationToken: Type.Optional(token),
})
const SocialForm = object({
  provider: Type.Literal('oidc'),
  callbackURL: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
})
export const SignUpForm = object({ name, email, password: newPassword })
const EmailForm = object({ email })
export const ResetForm = object({ token, newPassword })
const ChangePasswordForm = object({ currentPassword: givenPassword, newPassword })
const PersonForm = object({ name })
const SessionForm = object({ id: token })
export const PasswordForm = object({ password: givenPassword })
const CodeForm = object({ code })
const NothingForm = object({})
const SetupLink = object({ token })
const SetupPage = object({ token, name, email, password: newPassword })
