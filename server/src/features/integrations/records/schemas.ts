/** Integrations and connections on the wire. */
import { authKinds as connectorAuthKinds } from '@atrium/connectors'
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { exampleId, idOf, nullable, stringEnum, timestamp } from '../../../platform/schemas.ts'
import { accessFields } from './access-schemas.ts'
import { ConnectionSyncPlan } from './sync-schemas.ts'

const authKinds = [...connectorAuthKinds, 'mcp'] as const
const capabilities = ['sync', 'tools'] as const

export const connectionStatuses = [
  'pending',
  'active',
  'needs_reauth',
  'failed',
  'revoked',
  'expired',
] as const

const JsonSchema = Type.Object({}, { additionalProperties: true })

export const CatalogEntry = Type.Object(
  {
    id: Type.String({ description: 'What `integrationId` names when connecting.' }),
    name: Type.String(),
    description: Type.String(),
    category: Type.String(),
    auth: stringEnum(authKinds, { description: 'How the service is opened unless `credentials` are given.' }),
    authKinds: Type.Array(stringEnum(authKinds), { description: 'Every way in which it can be opened.' }),
    configSchema: Type.Object(
      {},
      { additionalProperties: true, description: 'JSON Schema of `config` when connecting.' },
    ),
    capabilities: Type.Array(stringEnum(capabilities), {
      description: 'What a connection can be used for, beyond being tested.',
    }),
    configured: Type.Boolean({
      description: 'False where the operator has not set the OAuth client that connecting needs.',
    }),
    documentationUrl: nullable(Type.String({ description: 'Where the service documents its side.' })),
    credentialsSchema: nullable(JsonSchema, {
      description:
        'JSON Schema of `credentials` when connecting; null where none are sent. Where `auth` is `oauth2`, they may be given instead of an authorization.',
    }),
    unverified: Type.Boolean({
      description: 'True where no peer that answers as the service documents it has tested this entry.',
    }),
  },
  { title: 'CatalogEntry', additionalProperties: false },
)
export type CatalogEntry = Static<typeof CatalogEntry>

const ConnectionAccount = Type.Object(
  {
    id: Type.String({ description: "The account's id at the service." }),
    name: Type.String({ description: 'What the account is called there.' }),
  },
  { additionalProperties: false },
)

const connectionFields = {
  id: idOf('connection'),
  integrationId: Type.String({ description: 'The entry of the catalog.' }),
  name: Type.String(),
  status: stringEnum(connectionStatuses, {
    description:
      '`pending` waits for the authorization, `needs_reauth` was opened once and is not any more, `expired` was never authorized in time.',
  }),
  config: Type.Object(
    {},
    { additionalProperties: true, description: "Its settings, as the entry's `configSchema` has them." },
  ),
  account: nullable(ConnectionAccount, {
    description: 'Whose account is connected; null until that is known.',
  }),
  scopes: Type.Array(Type.String(), { description: 'What the service granted.' }),
  lastSyncAt: nullable(timestamp(), { description: 'When it was last synchronized.' }),
  sync: ConnectionSyncPlan,
  lastError: nullable(
    Type.Object(
      {
        code: Type.String({ description: 'A word for programs.' }),
        message: Type.String(),
        at: timestamp(),
      },
      { additionalProperties: false },
    ),
    { description: 'What went wrong last; null once the connection works again.' },
  ),
  createdAt: timestamp(),
}

export const Connection = Type.Object(connectionFields, { title: 'Connection', additionalProperties: false })
export type Connection = Static<typeof Connection>

export const StartedConnection = Type.Object(
  {
    ...connectionFields,
    authorizationUrl: Type.Optional(
      Type.String({
        description:
          'Send the person there to grant access. Only for OAuth, and shown once: a repeated reply leaves it out.',
      }),
    ),
    connectUrl: Type.Optional(
      Type.String({
        description:
          'A page of this server that says what will be connected before it leads to the service, and that only the browser which opened it can finish: for a person who is not already at yours. Shown once.',
      }),
    ),
    userCode: Type.Optional(
      Type.String({ description: 'What the person types at `verificationUrl`; only in the device flow.' }),
    ),
    verificationUrl: Type.Optional(
      Type.String({ description: 'Where the person types `userCode`, at whatever device.' }),
    ),
    expiresAt: Type.Optional(
      timestamp({ description: 'Until when the authorization has to be through; only for OAuth.' }),
    ),
  },
  { title: 'StartedConnection', additionalProperties: false },
)
export type StartedConnection = Static<typeof StartedConnection>

export const NewConnection = Type.Object(
  {
    integrationId: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The id of an entry of the catalog.',
    }),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          "The integration's name unless given; with the account's in parentheses where there is another connection of it, and this one needs no authorization.",
      }),
    ),
    config: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          maxProperties: 50,
          description: "Settings as the entry's `configSchema` has them.",
        },
      ),
    ),
    ...accessFields,
  },
  { title: 'NewConnection', additionalProperties: false },
)
export type NewConnection = Static<typeof NewConnection>

export const ConnectionTest = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether the service answered as it should.' }),
    status: stringEnum(connectionStatuses, { description: "The connection's status after the test." }),
    account: nullable(ConnectionAccount, { description: 'Whose account answered.' }),
    error: nullable(
      Type.Object({ code: Type.String(), message: Type.String() }, { additionalProperties: false }),
      { description: 'What went wrong; null where nothing did.' },
    ),
    checkedAt: timestamp(),
  },
  { title: 'ConnectionTest', additionalProperties: false },
)
export type ConnectionTest = Static<typeof ConnectionTest>

export const connectionExample: Connection = {
  id: exampleId('connection'),
  integrationId: 'github',
  name: 'GitHub',
  status: 'active',
  config: { repositories: ['octocat/hello-world'] },
  account: { id: '583231', name: 'octocat' },
  scopes: ['repo', 'read:org'],
  lastSyncAt: null,
  sync: { collectionId: null, everyMinutes: null, nextSyncAt: null },
  lastError: null,
  createdAt: '2026-11-21T09:30:00.000Z',
}

export const startedConnectionExample: StartedConnection = {
  ...connectionExample,
  status: 'pending',
  account: null,
  scopes: [],
  authorizationUrl:
    'https://github.com/login/oauth/authorize?client_id=Iv1.8a61f9b3a7aba766&response_type=code&code_challenge_method=S256',
  connectUrl: 'https://atrium.example.com/connect/…',
  expiresAt: '2026-11-21T09:40:00.000Z',
}

export const catalogExample: CatalogEntry[] = [
  {
    id: 'github',
    name: 'GitHub',
    description: 'Repositories, issues and pull requests of a GitHub account.',
    category: 'development',
    auth: 'oauth2',
    authKinds: ['oauth2', 'api_key'],
    configSchema: { type: 'object', properties: {}, additionalProperties: false },
    capabilities: [],
    configured: true,
    documentationUrl: 'https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps',
    credentialsSchema: {
      type: 'object',
      required: ['apiKey'],
      properties: { apiKey: { type: 'string' } },
      additionalProperties: false,
    },
    unverified: false,
  },
]

export const connectionTestExample: ConnectionTest = {
  ok: true,
  status: 'active',
  account: { id: '583231', name: 'octocat' },
  error: null,
  checkedAt: '2026-11-21T09:30:00.000Z',
}
