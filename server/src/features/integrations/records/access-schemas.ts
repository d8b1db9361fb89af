/** How a connection is opened, on the wire: typed credentials, or an authorization. */
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { stringEnum } from '../../../platform/schemas.ts'

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

export const BasicCredentials = Type.Object(
  {
    username: Type.String({
      minLength: 1,
      maxLength: 1_024,
      // RFC 7617: the first colon ends it.
      pattern: '^[^:\\x00-\\x1f\\x7f]+$',
      description: 'The user name; without colons.',
    }),
    password: Type.String({
      maxLength: 4_096,
      pattern: '^[^\\x00-\\x1f\\x7f]*$',
      description: 'The password. Stored encrypted, shown never.',
    }),
  },
  { title: 'BasicCredentials', additionalProperties: false },
)

export const accessFields = {
  credentials: Type.Optional(
    Type.Object(
      {},
      {
        additionalProperties: true,
        maxProperties: 10,
        description:
          "Credentials as the entry's `credentialsSchema` has them; left out for an authorization by OAuth.",
      },
    ),
  ),
  flow: Type.Optional(
    stringEnum(['browser', 'device'], {
      description:
        'How a person authorizes by OAuth: in a browser (the default), or by a code that they type at another device, where the service has that.',
    }),
  ),
  redirectUrl: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2_000,
      description:
        'Where the person goes after an OAuth authorization, with `connectionId` and `status` added; its origin must be one that the operator lists.',
    }),
  ),
}

export const Reconnection = Type.Object(accessFields, { title: 'Reconnection', additionalProperties: false })
export type Reconnection = Static<typeof Reconnection>
