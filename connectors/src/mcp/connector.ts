/**
 * Any MCP server (Model Context Protocol) over Streamable HTTP. The server says which tools it has and how it is
 * opened.
 */
import type { Connector } from '../connector.ts'
import { keyHeaders } from '../headers.ts'
import { discover } from './discover.ts'
import { withSession } from './session.ts'
import { checkMcpSettings, type McpConfig, mcpSchema } from './settings.ts'

/** https://modelcontextprotocol.io/specification */
export const mcp: Connector<McpConfig> = {
  id: 'mcp',
  name: 'MCP server',
  description: 'The tools of any MCP server: open to all, opened by secrets in headers, or by OAuth.',
  category: 'custom',
  documentationUrl: 'https://modelcontextprotocol.io/specification',
  auth: [
    { kind: 'mcp' },
    {
      kind: 'api_key',
      help: 'The key that the server asks for, if it takes one in a header.',
      headers: keyHeaders,
    },
    { kind: 'headers', help: 'For a server that asks for several secrets, each in a header of its own.' },
  ],
  configSchema: mcpSchema,
  checkConfig: checkMcpSettings,
  origins: ({ url }) => [new URL(url).origin],
  blamedField: 'url',
  check: context =>
    withSession(context, async session => {
      // Some servers let strangers open a session, and ask for credentials only when tools are listed.
      await session.list()
      const url = new URL(context.config.url)
      return { id: `${url.origin}${url.pathname}`, name: session.serverName || url.host }
    }),
  remote: { use: withSession, discover },
}
