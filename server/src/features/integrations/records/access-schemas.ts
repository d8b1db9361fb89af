/** The wire format of opening a connection: typed credentials, or an authorization. */
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { nullable, stringEnum, timestamp } from '../../../platform/schemas.ts'

export const ApiKeyCredentials = Type.Closed('ApiKeyCredentials', {
  apiKey: Type.String({
    minLength: 1,
    maxLength: 4_096,
    pattern: '^[!-~]+$',
    description: 'The key; printable ASCII characters without spaces. Stored encrypted, never shown.',
  }),
})

export const maxSecretHeaders = 10

export const HeaderCredentials = Type.Closed('HeaderCredentials', {
  headers: Type.Unsafe<Record<string, string>>({
    type: 'object',
    title: 'Secret headers',
    minProperties: 1,
    maxProperties: maxSecretHeaders,
    propertyNames: { type: 'string', pattern: '^[A-Za-z0-9-]{1,64}$' },
    additionalProperties: { type: 'string', maxLength: 4_096, pattern: '^[!-~]([ -~]*[!-~])?$' },
    description: 'Secret headers by their names. Their values are stored encrypted and never shown.',
  }),
})

/** The secret of the OAuth client that the config names. */
export const ClientSecretCredentials = Type.Closed('ClientSecretCredentials', {
  clientSecret: Type.String({
    minLength: 1,
    maxLength: 4_096,
    pattern: '^[!-~]+$',
    description: 'Secret of your OAuth client, if it has one. Stored encrypted, never shown.',
  }),
})

export const BasicCredentials = Type.Closed('BasicCredentials', {
  username: Type.String({
    minLength: 1,
    maxLength: 1_024,
    // RFC 7617: the first colon ends the user name.
    pattern: '^[^:\\x00-\\x1f\\x7f]+$',
    description: 'The user name; without colons.',
  }),
  password: Type.String({
    maxLength: 4_096,
    pattern: '^[^\\x00-\\x1f\\x7f]*$',
    description: 'The password. Stored encrypted, never shown.',
  }),
})

export const accessFields = {
  credentials: Type.Optional(
    Type.Object(
      {},
      {
        additionalProperties: true,
        maxProperties: 10,
        description:
          "Credentials that fit the entry's `credentialsSchema`; leave them out to authorize by OAuth.",
      },
    ),
  ),
  flow: Type.Optional(
    stringEnum(['browser', 'device'], {
      description:
        'How a person authorizes by OAuth: in a browser (the default), or with a code that they enter on another device, if the service supports that.',
    }),
  ),
  redirectUrl: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2_000,
      description:
        'Where the person returns after an OAuth authorization, with `connectionId` and `status` added. The operator must allow its origin.',
    }),
  ),
}

export const Reconnection = Type.Closed('Reconnection', accessFields)
export type Reconnection = Static<typeof Reconnection>

export const OAuthClientSecret = Type.Closed('OAuthClientSecret', {
  clientId: Type.String({
    minLength: 1,
    maxLength: 1_024,
    pattern: '^[!-~]+$',
    description: 'Client id from the service.',
  }),
  clientSecret: Type.String({
    minLength: 1,
    maxLength: 4_096,
    pattern: '^[!-~]+$',
    description: 'Stored encrypted and never returned.',
  }),
})
export type OAuthClientSecret = Static<typeof OAuthClientSecret>

export const OAuthClientRecord = Type.Closed('OAuthClient', {
  integrationId: Type.String({ description: 'The integration of the catalog.' }),
  source: stringEnum(['workspace', 'server', 'none'], {
    description: "Which client is used: the workspace's own, or else the one in the server's settings.",
  }),
  clientId: nullable(Type.String({ description: 'Null if there is no client.' })),
  redirectUrl: Type.String({
    description: 'Redirect URL to register with the service.',
  }),
  updatedAt: nullable(timestamp({ description: "When the workspace's own client was set." })),
})
export type OAuthClientRecord = Static<typeof OAuthClientRecord>

export const oauthClientExample: OAuthClientRecord = {
  integrationId: 'github',
  source: 'workspace',
  clientId: 'Iv1.8a61f9b3a7aba766',
  redirectUrl: 'https://atrium.example.com/oauth/callback',
  updatedAt: '2026-11-21T09:30:00.000Z',
}
