/** Settings of a connection to an MCP server: its address, its headers, and how long a call may take. */
import type { ConfigFault, ObjectSchema } from '../connector.ts'

export type McpConfig = {
  url: string
  header: string
  scheme: string
  headers: Record<string, string>
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
    header: {
      type: 'string',
      pattern: '^[A-Za-z0-9-]{1,64}$',
      default: 'Authorization',
      description: 'Header that carries the key, if you give one.',
    },
    scheme: {
      type: 'string',
      pattern: '^[A-Za-z0-9-]{0,32}$',
      default: 'Bearer',
      description: 'Word before the key in the header; empty for the key alone.',
    },
    headers: {
      type: 'object',
      propertyNames: { pattern: '^[A-Za-z0-9-]{1,64}$' },
      additionalProperties: { type: 'string', pattern: '^[\\x20-\\x7e]*$', maxLength: 500 },
      maxProperties: 20,
      default: {},
      description: 'Further headers of every request; no secrets, since they are shown.',
      examples: [{ 'X-Region': 'eu' }],
    },
    clientId: {
      type: 'string',
      pattern: '^[!-~]+$',
      maxLength: 500,
      description:
        'OAuth client that the service has given you, without a secret; by default Atrium registers itself.',
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

/** What the protocol, the credentials or the connection decide. */
const reserved =
  /^(authorization|proxy-.*|cookie|host|accept|accept-encoding|connection|content-.*|transfer-encoding|upgrade|te|trailer|origin|last-event-id|mcp-.*)$/i

export function checkMcpSettings({ url: address, headers, header }: McpConfig): ConfigFault[] {
  const faults: ConfigFault[] = []
  const url = URL.parse(address)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    faults.push({ field: 'url', message: 'must be an address that begins with https:// or http://' })
  } else if (url.username !== '' || url.password !== '') {
    faults.push({ field: 'url', message: 'must have no user name and no password: give a key instead' })
  } else if (url.hash !== '') faults.push({ field: 'url', message: 'must have no fragment' })
  if (header.toLowerCase() !== 'authorization' && reserved.test(header)) {
    faults.push({ field: 'header', message: 'must be another one: this header belongs to the protocol' })
  }
  for (const name of Object.keys(headers)) {
    if (name.toLowerCase() === header.toLowerCase() || reserved.test(name)) {
      faults.push({
        field: `headers.${name}`,
        message: 'must be left out: the protocol or the key sets this header',
      })
    }
  }
  return faults
}
