/** How a secret is rotated, on the wire: of an endpoint, and of callbacks. */
import { type Static, Type } from '../../../platform/json-schema/type.ts'

export const SecretRotation = Type.Closed('SecretRotation', {
  overlapSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 604_800,
      default: 86_400,
      description: 'How long deliveries are also signed with the old secret, in seconds; at most 7 days.',
    }),
  ),
})
export type SecretRotation = Static<typeof SecretRotation>
