/** Integrations and connections on the wire. */
import Type from 'typebox'
import { exampleId, idOf, nullable, stringEnum, timestamp } from '../../platform/schemas.ts'
import { authKinds, capabilities } from './manifest.ts'

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
    auth: stringEnum(authKinds, { description: 'How the service wants to be opened.' }),
    configSchema: Type.Object(
      {},
      { additionalProperties: true, description: 'JSON Schema of `config` when connecting.' },
    ),
    capabilities: Type.Array(stringEnum(capabilities), {
      description: 'What a connection can be used for in this version, beyond being tested.',
    }),
    configured: Type.Boolean({
      description: 'False where the operator has not set the OAuth client that connecting needs.',
    }),
    documentationUrl: nullable(Type.String({ description: 'Where the service documents its side.' })),
    credentialsSchema: nullable(JsonSchema, {
      description: 'JSON Schema of `credentials` when connecting; null where none are sent.',
    }),
  },
  { title: 'CatalogEntry', additionalProperties: false },
)
export type CatalogEntry = Type.Static<typeof CatalogEntry>

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
  account: nullable(ConnectionAccount, {
    description: 'Whose account is connected; null until that is known.',
  }),
  scopes: Type.Array(Type.String(), { description: 'What the service granted.' }),
  lastSyncAt: nullable(timestamp(), { description: 'When it was last synchronized.' }),
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
export type Connection = Type.Static<typeof Connection>

export const StartedConnection = Type.Object(
  {
    ...connectionFields,
    authorizationUrl: Type.Optional(
      Type.String({
        description:
          'Send the person there to grant access. Only for OAuth, and shown once: a repeated reply leaves it out.',
      }),
    ),
    expiresAt: Type.Optional(
      timestamp({ description: 'Until when the authorization has to be through; only for OAuth.' }),
    ),
  },
  { title: 'StartedConnection', additionalProperties: false },
)
export type StartedConnection = Type.Static<typeof StartedConnection>

export const ApiKeyCredentials = Type.Object(
  {
    apiKey: Type.String({
      minLength: 1,
      maxLength: 4_096,
      pattern: '^[!-~]+$',
      description: 'The key; printable ASCII characters without spaces. Stored encrypted, shown never.',
    }),
  },
  { title: 'ApiKeyCredentials', additionalProperties: false },
)

export const NewConnection = Type.Object(
  {
    integrationId: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The id of an entry of the catalog.',
    }),
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: "The integration's name unless given." }),
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
    credentials: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          maxProperties: 10,
          description: "Credentials as the entry's `credentialsSchema` has them; left out for OAuth.",
        },
      ),
    ),
    redirectUrl: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2_000,
        description:
          'Where the person goes after an OAuth authorization, with `connectionId` and `status` added; its origin must be one that the operator lists.',
      }),
    ),
  },
  { title: 'NewConnection', additionalProperties: false },
)
export type NewConnection = Type.Static<typeof NewConnection>

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
export type ConnectionTest = Type.Static<typeof ConnectionTest>

export const connectionExample: Connection = {
  id: exampleId('connection'),
  integrationId: 'github',
  name: 'GitHub',
  status: 'active',
  account: { id: '583231', name: 'octocat' },
  scopes: ['repo', 'read:org'],
  lastSyncAt: null,
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
  expiresAt: '2026-11-21T09:40:00.000Z',
}

export const catalogExample: CatalogEntry[] = [
  {
    id: 'github',
    name: 'GitHub',
    description: 'Repositories, issues and pull requests of a GitHub account.',
    category: 'development',
    auth: 'oauth2',
    configSchema: { type: 'object', properties: {}, additionalProperties: false },
    capabilities: [],
    configured: true,
    documentationUrl: 'https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps',
    credentialsSchema: null,
  },
]

export const connectionTestExample: ConnectionTest = {
  ok: true,
  status: 'active',
  account: { id: '583231', name: 'octocat' },
  error: null,
  checkedAt: '2026-11-21T09:30:00.000Z',
}
