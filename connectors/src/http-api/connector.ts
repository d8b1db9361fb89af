/** Any HTTP API: opened by a key in a header or by a name and a password, its lists described by the settings. */
import type { Connector } from '../connector.ts'
import { addressOf } from './api.ts'
import { checkList } from './check-list.ts'
import { checkSettings } from './check-settings.ts'
import { type HttpConfig, httpSchema } from './settings.ts'
import { httpSource } from './source.ts'
import { httpTools } from './tools.ts'

export const httpApi: Connector<HttpConfig> = {
  id: 'http',
  name: 'HTTP API',
  description: 'Any HTTP API: opened by an API key in a header, by a name and a password, or to all.',
  category: 'custom',
  documentationUrl: null,
  auth: [
    {
      kind: 'api_key',
      help: 'The key that the API asks for.',
      headers: ({ header, scheme }: HttpConfig, apiKey) => ({
        [header]: scheme === '' ? apiKey : `${scheme} ${apiKey}`,
      }),
    },
    { kind: 'basic', help: 'The name and the password that the API asks for.' },
    { kind: 'none' },
  ],
  configSchema: httpSchema,
  checkConfig: checkSettings,
  origins: ({ baseUrl }) => [new URL(baseUrl).origin],
  blamedField: 'testPath',
  async check(context) {
    const { config, http } = context
    const response = await http.send(addressOf(config, config.testPath).href, { headers: config.headers })
    await response.body?.cancel()
    const { list } = config
    // The person who connects learns at once which setting is wrong.
    if (list !== undefined) await checkList(context, list)
    const url = new URL(config.baseUrl)
    return { id: url.href, name: url.host }
  },
  source: {
    ...httpSource,
    refusal: ({ list }) =>
      list === undefined
        ? { field: 'list', message: 'must be given: without a list there is nothing to keep in sync' }
        : null,
  },
  tools: httpTools,
}
