/** Notion: the pages and databases that its people give to the connection. */
import type { Connector } from '../connector.ts'
import { api, whoAmI } from './notion-api.ts'
import { configSchema, type NotionConfig } from './settings.ts'
import { source } from './source.ts'
import { tools } from './tools.ts'

export const notion: Connector<NotionConfig> = {
  id: 'notion',
  name: 'Notion',
  description: 'Pages and rows of databases of a Notion workspace, as far as the connection was given them.',
  category: 'wiki',
  documentationUrl: 'https://developers.notion.com/reference/intro',
  auth: [
    {
      // https://developers.notion.com/docs/authorization
      kind: 'oauth2',
      issuer: 'https://api.notion.com',
      authorizationUrl: 'https://api.notion.com/v1/oauth/authorize',
      tokenUrl: 'https://api.notion.com/v1/oauth/token',
      clientAuthentication: 'basic',
      // Permissions are set where the integration is registered. Pages are chosen on Notion's page.
      scopes: [],
      authorizationParameters: { owner: 'user' },
      revocation: { kind: 'rfc7009', url: 'https://api.notion.com/v1/oauth/revoke' },
      quirks: { tokenRequestIsJson: true, withoutPkce: true },
    },
    {
      kind: 'api_key',
      help: 'The secret of an internal integration: Notion → Settings → Connections → Develop or manage integrations. Give it pages by their menu, under Connections.',
      headers: (_config, apiKey) => ({ authorization: `Bearer ${apiKey}` }),
    },
  ],
  configSchema,
  origins: () => [api],
  check: async ({ http }) => {
    const { id, name, bot } = await whoAmI(http)
    return { id, name: bot?.workspace_name ?? name ?? id }
  },
  source,
  tools,
}
