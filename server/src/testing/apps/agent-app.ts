/** A server with a model server beside it and one collection that an agent can answer from. */
import assert from 'node:assert/strict'
import { type ModelServer, startModelServer } from '../servers/model-server.ts'
import { startTestApp, type TestApp, type TestKey } from '../test-app.ts'

export type AgentSetting = {
  app: TestApp
  modelServer: ModelServer
  collectionId: string
  close(): Promise<void>
}

export async function startAgentApp(settings: Record<string, string> = {}): Promise<AgentSetting> {
  const modelServer = await startModelServer()
  const app = await startTestApp({ settings: { OPENAI_BASE_URL: modelServer.baseUrl, ...settings } })
  const collection = await app.request('POST', '/knowledge/collections', { body: { name: 'Rules' } })
  const collectionId = collection.body.data.id
  const form = new FormData()
  form.set('collectionId', collectionId)
  form.set(
    'file',
    new File(['# Ducks\n\nDucks may enter 🦆 freely.\n\nGeese pay two euros a day.'], 'ducks.md'),
  )
  const document = await app.request('POST', '/knowledge/documents', { form, headers: { prefer: 'wait=30' } })
  assert.equal(document.body.data.status, 'ready')
  return {
    app,
    modelServer,
    collectionId,
    async close() {
      await app.close()
      await modelServer.close()
    },
  }
}

/** Makes an agent named Ducks, and answers its record. */
export async function createAgentIn(
  app: TestApp,
  body: Record<string, unknown> = {},
  key: TestKey = app.liveKey,
) {
  const reply = await app.request('POST', '/agents', { body: { name: 'Ducks', ...body }, key })
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  return reply.body.data as { id: string; revision: number }
}
