/** The wire format of integrations and connections. */
import { authKinds } from '@atrium/connectors'
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { exampleId, idOf, nullable, stringEnum, timestamp } from '../../../platform/schemas.ts'
import { accessFields } from './access-schemas.ts'
import { ConnectionSyncPlan } from './sync-schemas.ts'

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

export const CatalogEntry = Type.Closed('CatalogEntry', {
  id: Type.String({ description: 'Value of `integrationId` when connecting.' }),
  name: Type.String({ description: 'Name of the service.' }),
  description: Type.String({ description: 'What a connection gives, for people.' }),
  category: Type.String({ description: 'Group of the catalog.' }),
  auth: stringEnum(authKinds, {
    description: 'How a connection is authorized unless you send `credentials`.',
  }),
  authKinds: Type.Array(stringEnum(authKinds), { description: 'All ways to authorize a connection.' }),
  configSchema: Type.Object(
    {},
    { additionalProperties: true, description: 'JSON Schema of `config` when connecting.' },
  ),
  capabilities: Type.Array(stringEnum(capabilities), {
    description: 'What a connection can be used for, beyond being tested.',
  }),
  configured: Type.Boolean({
    description: 'False if the OAuth client that connecting needs is not configured.',
  }),
  documentationUrl: nullable(Type.String({ description: 'Documentation of the service.' })),
  credentialsSchema: nullable(JsonSchema, {
    description:
      'JSON Schema of `credentials` when connecting; null if none are sent. If `auth` is `oauth2`, you may send them instead of authorizing.',
  }),
  unverified: Type.Boolean({
    description:
      'True if this entry has not been tested against a server that behaves as the service documents.',
  }),
})
export type CatalogEntry = Static<typeof CatalogEntry>

const ConnectionAccount = Type.Closed({
  id: Type.String({ description: "The account's id at the service." }),
  name: Type.String({ description: 'Name of the account at the service.' }),
})

const connectionFields = {
  id: idOf('connection'),
  integrationId: Type.String({ description: 'Id of the catalog entry.' }),
  name: Type.String({ description: 'Its name, for people.' }),
  status: stringEnum(connectionStatuses, {
    description:
      '`pending`: waits for the authorization. `needs_reauth`: the service no longer accepts the credentials. `expired`: not authorized in time.',
  }),
  config: Type.Object(
    {},
    { additionalProperties: true, description: "Settings that fit the entry's `configSchema`." },
  ),
  account: nullable(ConnectionAccount, {
    description: 'The connected account; null until it is known.',
  }),
  scopes: Type.Array(Type.String(), { description: 'What the service granted.' }),
  lastSyncAt: nullable(timestamp(), { description: 'When it was last synchronized.' }),
  sync: ConnectionSyncPlan,
  lastError: nullable(
    Type.Closed({
      code: Type.String({ description: 'Error code for programs.' }),
      message: Type.String({ description: 'What went wrong, for people.' }),
      at: timestamp({ description: 'When it happened.' }),
    }),
    { description: 'Last error; null once the connection works again.' },
  ),
  createdAt: timestamp({ description: 'When it was created.' }),
}

export const Connection = Type.Closed('Connection', connectionFields)
export type Connection = Static<typeof Connection>

export const StartedConnection = Type.Closed('StartedConnection', {
  ...connectionFields,
  authorizationUrl: Type.Optional(
    Type.String({
      description:
        'Send the person there to grant access. Only for OAuth. Shown once: a replayed reply leaves it out.',
    }),
  ),
  connectUrl: Type.Optional(
    Type.String({
      description:
        'A page of this server that names what will be connected and then leads to the service. Only the browser that opened it can finish. For people who are not signed in to your own application. Shown once.',
    }),
  ),
  userCode: Type.Optional(
    Type.String({ description: 'Code to enter at `verificationUrl`; only in the device flow.' }),
  ),
  verificationUrl: Type.Optional(
    Type.String({ description: 'Where the person enters `userCode`, on any device.' }),
  ),
  expiresAt: Type.Optional(timestamp({ description: 'Deadline for the authorization; only for OAuth.' })),
})
export type StartedConnection = Static<typeof StartedConnection>

export const NewConnection = Type.Closed('ConnectionInput', {
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
        'By default the name of the integration, followed by the account in parentheses if the integration has another connection and this one needs no authorization.',
    }),
  ),
  config: Type.Optional(
    Type.Object(
      {},
      {
        additionalProperties: true,
        maxProperties: 50,
        description: "Settings that fit the entry's `configSchema`.",
      },
    ),
  ),
  ...accessFields,
})
export type NewConnection = Static<typeof NewConnection>

export const ConnectionTest = Type.Closed('ConnectionTest', {
  ok: Type.Boolean({ description: 'Whether the service accepted the call.' }),
  status: stringEnum(connectionStatuses, { description: "The connection's status after the test." }),
  account: nullable(ConnectionAccount, { description: 'The account at the service.' }),
  error: nullable(Type.Closed({ code: Type.String(), message: Type.String() }), {
    description: 'The error; null if there is none.',
  }),
  checkedAt: timestamp({ description: 'When it was tested.' }),
})
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
