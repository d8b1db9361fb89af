/** A server as a process of its own, with a scripted model on loopback: what every client here is tried against. */
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { createInstallation, type RunningServer } from '../../server/src/testing/operator.ts'
import type { ModelBehaviour } from '../../server/src/testing/servers/model-script.ts'
import {
  type CompletionRequest,
  type ModelServer,
  startModelServer,
} from '../../server/src/testing/servers/model-server.ts'
import { createServerClient } from '../../server/src/testing/servers/server-client.ts'

export type Tried = {
  /** For the `baseURL` of a client. */
  baseUrl: string
  key: string
  /** An agent of the scripted model, without tools. */
  model: string
  /** An agent that answers from a document and cites it. */
  citing: string
  modelServer: ModelServer
  server: RunningServer
  runs(agentId: string): Promise<{ id: string; status: string }[]>
}

/** Started before the tests of a file, and ended behind them. */
export function tryClient(): Tried {
  const tried = {} as Tried
  const cleanups: (() => Promise<void>)[] = []
  before(async () => {
    const modelServer = await startModelServer(script)
    cleanups.push(() => modelServer.close())
    const installation = await createInstallation(
      { after: work => void cleanups.push(work) },
      {
        environment: {
          OPENAI_API_KEY: 'unused-key',
          OPENAI_BASE_URL: modelServer.baseUrl,
          ATRIUM_EMBEDDING_MODEL: 'openai/test-embedding',
        },
      },
    )
    const server = await installation.startServer()
    const { key, agentId, request } = await createServerClient(installation, server)
    const collection = await request(server, 'POST', '/knowledge/collections', { body: { name: 'Rules' } })
    await request(server, 'POST', '/knowledge/documents', {
      body: { collectionId: collection.id, name: 'geese.md', text: '# Geese\n\nGeese pay two euros a day.' },
      headers: { prefer: 'wait=30' },
    })
    const citing = await request(server, 'POST', '/agents', {
      body: { name: 'Geese', model: 'extractive', collectionIds: [collection.id] },
    })
    Object.assign(tried, {
      baseUrl: `${server.origin}/v1`,
      key,
      model: agentId,
      citing: citing.id,
      modelServer,
      server,
      runs: (id: string) => request(server, 'GET', `/agents/${id}/runs`),
    })
  })
  after(async () => {
    for (const cleanup of cleanups.reverse()) await cleanup()
  })
  return tried
}

export const words = 'Once upon a time there was a goose.'
export const weather = { city: 'Paris', degrees: 21 }

/** Answers by what the last message says. */
function script({ messages, response_format: format }: CompletionRequest): ModelBehaviour {
  const last = messages.at(-1)
  if (last?.role === 'tool') return { kind: 'answer', text: `It has ${textOf(last)} there.` }
  if (format?.type === 'json_schema') return { kind: 'answer', text: JSON.stringify(weather) }
  const prompt = textOf(last)
  if (prompt.includes('weather')) {
    return { kind: 'tool_calls', calls: [{ name: 'get_weather', arguments: { city: 'Paris' } }] }
  }
  if (prompt.includes('break')) {
    return { kind: 'stream_error', text: 'Once ', type: 'invalid_request_error', message: 'The model broke' }
  }
  if (prompt.includes('long')) return { kind: 'stalls', text: words }
  if (prompt.includes('said')) {
    return { kind: 'answer', text: messages.map(message => `${message.role}: ${textOf(message)}`).join('\n') }
  }
  return { kind: 'paced', text: words, delayMs: 1 }
}

export function textOf(message: CompletionRequest['messages'][number] | undefined): string {
  const { content = '' } = message ?? {}
  if (typeof content === 'string') return content
  return (content ?? []).map(part => (part.type === 'text' ? part.text : '')).join('')
}

/** The one run of the agent that was begun last. */
export async function lastRun(tried: Tried, agentId: string) {
  const [run] = await tried.runs(agentId)
  assert.ok(run !== undefined, 'the agent has a run')
  return run
}
