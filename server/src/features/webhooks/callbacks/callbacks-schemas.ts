/** The secret by which callbacks are signed, on the wire. */
import { environments } from '../../../platform/caller.ts'
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { nullable, stringEnum, timestamp } from '../../../platform/schemas.ts'

export const CallbackSecret = Type.Closed('CallbackSecret', {
  environment: stringEnum(environments, {
    description: 'Environment of the runs whose callbacks it signs.',
  }),
  rotatedAt: nullable(
    timestamp({
      description: 'When the secret was made; null if there is none yet, and runs take no `callbackUrl`.',
    }),
  ),
  previousSecretExpiresAt: nullable(
    timestamp({ description: 'Until when callbacks also carry a signature with the previous secret.' }),
  ),
})
export type CallbackSecret = Static<typeof CallbackSecret>

export const ShownCallbackSecret = Type.Closed('ShownCallbackSecret', {
  ...CallbackSecret.properties,
  secret: Type.Optional(
    Type.String({
      description:
        'Secret for verifying callbacks: `whsec_` and 32 bytes in base64. Only this reply has it; a replayed reply leaves it out.',
    }),
  ),
})
export type ShownCallbackSecret = Static<typeof ShownCallbackSecret>

export const callbackSecretExample: CallbackSecret = {
  environment: 'live',
  rotatedAt: '2026-11-21T09:30:00.000Z',
  previousSecretExpiresAt: null,
}
