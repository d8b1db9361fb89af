/** A connector whose service is a list in the test's hands, and an app that can connect it. */
import type { Connector, Content, Item, Listing } from '@atrium/connectors'
import type { Dependencies } from '../../start/dependencies.ts'
import { eventually } from '../eventually.ts'
import { startTestApp, type TestApp, type TestKey, type TestReply } from '../test-app.ts'

type ScriptedSource = {
  connector: Connector
  /** Adds an item or changes it. */
  put(id: string, text: string, more?: Partial<Content>): void
  remove(id: string): void
  pageSize: number
  /** Every call, in its order: `list <since> <page>` and `fetch <id>`. */
  calls: string[]
  /** Called before each call; what it throws, the connector throws. */
  before: (call: string) => Promise<void> | void
  /** Changes what a listing answers. */
  adapt: (listing: Listing) => Listing
}

const scriptedId = 'scripted'

/** `told`: changes and deletions are listed by their number since the last sync; `absence`: changes only. */
function createScriptedSource(removals: 'told' | 'absence' | 'asked' = 'absence'): ScriptedSource {
  const held = new Map<string, { text: string; version: number; more: Partial<Content> }>()
  const gone = new Map<string, number>()
  let changes = 0

  const list = (since: string | null, page: string | null): Listing => {
    const after = since === null ? 0 : Number(since)
    const begin = page === null ? 0 : Number(page)
    const changed = [...held].filter(([, { version }]) => version > after)
    const items = changed.slice(begin, begin + source.pageSize).map(([id, { version }]): Item => {
      return { id, version: String(version), title: `Item ${id}`, data: { version } }
    })
    const next = begin + source.pageSize
    if (next < changed.length) return { items, nextPage: String(next) }
    const removed = [...gone].filter(([, at]) => at > after).map(([id]) => id)
    return {
      items,
      nextPage: null,
      since: String(changes),
      removed: removals === 'told' && since !== null ? removed : undefined,
    }
  }

  const source: ScriptedSource = {
    pageSize: 3,
    calls: [],
    before: () => undefined,
    adapt: listing => listing,
    put(id, text, more = {}) {
      changes++
      gone.delete(id)
      held.set(id, { text, version: changes, more })
    },
    remove(id) {
      changes++
      held.delete(id)
      gone.set(id, changes)
    },
    connector: {
      id: scriptedId,
      name: 'Scripted service',
      description: 'A list in the hands of a test.',
      category: 'test',
      documentationUrl: null,
      auth: [{ kind: 'none' }],
      configSchema: {
        type: 'object',
        properties: { folder: { type: 'string', maxLength: 100 } },
        additionalProperties: false,
      },
      origins: () => [],
      async check() {
        await source.before('check')
        return { id: 'account', name: 'Account' }
      },
      source: {
        removals,
        async list(_context, { since, page }) {
          const call = `list ${since} ${page}`
          source.calls.push(call)
          await source.before(call)
          return source.adapt(list(since, page))
        },
        async fetch(_context, { id }) {
          const call = `fetch ${id}`
          source.calls.push(call)
          await source.before(call)
          const item = held.get(id)
          if (item === undefined) return null
          return {
            body: item.text,
            fileName: `${id.replaceAll('/', '-')}.md`,
            mediaType: 'text/markdown',
            metadata: {
              url: `https://scripted.example/${id}`,
              author: 'ada',
              readers: ['user:ada@example.com'],
            },
            ...item.more,
          }
        },
      },
      // One tool more, of the service's own naming, and the same as in the sandbox.
      remote: {
        use: (_context, work) =>
          work({
            serverName: 'Scripted service',
            list: async () => [{ name: 'sandbox_read', inputSchema: { type: 'object' } }],
            call: async () => ({ content: 'Remembered.', isError: false }),
            hasNewTools: () => false,
          }),
        discover: () => Promise.reject(new Error('It is open to all')),
      },
      tools: [
        {
          name: 'recall',
          description: 'Answers what the service remembers.',
          input: { type: 'object', properties: {}, additionalProperties: false },
          changes: false,
          run: async ({ config }) => ({ remembered: config.folder ?? 'xyzzy' }),
        },
      ],
    },
  }
  return source
}

const opened: Pick<Connector, 'auth' | 'origins'> = {
  auth: [{ kind: 'api_key', help: 'Any.', headers: (_config, apiKey) => ({ authorization: apiKey }) }],
  origins: ({ folder = 'main' }) => [`https://${folder}.scripted.example`],
}

type ScriptedApp = {
  app: TestApp
  source: ScriptedSource
  /** Connects the scripted service; returns the connection's id. */
  connect(key?: TestKey): Promise<string>
  /** Synchronizes and waits for the end; returns the reply's data. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there, and fails where it is not.
  sync(connectionId: string, body?: object, key?: TestKey): Promise<any>
  /** Resolves once the latest sync of the connection waits for its service. */
  untilWaiting(connectionId: string): Promise<void>
  /** External ids of the documents in a collection, in their order. */
  documents(collectionId: string, key?: TestKey): Promise<string[]>
  request: TestApp['request']
  /** Moves the app's clock on. */
  pass(ms: number): void
}

type ScriptedOptions = {
  removals?: 'told' | 'absence' | 'asked'
  settings?: Record<string, string>
  /** Opened by an API key, which goes to the origin in the config. */
  hasKey?: boolean
  /** As in `startTestApp`; the connector is there already. */
  adapt?: (dependencies: Dependencies) => Dependencies
}

/** What ends what it is given: a test, or the owner of an app that tests share. */
type Owner = { after(close: () => Promise<void>): void }

/** Stops with the test. */
export async function startScriptedApp(
  t: Owner,
  { removals, settings = {}, hasKey = false, adapt = dependencies => dependencies }: ScriptedOptions = {},
): Promise<ScriptedApp> {
  const source = createScriptedSource(removals)
  const connector: Connector = hasKey ? { ...source.connector, ...opened } : source.connector
  let skippedMs = 0
  const app = await startTestApp({
    settings,
    clock: () => Date.now() + skippedMs,
    adapt: dependencies => adapt({ ...dependencies, connectors: [...dependencies.connectors, connector] }),
  })
  t.after(app.close)
  const data = ({ status, body }: TestReply) => {
    if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
    return body.data
  }
  return {
    app,
    source,
    request: app.request,
    async connect(key = app.liveKey) {
      const reply = await app.request('POST', '/integrations/connect', {
        key,
        body: { integrationId: scriptedId, credentials: hasKey ? { apiKey: 'a-key' } : undefined },
      })
      return data(reply).id
    },
    async sync(connectionId, body = {}, key = app.liveKey) {
      const headers = { prefer: 'wait=60' }
      const started = await app.request('POST', `/integrations/${connectionId}/sync`, { key, body, headers })
      const { id } = data(started)
      // A busy machine may need longer than a request waits.
      for (let reply = started; ; ) {
        if (reply.status !== 202) return data(reply)
        reply = await app.request('GET', `/integrations/${connectionId}/syncs/${id}`, { key, headers })
      }
    },
    untilWaiting: connectionId =>
      eventually('the sync waits', async () => {
        const [latest] = data(await app.request('GET', `/integrations/${connectionId}/syncs`))
        return latest?.waitingUntil != null
      }),
    async documents(collectionId, key = app.liveKey) {
      const reply = await app.request('GET', '/knowledge/documents', {
        key,
        query: { collectionId, pageSize: 100 },
      })
      return data(reply)
        .map(({ externalId }: { externalId: string }) => externalId)
        .sort()
    },
    pass: ms => {
      skippedMs += ms
    },
  }
}
