/** A server with an embedding model, and the model's own server, for tests of search by vectors. */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { createCollection, uploadAndWait } from '../knowledge/knowledge.ts'
import { type ModelServer, startModelServer } from '../servers/model-server.ts'
import { startTestApp, type TestApp, type TestKey, type TestReply } from '../test-app.ts'

export const testModel = 'openai/test-embedding-128'

export async function startVectorApp(
  t: TestContext,
  settings: Record<string, string> = {},
): Promise<{ app: TestApp; server: ModelServer; collectionId: string }> {
  const server = await startModelServer()
  const app = await startTestApp({
    settings: { OPENAI_BASE_URL: server.baseUrl, ATRIUM_EMBEDDING_MODEL: testModel, ...settings },
    searchThreads: true,
  })
  t.after(async () => {
    await app.close()
    await server.close()
  })
  return { app, server, collectionId: await createCollection(app) }
}

/** Another server on the same database, with a model of its own; the test closes it first. */
export const startBeside = (app: TestApp, server: ModelServer, model: string): Promise<TestApp> =>
  startTestApp({
    settings: { OPENAI_BASE_URL: server.baseUrl, ATRIUM_EMBEDDING_MODEL: model },
    adapt: own => ({ ...own, database: app.dependencies.database, keyring: app.dependencies.keyring }),
  })

type SearchQuery = Record<string, string | number | string[]>

export const ask = (app: TestApp, query: SearchQuery, key?: TestKey): Promise<TestReply> =>
  app.request('GET', '/knowledge/search', { query, key })

/** The results, best first. */
// biome-ignore lint/suspicious/noExplicitAny: as in a TestReply, a test reads whatever it expects there.
export async function find(app: TestApp, query: SearchQuery, key?: TestKey): Promise<any[]> {
  const reply = await ask(app, query, key)
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  return reply.body.data
}

export const add = (app: TestApp, collectionId: string, content: string, name = 'note.txt', key?: TestKey) =>
  uploadAndWait(app, { collectionId, content, name, key })

// biome-ignore lint/suspicious/noExplicitAny: as in a TestReply, a test reads whatever it expects there.
export const collectionOf = async (app: TestApp, id: string): Promise<any> =>
  (await app.request('GET', `/knowledge/collections/${id}`)).body.data
