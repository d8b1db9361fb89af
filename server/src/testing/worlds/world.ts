/** A server on which everything can be made that a caller may be kept from, of any age. */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { dayMs } from '../../platform/clock.ts'
import { createIds, type NewId } from '../../platform/ids.ts'
import { startScriptedApp } from '../apps/scripted-source.ts'
import { untilNoJobs } from '../knowledge/knowledge.ts'
import { startModelServer } from '../servers/model-server.ts'
import { startWebhookReceiver } from '../servers/webhook-receiver.ts'
import type { TestApp, TestKey } from '../test-app.ts'

/** Ids by the noun that stands before them in a path: `agents`, `runs`, `collections`. */
export type Ids = Record<string, string[]>

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there, and fails where it is not.
type Json = any

export type World = {
  app: TestApp
  /** An admin, whose keys the narrowed ones are. */
  adminId: string
  /** Where webhooks may go. */
  receiverOrigin: string
  /** From now on what is made is so old; its ids too. */
  setAge(ms: number): void
  /** Returns the reply's data; throws if the request is refused. */
  ask(method: string, path: string, body?: object, key?: TestKey | string): Promise<Json>
  idOf(path: string, body: object, key?: TestKey | string): Promise<string>
  /** A connection that has filled the collection with what its service says of the word. */
  addConnection(word: string, collectionId: string): Promise<Ids>
  /** When this resolves, nothing goes on any more, and what is kept is counted. */
  settle(): Promise<void>
}

/** That no limit is reached on the way. */
const settings = {
  ATRIUM_ALLOWED_PRIVATE_NETWORKS: '127.0.0.1',
  ATRIUM_PLAN_ENTERPRISE: 'requestsPerMinute=1000000,members=1000',
}

/** Stops with the test. */
export async function startWorld(t: TestContext): Promise<World> {
  const model = await startModelServer()
  t.after(model.close)
  const receiver = await startWebhookReceiver()
  t.after(receiver.close)
  // Calls the connection's tool, where there is one, and says what it was told.
  model.setScript(({ tools = [], messages }) => {
    const told = messages.findLast(({ role }) => role === 'tool')
    const recall = tools.find(({ function: { name } }) => name === 'scripted_recall')
    return told === undefined && recall !== undefined
      ? { kind: 'tool_calls', calls: [{ name: 'scripted_recall', arguments: {} }] }
      : { kind: 'answer', text: `I was told ${String(told?.content ?? 'nothing')}` }
  })
  let newId: NewId
  const { app, source, connect, sync, pass } = await startScriptedApp(t, {
    settings: { ...settings, OPENAI_BASE_URL: model.baseUrl },
    adapt: dependencies => {
      newId = createIds(dependencies.clock)
      return { ...dependencies, newId: kind => newId(kind) }
    },
  })
  // A day that ended between two questions would change the answers.
  pass(dayMs - ((app.dependencies.clock() + dayMs / 2) % dayMs))
  newId = createIds(app.dependencies.clock)
  let age = 0

  async function ask(
    method: string,
    path: string,
    body?: object,
    key: TestKey | string = app.liveKey,
  ): Promise<Json> {
    const reply = await app.request(method, path, { key, body })
    assert.ok(reply.status < 300, `${method} ${path} ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.body?.data
  }

  const admin = await app.createKey({ role: 'admin' })
  return {
    app,
    adminId: admin.caller.userId ?? '',
    receiverOrigin: receiver.origin,
    setAge(ms) {
      pass(age - ms)
      age = ms
      newId = createIds(app.dependencies.clock)
    },
    ask,
    idOf: async (path, body, key) => (await ask('POST', path, body, key)).id,
    async addConnection(word, collectionId) {
      source.put(word, `The scripted text of ${word}`)
      const id = await connect()
      await ask('PATCH', `/integrations/${id}`, { name: word, sync: { collectionId } })
      return { integrations: [id], connectionSyncs: [(await sync(id)).id] }
    },
    async settle() {
      await untilNoJobs(app)
      await app.app.services.usageHistory.measure()
    },
  }
}

/** The ids of several parts, by their nouns. */
export function merged(...parts: Ids[]): Ids {
  const ids: Ids = {}
  for (const part of parts)
    for (const [noun, added] of Object.entries(part)) ids[noun] = [...(ids[noun] ?? []), ...added]
  return ids
}
