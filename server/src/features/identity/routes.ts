/** What the sign-in pages ask of the server, beside the API: no key but a cookie. */
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
import type { MailRequest } from './account-mail.ts'
import type { AccountService } from './account-service.ts'
import type { Sessions } from './sessions-service.ts'
import type { SetupService } from './setup-service.ts'
import type { AuthAnswer, SignInService, Visitor } from './sign-in-service.ts'

type SignInParts = {
  signIn: SignInService
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

const signInAndOut = ({ signIn, accounts, setup }: SignInParts): BrowserRoute[] => [
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
          // Only who knows the password gets here.
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
    async handle({ body, ...request }) {
      const answer = await signIn.beginSingleSignOn(visitorOf(request), ownPath(body.callbackURL ?? '/'))
      return { data: { url: answer.body.url }, cookies: answer.cookies }
    },
  }),
  defineBrowserRoute({
    method: 'GET',
    path: '/auth/callback/oidc',
    async handle(request) {
      const answer = await signIn.endSingleSignOn(visitorOf(request), searchOf(request))
      return { ...redirect(answer.location ?? '/'), cookies: answer.cookies }
    },
  }),
  defineBrowserRoute({
    method: 'POST',
    path: '/auth/sign-out',
    body: NothingForm,
    handle: async request => done(await signIn.signOut(visitorOf(request))),
  }),
]

const accountRoutes = ({ signIn, accounts }: SignInParts): BrowserRoute[] => [
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
    method: 'GET',
    path: '/auth/verify-email',
    handle: ({ query }) =>
      accounts.verify(query.get('token') ?? '').then(
        () => redirect('/sign-in?verified=true'),
        error => {
          if (error?.code !== 'validation_failed') throw error
          return redirect('/sign-in?error=link_expired')
        },
      ),
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
      await accounts.changePassword(visitor, await signIn.signedIn(visitor), body)
      return {}
    },
  }),
  defineBrowserRoute({
    method: 'POST',
    path: '/auth/update-user',
    body: PersonForm,
    async handle({ body, ...request }) {
      await accounts.rename(await signIn.signedIn(visitorOf(request)), body.name.trim())
      return {}
    },
  }),
]

const sessionRoutes = ({ signIn, sessions }: SignInParts): BrowserRoute[] => [
  defineBrowserRoute({
    method: 'GET',
    path: '/auth/list-sessions',
    async handle(request) {
      const { userId, sessionId } = await signIn.signedIn(visitorOf(request))
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
      const { userId } = await signIn.signedIn(visitorOf(request))
      if (!(await sessions.end(userId, body.id))) throw notFound()
      return {}
    },
  }),
  defineBrowserRoute({
    method: 'POST',
    path: '/auth/revoke-other-sessions',
    body: NothingForm,
    async handle(request) {
      await sessions.endOthers(await signIn.signedIn(visitorOf(request)))
      return {}
    },
  }),
]

const twoFactorRoutes = ({ signIn }: SignInParts): BrowserRoute[] => [
  defineBrowserRoute({
    method: 'POST',
    path: '/auth/two-factor/enable',
    body: PasswordForm,
    async handle({ body, ...request }) {
      const answer = await signIn.enableTwoFactor(visitorOf(request), body.password)
      const { totpURI, backupCodes } = answer.body
      return { data: { totpURI, backupCodes }, cookies: answer.cookies }
    },
  }),
  defineBrowserRoute({
    method: 'POST',
    path: '/auth/two-factor/disable',
    body: PasswordForm,
    handle: async ({ body, ...request }) =>
      done(await signIn.disableTwoFactor(visitorOf(request), body.password)),
  }),
  defineBrowserRoute({
    method: 'POST',
    path: '/auth/two-factor/generate-backup-codes',
    body: PasswordForm,
    async handle({ body, ...request }) {
      const answer = await signIn.newBackupCodes(visitorOf(request), body.password)
      return { data: { backupCodes: answer.body.backupCodes }, cookies: answer.cookies }
    },
  }),
  ...(['totp', 'backup-code'] as const).map(kind =>
    defineBrowserRoute({
      method: 'POST',
      path: `/auth/two-factor/verify-${kind}`,
      body: CodeForm,
      handle: async ({ body, ...request }) =>
        done(await signIn.verifyCode(visitorOf(request), kind, body.code.trim())),
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

const searchOf = ({ query }: Pick<BrowserRequest<never>, 'query'>): string => `?${query.toString()}`

/** Only a path of ours: what stands in a link must not lead a person who has just signed in elsewhere. */
function ownPath(path: string): string {
  const base = 'http://here'
  if (!/^\/(?![/\\])/.test(path) || new URL(path, base).origin !== base) {
    throw invalidField('callbackURL', 'must be a path of this server, such as /agents')
  }
  return path
}

const redirect = (location: string): BrowserReply => ({ status: 302, headers: { location } })

const done = ({ cookies }: AuthAnswer): BrowserReply => ({ cookies })

const maxNameLength = 200

const object = <Fields extends TProperties>(fields: Fields): TObject<Fields> =>
  Type.Object(fields, { additionalProperties: false })

const email = Type.String({ minLength: 3, maxLength: 254 })
// Of a password that is only compared, any length is wrong in the same way; it must only not be endless.
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
