/**
 * Headers that a person names: the header that carries the key, further headers that are shown, and secret headers.
 */
import type { ConfigFault } from './connector.ts'

export type HeaderSettings = {
  header: string
  scheme: string
  headers: Record<string, string>
}

/** Properties of a config's schema. */
export const headerSettings = (example: Record<string, string>) => ({
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
    examples: [example],
  },
})

export const keyHeaders = ({ header, scheme }: HeaderSettings, apiKey: string): Record<string, string> => ({
  [header]: scheme === '' ? apiKey : `${scheme} ${apiKey}`,
})

/** Headers that frame a message or name its target. */
const framing =
  /^(connection|content-length|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i
/** Headers in which a client describes its own messages. */
const spoken = /^(accept|accept-encoding|content-.*|last-event-id|mcp-.*|origin)$/i
/** Headers that are given only as credentials, which are kept encrypted. */
const secret = /^(authorization|cookie)$/i

export const mayBeSecret = (name: string): boolean => !framing.test(name) && !spoken.test(name)

/** `speaks`: the connector's own client sets the headers that describe its messages. */
export function headerFaults({ header, headers }: HeaderSettings, speaks: boolean): ConfigFault[] {
  const faults: ConfigFault[] = []
  if (!mayBeSecret(header)) {
    faults.push({ field: 'header', message: 'must be another one: this header cannot carry a key' })
  }
  for (const name of Object.keys(headers)) {
    const isKey = secret.test(name) || name.toLowerCase() === header.toLowerCase()
    if (!isKey && !framing.test(name) && !(speaks && spoken.test(name))) continue
    const why = isKey ? 'give it in credentials, which are not shown' : 'the client sets this header itself'
    faults.push({ field: `headers.${name}`, message: `must be left out: ${why}` })
  }
  return faults
}
