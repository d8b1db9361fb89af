/** The audit log on the wire. */

import { environments } from '../../platform/caller.ts'
import { type Static, Type } from '../../platform/json-schema/type.ts'
import { nullable, stringEnum, timestamp } from '../../platform/schemas.ts'

export const AuditEntry = Type.Object(
  {
    id: Type.String(),
    environment: stringEnum(environments),
    actor: stringEnum(['key', 'person', 'operator', 'system'], {
      description:
        'What kind of author made the change: a key, a person in the console, the operator, the server.',
    }),
    userId: nullable(Type.String({ description: 'The person on whose behalf it was made.' })),
    keyId: nullable(Type.String({ description: 'The key that made it.' })),
    action: Type.String({ description: 'What was done, such as `agent.create`.' }),
    resourceId: nullable(Type.String({ description: 'The record that it was done to.' })),
    details: Type.Object(
      {},
      { additionalProperties: true, description: 'What is worth knowing of it; never a secret.' },
    ),
    address: nullable(Type.String({ description: 'The address that the request came from.' })),
    requestId: Type.String({ description: 'The X-Request-Id of the request.' }),
    createdAt: timestamp(),
  },
  { title: 'AuditEntry', additionalProperties: false },
)
export type AuditEntry = Static<typeof AuditEntry>
