/** What agents can do with an API: read what is below its base address. */
import type { ConnectorTool } from '../connector.ts'
import { jsonIn, type Limits } from '../gate/gate.ts'
import { HttpFailure } from '../http.ts'
import { objectSchema } from '../schemas.ts'
import { addressOf, isBelowBase } from './api.ts'
import type { HttpConfig } from './settings.ts'

const maxBytes = 2 * 1024 * 1024
const limits: Limits = { maxBytes, maxValues: 50_000, maxDepth: 100 }

const get: ConnectorTool<HttpConfig> = {
  name: 'get',
  description: 'Reads one address of the connected HTTP API by GET and answers its status and its body.',
  input: objectSchema(
    {
      path: {
        type: 'string',
        minLength: 1,
        maxLength: 1_000,
        description: 'The path after the base address of the API: /articles/7.',
      },
      query: {
        type: 'object',
        additionalProperties: { type: ['string', 'number', 'boolean'], maxLength: 2_000 },
        maxProperties: 20,
        description: 'Parameters of the request.',
      },
    },
    ['path'],
  ),
  changes: false,
  async run({ config, http }, input) {
    // Valid by the schema above.
    const { path, query = {} } = input as { path: string; query?: Record<string, string | number | boolean> }
    const address = addressOf(config, path)
    if (!isBelowBase(config, address)) {
      throw new HttpFailure('forbidden', `Only addresses below ${config.baseUrl} can be read`)
    }
    address.hash = ''
    const response = await http.send(address.href, { headers: config.headers, query, maxBytes })
    const text = await response.text()
    // The model reads a body that is no JSON, or too large a one, as it stands.
    return { status: response.status, body: jsonIn(text, limits) ?? text }
  },
}

export const httpTools: readonly ConnectorTool<HttpConfig>[] = [get]
