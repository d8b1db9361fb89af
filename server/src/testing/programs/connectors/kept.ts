/** The connector of the kill loop: a service on loopback that names its items, what changed since, and what is gone. */
import type { Connector, Listing } from '@atrium/connectors'

type Config = { url: string }

const kept: Connector<Config> = {
  id: 'kept',
  name: 'Kept',
  description: 'What the kill loop holds.',
  category: 'test',
  documentationUrl: null,
  auth: [{ kind: 'none' }],
  configSchema: {
    type: 'object',
    properties: { url: { type: 'string' } },
    required: ['url'],
    additionalProperties: false,
  },
  origins: () => [],
  check: async ({ config, http }) => {
    await http.json(`${config.url}/list`)
    return { id: config.url, name: 'Kept' }
  },
  source: {
    removals: 'told',
    list: ({ config, http }, { since, page }) =>
      http.json<Listing>(`${config.url}/list`, {
        query: { since: since ?? undefined, page: page ?? undefined },
      }),
    fetch: async ({ config, http }, { id }) => ({
      body: await http.bytes(`${config.url}/items/${id}`),
      // A name is searched as well: it must not have a number that a word has.
      fileName: 'a.txt',
      mediaType: 'text/plain',
    }),
  },
}

// biome-ignore lint/style/noDefaultExport: a connector's file is known by it.
export default kept
