/** API keys on the wire. */

import { environments, permissions } from '../../platform/caller.ts'
import { type Static, Type } from '../../platform/json-schema/type.ts'
import { exampleId, idOf, nullable, stringEnum, timestamp } from '../../platform/schemas.ts'

const permissionList = Type.Array(stringEnum(permissions), {
  minItems: 1,
  maxItems: permissions.length,
  uniqueItems: true,
  description:
    'What the key may do, at the most: it never may more than the person or service account that it acts for may now.',
})
const addressList = Type.Array(Type.String({ minLength: 2, maxLength: 50, examples: ['203.0.113.0/24'] }), {
  minItems: 1,
  maxItems: 50,
  description: 'Addresses or CIDRs from which the key can be used; any where null.',
})
const agentList = Type.Array(idOf('agent'), {
  minItems: 1,
  maxItems: 100,
  description: 'Narrows the key to these agents; all where null.',
})
const collectionList = Type.Array(idOf('collection'), {
  minItems: 1,
  maxItems: 100,
  description: 'Narrows the key to these collections; all where null.',
})
const name = Type.String({ minLength: 1, maxLength: 100, description: 'What the key is for, for people.' })
const expiresAt = timestamp({ description: 'When the key ends by itself; never where null.' })

export const ApiKey = Type.Object(
  {
    id: idOf('key'),
    name,
    environment: stringEnum(environments),
    hint: Type.String({ description: 'The beginning and the end of the key, to tell keys apart.' }),
    permissions: permissionList,
    agentIds: nullable(agentList),
    collectionIds: nullable(collectionList),
    allowedAddresses: nullable(addressList),
    status: stringEnum(['active', 'expired', 'revoked']),
    userId: idOf('user', {
      description: 'The person or service account that it acts for, whose permissions it inherits.',
    }),
    expiresAt: nullable(expiresAt),
    revokedAt: nullable(timestamp()),
    lastUsedAt: nullable(timestamp({ description: 'To the minute.' })),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { title: 'ApiKey', additionalProperties: false },
)
export type ApiKey = Static<typeof ApiKey>

export const ApiKeyWithSecret = Type.Object(
  {
    ...ApiKey.properties,
    key: Type.Optional(
      Type.String({
        description:
          'The whole key. It is shown in this reply only, and left out when the reply is repeated.',
      }),
    ),
  },
  { title: 'ApiKeyWithSecret', additionalProperties: false },
)
export type ApiKeyWithSecret = Static<typeof ApiKeyWithSecret>

export const NewApiKey = Type.Object(
  {
    name,
    permissions: permissionList,
    environment: Type.Optional(
      stringEnum(environments, {
        description: 'That of the calling key unless given. A test key can only make test keys.',
      }),
    ),
    memberId: Type.Optional(
      idOf('member', {
        description: 'A service account that the key acts for, instead of the person behind the calling key.',
      }),
    ),
    agentIds: Type.Optional(nullable(agentList)),
    collectionIds: Type.Optional(nullable(collectionList)),
    allowedAddresses: Type.Optional(nullable(addressList)),
    expiresAt: Type.Optional(nullable(expiresAt)),
  },
  { title: 'NewApiKey', additionalProperties: false },
)
export type NewApiKey = Static<typeof NewApiKey>

export const ApiKeyChange = Type.Object(
  {
    name: Type.Optional(name),
    permissions: Type.Optional(permissionList),
    agentIds: Type.Optional(nullable(agentList)),
    collectionIds: Type.Optional(nullable(collectionList)),
    allowedAddresses: Type.Optional(nullable(addressList)),
    expiresAt: Type.Optional(nullable(expiresAt)),
  },
  { title: 'ApiKeyChange', additionalProperties: false, minProperties: 1 },
)
export type ApiKeyChange = Static<typeof ApiKeyChange>

export const Rotation = Type.Object(
  {
    overlapSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 604_800,
        default: 3_600,
        description: 'For how long the old secret lives on, in seconds; at most 7 days.',
      }),
    ),
  },
  { title: 'Rotation', additionalProperties: false },
)
export type Rotation = Static<typeof Rotation>

export const apiKeyExample: ApiKey = {
  id: exampleId('key'),
  name: 'Nightly import',
  environment: 'live',
  hint: 'sk_live_…x4Qd',
  permissions: ['knowledge:read', 'knowledge:write'],
  agentIds: null,
  collectionIds: [exampleId('collection')],
  allowedAddresses: null,
  status: 'active',
  userId: exampleId('user'),
  expiresAt: '2027-11-21T00:00:00.000Z',
  revokedAt: null,
  lastUsedAt: '2026-11-21T09:30:00.000Z',
  createdAt: '2026-11-21T09:30:00.000Z',
  updatedAt: '2026-11-21T09:30:00.000Z',
}
