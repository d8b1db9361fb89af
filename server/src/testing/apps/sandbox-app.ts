/** A server whose operator has configured every outside service, all on one port that counts who comes. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Run } from '../../features/agents/records/run-schemas.ts'
import { type Sleep, systemSleep } from '../../platform/clock.ts'
import { openStream, type ReceivedEvent } from '../event-streams.ts'
import { createCollection, uploadAndWait } from '../knowledge/knowledge.ts'
import { startTestApp, type TestApp } from '../test-app.ts'
import { createAgentIn } from './agent-app.ts'

export type SandboxApp = {
  app: TestApp
  /** Where the API is. */
  origin: string
  /** An agent with every kind of tool; calls of its `calculator` wait for an approval. */
  agentId: string
  /** An agent that has no tools. */
  bareAgentId: string
  /** The host with its port that stands for everything outside. */
  outside: string
  /** How many connections there were to the outside. */
  connections(): number
  /** What a pause of the sandbox is from now on; a tenth as long as it should be unless set. */
  setSleep(sleep: Sleep): void
  wait(agentId: string, body: Record<string, unknown>): Promise<Run>
  stream(agentId: string, body: Record<string, unknown>): Promise<ReceivedEvent[]>
  /** Starts it in the background and waits for its end there. */
  background(agentId: string, body: Record<string, unknown>): Promise<Run>
  close(): Promise<void>
}

export const sandboxTools = ['search_knowledge', 'calculator', 'current_time', 'http_request']

export async function startSandboxApp(): Promise<SandboxApp> {
  let connections = 0
  const server = createServer(socket => {
    connections += 1
    socket.destroy()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  const outside = `localhost:${address.port}`
  let sleep = shortSleep
  const app = await startTestApp({
    settings: outsideSettings(`http://${outside}`),
    adapt: dependencies => ({ ...dependencies, sleep: (ms, signal) => sleep(ms, signal) }),
  })
  const { testKey: key } = app
  const origin = `${await app.listen()}/api/v1`
  const collectionId = await createCollection(app, key)
  await uploadAndWait(app, { collectionId, key, name: 'ducks.md', content: rules })
  const body = {
    model: 'openai/gpt-5.4-mini',
    fallbackModel: 'anthropic/claude-haiku-4-5',
    collectionIds: [collectionId],
    tools: sandboxTools,
    approvalTools: ['calculator'],
    httpHosts: [outside],
  }
  const { id: agentId } = await createAgentIn(app, body, key)
  const { id: bareAgentId } = await createAgentIn(app, { tools: [] }, key)

  const start = async (id: string, wanted: Record<string, unknown>, headers: Record<string, string>) => {
    const reply = await app.request('POST', `/agents/${id}/run`, { key, body: wanted, headers })
    assert.ok(reply.status === 200 || reply.status === 202, JSON.stringify(reply.body))
    return reply.body.data as Run
  }
  return {
    app,
    origin,
    agentId,
    bareAgentId,
    outside,
    connections: () => connections,
    setSleep: next => {
      sleep = next
    },
    wait: (id, wanted) => start(id, wanted, {}),
    async stream(id, wanted) {
      return await (await openStream(`${origin}/agents/${id}/run`, key, { body: wanted })).rest()
    },
    async background(id, wanted) {
      const { id: runId } = await start(id, wanted, { prefer: 'respond-async' })
      const reply = await app.request('GET', `/runs/${runId}`, { key, headers: { prefer: 'wait=30' } })
      return reply.body.data
    },
    async close() {
      await app.close()
      server.close()
      await once(server, 'close')
    },
  }
}

export const shortSleep: Sleep = (ms, signal) => systemSleep(ms / 10, signal)

const rules = '# Ducks\n\nDucks may enter 🦆 freely.\n\nGeese pay two euros a day.'

const outsideSettings = (url: string): Record<string, string> => ({
  OPENAI_API_KEY: 'a key of the operator',
  OPENAI_BASE_URL: `${url}/v1`,
  ANTHROPIC_API_KEY: 'a key of the operator',
  ANTHROPIC_BASE_URL: `${url}/v1`,
  ATRIUM_EMBEDDING_MODEL: 'openai/text-embedding-3-small',
  ATRIUM_RERANK_URL: `${url}/v1/rerank`,
  ATRIUM_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8,::1/128',
})
