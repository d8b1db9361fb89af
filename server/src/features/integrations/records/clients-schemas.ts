/** OAuth clients on the wire. */
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { nullable, stringEnum, timestamp } from '../../../platform/schemas.ts'

export const OAuthClientSecret = Type.Object(
  {
    clientId: Type.String({
      minLength: 1,
      maxLength: 1_024,
      pattern: '^[!-~]+$',
      description: 'What the service calls this client.',
    }),
    clientSecret: Type.String({
      minLength: 1,
      maxLength: 4_096,
      pattern: '^[!-~]+$',
      description: 'Stored encrypted, shown never.',
    }),
  },
  { title: 'OAuthClientSecret', additionalProperties: false },
)
export type OAuthClientSecret = Static<typeof OAuthClientSecret>

export const OAuthClientRecord = Type.Object(
  {
    integrationId: Type.String(),
    source: stringEnum(['workspace', 'server', 'none'], {
      description: "Whose client counts: the workspace's own, else the one of the server's settings.",
    }),
    clientId: nullable(Type.String({ description: 'Null where there is no client.' })),
    redirectUrl: Type.String({
      description: 'The address to register with the service as the one that it sends people back to.',
    }),
    updatedAt: nullable(timestamp({ description: "When the workspace's own was set." })),
  },
  { title: 'OAuthClient', additionalProperties: false },
)
export type OAuthClientRecord = Static<typeof OAuthClientRecord>

export const oauthClientExample: OAuthClientRecord = {
  integrationId: 'github',
  source: 'workspace',
  clientId: 'Iv1.8a61f9b3a7aba766',
  redirectUrl: 'https://atrium.example.com/oauth/callback',
  updatedAt: '2026-11-21T09:30:00.000Z',
}
