/** A wiki: its pages, kept in sync, with a search and comments for agents. */
import type { Connector } from '@atrium/connectors'

type Settings = { baseUrl: string }
type Page = { slug: string; title: string; markdown: string; editedAt: string; editedBy: string }

const connector: Connector<Settings> = {
  id: 'wiki',
  name: 'Wiki',
  description: 'The pages of our wiki.',
  category: 'custom',
  documentationUrl: null,
  auth: [
    {
      kind: 'api_key',
      help: 'Your key: in the wiki, under Profile.',
      headers: (_settings, apiKey) => ({ 'x-wiki-key': apiKey }),
    },
  ],
  configSchema: {
    type: 'object',
    properties: {
      baseUrl: {
        type: 'string',
        pattern: '^https?://',
        maxLength: 500,
        description: 'Where the wiki is.',
        examples: ['https://wiki.example.com'],
      },
    },
    required: ['baseUrl'],
    additionalProperties: false,
  },
  // The key is sent to these origins and to no other.
  origins: ({ baseUrl }) => [new URL(baseUrl).origin],
  // Whose key is it? The first call of a new connection, and of each test.
  check: async ({ config, http }) => {
    const { login, fullName } = await http.json<{ login: string; fullName: string }>(
      `${config.baseUrl}/api/me`,
    )
    return { id: login, name: fullName }
  },
  source: {
    // The wiki does not tell what was deleted: what is not listed any more is gone.
    removals: 'absence',
    list: async ({ config, http }, { page }) => {
      const { data, next } = await http.page<Page[]>(page ?? `${config.baseUrl}/api/pages`)
      return {
        items: data.map(({ slug, title, editedAt }) => ({ id: slug, title, version: editedAt })),
        nextPage: next,
      }
    },
    fetch: async ({ config, http }, { id }) => {
      const url = `${config.baseUrl}/api/pages/${encodeURIComponent(id)}`
      const { title, markdown, editedAt, editedBy } = await http.json<Page>(url)
      return {
        body: markdown,
        fileName: `${id}.md`,
        mediaType: 'text/markdown',
        title,
        metadata: { url, author: editedBy, updatedAt: editedAt },
      }
    },
  },
  tools: [
    {
      name: 'search_pages',
      description: 'Finds pages of the wiki by words.',
      input: {
        type: 'object',
        properties: { words: { type: 'string', minLength: 1, maxLength: 100 } },
        required: ['words'],
        additionalProperties: false,
      },
      changes: false,
      run: ({ config, http }, { words }) =>
        http.json(`${config.baseUrl}/api/search`, { query: { q: String(words) } }),
    },
    {
      name: 'add_comment',
      description: 'Adds a comment to a page of the wiki, which everybody sees.',
      input: {
        type: 'object',
        properties: {
          slug: { type: 'string', minLength: 1, maxLength: 100, description: 'As search_pages tells it.' },
          comment: { type: 'string', minLength: 1, maxLength: 2_000 },
        },
        required: ['slug', 'comment'],
        additionalProperties: false,
      },
      // It changes something, so each call waits for an approval.
      changes: true,
      run: ({ config, http }, { slug, comment }) =>
        http.json(`${config.baseUrl}/api/pages/${encodeURIComponent(String(slug))}/comments`, {
          method: 'POST',
          body: { comment },
        }),
    },
  ],
}

export default connector
