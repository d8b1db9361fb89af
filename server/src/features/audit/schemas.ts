/** The audit log on the wire. */

import { environments } from '../../platform/caller.ts'
import { type Static, Type } from '../../platform/json-schema/type.ts'
import { nullable, stringEnum, timestamp } from '../../platform/schemas.ts'

export const AuditEntry = Type.Closed('AuditEntry', {
  id: Type.String(),
  environment: stringEnum(environments, { description: 'Environment that it belongs to.' }),
  actor: stringEnum(['key', 'person', 'operator', 'system'], {
    description: 'Kind of author: a key, a person in the console, the operator, or the server.',
  }),
  userId: nullable(Type.String({ description: 'The person that the author acted for.' })),
  keyId: nullable(Type.String({ description: 'The key that made it.' })),
  action: Type.String({ description: 'What was done, such as `agent.create`.' }),
  resourceId: nullable(Type.String({ description: 'Id of the changed record.' })),
  details: Type.Object(
    {},
    { additionalProperties: true, description: 'More about the change; never a secret.' },
  ),
  address: nullable(Type.String({ description: 'The address that the request came from.' })),
  requestId: Type.String({ description: 'The X-Request-Id of the request.' }),
  createdAt: timestamp({ description: 'When it was created.' }),
})
export type AuditEntry = Static<typeof AuditEntry>
