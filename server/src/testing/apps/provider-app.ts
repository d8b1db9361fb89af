/** A server whose workspaces may have model providers on loopback, and two that they can name. */
import assert from 'node:assert/strict'
import { type AnthropicServer, startAnthropicServer } from '../servers/anthropic-server.ts'
import { type ModelServer, startModelServer } from '../servers/model-server.ts'
import { startTestApp, type TestApp, type TestKey } from '../test-app.ts'

/** A secret that must never be readable. */
export const providerKey = 'sk-canary-of-a-model-provider-x7Qa'

export type ProviderSetting = {
  app: TestApp
  server: ModelServer
  anthropic: AnthropicServer
  /** A provider under a name of its own, as a POST has it. */
  wantedProvider(body?: Record<string, unknown>): Record<string, unknown>
  createProvider(body?: Record<string, unknown>): Promise<{ id: string; name: string }>
  /** Runs a new agent on the model; returns the run. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there, and fails where it is not.
  run(model: string, key?: TestKey): Promise<any>
  close(): Promise<void>
}

export async function startProviderApp(): Promise<ProviderSetting> {
  const server = await startModelServer()
  const anthropic = await startAnthropicServer()
  const app = await startTestApp({ settings: { ATRIUM_ALLOWED_PRIVATE_NETWORKS: '127.0.0.1' } })
  let count = 0
  const wantedProvider = (body: Record<string, unknown> = {}) => ({
    name: `own-${++count}`,
    kind: 'openai_compatible',
    baseUrl: server.baseUrl,
    apiKey: providerKey,
    ...body,
  })
  return {
    app,
    server,
    anthropic,
    wantedProvider,
    async createProvider(body) {
      const reply = await app.request('POST', '/model-providers', { body: wantedProvider(body) })
      assert.equal(reply.status, 201, JSON.stringify(reply.body))
      return reply.body.data
    },
    async run(model, key = app.liveKey) {
      const agent = await app.request('POST', '/agents', { body: { name: 'Own', model, tools: [] }, key })
      assert.equal(agent.status, 201, JSON.stringify(agent.body))
      const path = `/agents/${agent.body.data.id}/run`
      return (await app.request('POST', path, { body: { prompt: 'Hello' }, key })).body.data
    },
    async close() {
      await app.close()
      await server.close()
      await anthropic.close()
    },
  }
}

/** The fields that an error reply blames. */
export const fieldsOf = (reply: { body: { errors: { field: string }[] } }): string[] =>
  reply.body.errors.map(({ field }) => field)
