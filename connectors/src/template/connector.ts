/** Example: the notes of an account, kept in sync, and a search for agents. */
import type { Connector } from '@atrium/connectors'

type Settings = { baseUrl: string }
type Note = { id: string; title: string; revision: number; deleted: boolean }

const connector: Connector<Settings> = {
  id: 'example',
  name: 'Example',
  description: 'The notes of an account.',
  category: 'custom',
  documentationUrl: null,
  auth: [
    {
      kind: 'api_key',
      help: 'Where a person finds the key.',
      headers: (_settings, apiKey) => ({ authorization: `Bearer ${apiKey}` }),
    },
  ],
  configSchema: {
    type: 'object',
    properties: {
      baseUrl: {
        type: 'string',
        pattern: '^https?://',
        maxLength: 500,
        description: 'Where the service is.',
        examples: ['https://notes.example.com'],
      },
    },
    required: ['baseUrl'],
    additionalProperties: false,
  },
  // The key is sent to these origins and to no other.
  origins: ({ baseUrl }) => [new URL(baseUrl).origin],
  // Tells whose key it is. This is the first call of a new connection, and of each test.
  check: ({ config, http }) => http.json(`${config.baseUrl}/me`),
  source: {
    // "told": `list` names gone items in `removed`. "absence": an item that `list` no longer names is gone.
    removals: 'told',
    list: async ({ config, http }, { since, page }) => {
      const after = page ?? since ?? '0'
      const { notes, more } = await http.json<{ notes: Note[]; more: boolean }>(`${config.baseUrl}/notes`, {
        query: { after },
      })
      const last = String(notes.at(-1)?.revision ?? after)
      const changes = {
        items: notes
          .filter(({ deleted }) => !deleted)
          .map(({ id, title, revision }) => ({ id, title, version: String(revision) })),
        removed: notes.filter(({ deleted }) => deleted).map(({ id }) => id),
      }
      return more ? { ...changes, nextPage: last } : { ...changes, nextPage: null, since: last }
    },
    fetch: async ({ config, http }, { id, title }) => {
      const url = `${config.baseUrl}/notes/${encodeURIComponent(id)}`
      return {
        body: await http.text(url),
        fileName: `${title}.md`,
        mediaType: 'text/markdown',
        metadata: { url },
      }
    },
  },
  tools: [
    {
      name: 'search_notes',
      description: 'Finds notes by a word.',
      input: {
        type: 'object',
        properties: { word: { type: 'string', minLength: 1, maxLength: 100 } },
        required: ['word'],
        additionalProperties: false,
      },
      // True if a call changes something. Each call then waits for an approval.
      changes: false,
      run: ({ config, http }, { word }) =>
        http.json(`${config.baseUrl}/search`, { query: { word: String(word) } }),
    },
  ],
}

export default connector
