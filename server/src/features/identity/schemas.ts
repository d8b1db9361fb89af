/** What the sign-in pages send. */

import { maxPasswordLength, minPasswordLength } from '../../platform/crypto/passwords.ts'
import { type Static, type TObject, type TProperties, Type } from '../../platform/json-schema/type.ts'

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

export const SignInForm = object({
  email,
  password: givenPassword,
  rememberMe: Type.Optional(Type.Boolean()),
})
export const SocialForm = object({
  provider: Type.Literal('oidc'),
  callbackURL: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
})
export const SignUpForm = object({ name, email, password: newPassword })
export const EmailForm = object({ email })
export const ResetForm = object({ token, newPassword })
export const ChangePasswordForm = object({ currentPassword: givenPassword, newPassword })
export const PersonForm = object({ name })
export const SessionForm = object({ id: token })
export const PasswordForm = object({ password: givenPassword })
export const CodeForm = object({ code })
export const NothingForm = object({})
export const SetupLink = object({ token })
export const SetupPage = object({ token, name, email, password: newPassword })
export type SetupPage = Static<typeof SetupPage>
