/** Settings of a connection to an MCP server: its address, its headers, and how long a call may take. */
import type { ConfigFault, ObjectSchema } from '../connector.ts'
import { type HeaderSettings, headerFaults, headerSettings } from '../headers.ts'

export type McpConfig = HeaderSettings & {
  url: string
  clientId?: string
  timeoutSeconds: number
  maxSeconds: number
}

export const mcpSchema: ObjectSchema = {
  type: 'object',
  properties: {
    url: {
      type: 'string',
      minLength: 1,
      maxLength: 2_000,
      description: 'Address of the MCP server (Streamable HTTP). It is shown, so it must hold no secret.',
      examples: ['https://mcp.example.com/mcp'],
    },
    ...headerSettings({ 'X-Region': 'eu' }),
    clientId: {
      type: 'string',
      pattern: '^[!-~]+$',
      maxLength: 500,
      description:
        'OAuth client that the service has given you; by default Atrium registers itself. A secret of the client goes into the credentials, as clientSecret.',
    },
    timeoutSeconds: {
      type: 'integer',
      minimum: 1,
      maximum: 300,
      default: 60,
      description:
        'How long the server may be silent during a call. Each message of progress begins it again.',
    },
    maxSeconds: {
      type: 'integer',
      minimum: 1,
      maximum: 900,
      default: 300,
      description: 'How long a call may take in all, whatever progress it tells.',
    },
  },
  required: ['url'],
  additionalProperties: false,
}

export function checkMcpSettings(config: McpConfig): ConfigFault[] {
  const faults: ConfigFault[] = []
  const url = URL.parse(config.url)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    faults.push({ field: 'url', message: 'must be an address that begins with https:// or http://' })
  } else if (url.username !== '' || url.password !== '') {
    faults.push({ field: 'url', message: 'must have no user name and no password: give a key instead' })
  } else if (url.hash !== '') faults.push({ field: 'url', message: 'must have no fragment' })
  return [...faults, ...headerFaults(config, true)]
}
