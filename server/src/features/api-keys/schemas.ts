/** The wire format of API keys. */

import { appAudiences, environments, type Permission, permissions } from '../../platform/caller.ts'
import { type Static, Type } from '../../platform/json-schema/type.ts'
import { exampleId, idOf, nullable, stringEnum, timestamp } from '../../platform/schemas.ts'

const permissionList = Type.Array(stringEnum(permissions), {
  minItems: 1,
  maxItems: permissions.length,
  uniqueItems: true,
  description:
    'Permissions of the key. They never exceed the current permissions of the person or service account that it acts for.',
})
const addressList = Type.Array(Type.String({ minLength: 2, maxLength: 50, examples: ['203.0.113.0/24'] }), {
  minItems: 1,
  maxItems: 50,
  description: 'Addresses or CIDRs from which the key can be used; null for any.',
})
const agentList = Type.Array(idOf('agent'), {
  minItems: 1,
  maxItems: 100,
  description: 'Narrows the key to these agents; null for all.',
})
const collectionList = Type.Array(idOf('collection'), {
  minItems: 1,
  maxItems: 100,
  description: 'Narrows the key to these collections; null for all.',
})
const filter = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description:
    'Narrows the key to documents that match: a filter as in GET /knowledge/search, as an object. Such a key may have `agents:read`, `agents:run` and `knowledge:read`. It cannot be changed; null for all documents.',
  examples: [{ field: 'tenant', op: 'eq', value: 'acme' }],
})
const name = Type.String({ minLength: 1, maxLength: 100, description: 'Name of the key, for people.' })
const expiresAt = timestamp({ description: 'When the key expires; null for never.' })

export const ApiKey = Type.Closed('ApiKey', {
  id: idOf('key'),
  name,
  environment: stringEnum(environments, { description: 'Environment that it belongs to.' }),
  hint: Type.String({ description: 'First and last characters of the key, to tell keys apart.' }),
  permissions: permissionList,
  agentIds: nullable(agentList),
  collectionIds: nullable(collectionList),
  filter: nullable(filter),
  allowedAddresses: nullable(addressList),
  app: nullable(
    Type.Closed({
      clientId: Type.String({ description: 'The client_id by which it authorizes.' }),
      host: Type.String({
        description: 'Host or scheme to which the authorization was sent; empty for a command line.',
      }),
      audience: stringEnum(appAudiences, {
        description: 'Where its tokens are valid: at `/mcp` alone, or at the API.',
      }),
    }),
    {
      description:
        'The app to which a person gave the key by OAuth; null for a key with a secret of its own.',
    },
  ),
  status: stringEnum(['active', 'expired', 'revoked'], { description: 'Whether it can be used.' }),
  userId: idOf('user', {
    description: 'The person or service account that it acts for, whose permissions it inherits.',
  }),
  expiresAt: nullable(expiresAt),
  revokedAt: nullable(timestamp(), { description: 'When it was revoked; null if it was not.' }),
  lastUsedAt: nullable(timestamp({ description: 'Last use, to the minute.' })),
  createdAt: timestamp({ description: 'When it was created.' }),
  updatedAt: timestamp({ description: 'When it last changed.' }),
})
export type ApiKey = Static<typeof ApiKey>

export const ApiKeyWithSecret = Type.Closed('ApiKeyWithSecret', {
  ...ApiKey.properties,
  key: Type.Optional(
    Type.String({
      description: 'The whole key. Only this reply has it; a replayed reply leaves it out.',
    }),
  ),
})
export type ApiKeyWithSecret = Static<typeof ApiKeyWithSecret>

export const NewApiKey = Type.Closed('ApiKeyInput', {
  name,
  permissions: permissionList,
  environment: Type.Optional(
    stringEnum(environments, {
      description: 'By default that of the calling key. A test key can only create test keys.',
    }),
  ),
  memberId: Type.Optional(
    idOf('member', {
      description: 'A service account that the key acts for, instead of the person behind the calling key.',
    }),
  ),
  agentIds: Type.Optional(nullable(agentList)),
  collectionIds: Type.Optional(nullable(collectionList)),
  filter: Type.Optional(nullable(filter)),
  allowedAddresses: Type.Optional(nullable(addressList)),
  expiresAt: Type.Optional(nullable(expiresAt)),
})
export type NewApiKey = Static<typeof NewApiKey>

export const ApiKeyChange = Type.Closed(
  'ApiKeyChange',
  {
    name: Type.Optional(name),
    permissions: Type.Optional(permissionList),
    agentIds: Type.Optional(nullable(agentList)),
    collectionIds: Type.Optional(nullable(collectionList)),
    allowedAddresses: Type.Optional(nullable(addressList)),
    expiresAt: Type.Optional(nullable(expiresAt)),
  },
  { minProperties: 1 },
)
export type ApiKeyChange = Static<typeof ApiKeyChange>

/** A key that a person gives to an app; it has no secret of its own. */
export type NewGrant = {
  name: string
  permissions: Permission[]
  agentIds: string[] | null
  collectionIds: string[] | null
  app: NonNullable<ApiKey['app']>
  expiresAt: number
}

export const Rotation = Type.Closed('Rotation', {
  overlapSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 604_800,
      default: 3_600,
      description: 'How long the old secret stays valid, in seconds; at most 7 days.',
    }),
  ),
})
export type Rotation = Static<typeof Rotation>

export const apiKeyExample: ApiKey = {
  id: exampleId('key'),
  name: 'Nightly import',
  environment: 'live',
  hint: 'sk_live_…x4Qd',
  permissions: ['knowledge:read', 'knowledge:write'],
  agentIds: null,
  collectionIds: [exampleId('collection')],
  filter: null,
  allowedAddresses: null,
  app: null,
  status: 'active',
  userId: exampleId('user'),
  expiresAt: '2027-11-21T00:00:00.000Z',
  revokedAt: null,
  lastUsedAt: '2026-11-21T09:30:00.000Z',
  createdAt: '2026-11-21T09:30:00.000Z',
  updatedAt: '2026-11-21T09:30:00.000Z',
}
