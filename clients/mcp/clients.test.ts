/** Clients of MCP as people have them, unmodified, against a running server: each finds, reads and asks. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createMCPClient } from '@ai-sdk/mcp'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { type AgentSetting, createAgentIn, startAgentApp } from '../../server/src/testing/apps/agent-app.ts'

const run = promisify(execFile)
const me = { name: 'atrium-clients', version: '1.0.0' }

let setting: AgentSetting
let url: string
let authorization: string
let ask: string
let slow: string
before(async () => {
  setting = await startAgentApp({ OPENAI_API_KEY: 'unused' })
  const { app } = setting
  url = `${await app.listen()}/mcp`
  authorization = `Bearer ${app.liveKey.key}`
  const agent = await createAgentIn(app, { name: 'Pond', model: 'extractive', tools: ['search_knowledge'] })
  ask = `ask_pond_${agent.id.slice(-8)}`
  const other = await createAgentIn(app, { name: 'Slow', model: 'openai/gpt-5' })
  slow = `ask_slow_${other.id.slice(-8)}`
})
after(() => setting.close())

/** What both generations of the official client have in common. */
type AnyClient = Pick<Client, 'listTools' | 'callTool' | 'listResources' | 'readResource'>

async function useAll(client: AnyClient): Promise<void> {
  const { tools } = await client.listTools()
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['search', 'fetch', 'list_collections', 'get_answer', ask, slow],
  )
  const found = await client.callTool({ name: 'search', arguments: { query: 'may ducks enter' } })
  const { results } = found.structuredContent as { results: { id: string }[] }
  const fetched = await client.callTool({ name: 'fetch', arguments: { id: results[0]?.id } })
  assert.match((fetched.structuredContent as { text: string }).text, /Ducks may enter/)
  const heard: number[] = []
  const answered = await client.callTool({ name: ask, arguments: { prompt: 'May ducks enter?' } }, {
    onprogress: ({ progress }: { progress: number }) => heard.push(progress),
  } as never)
  assert.match((answered.structuredContent as { answer: string }).answer, /\[1\]/)
  assert.ok(heard.length >= 2, 'no progress was heard')
  const { resources } = await client.listResources()
  const read = await client.readResource({ uri: resources[0]?.uri ?? '' })
  assert.match((read.contents[0] as { text: string }).text, /Geese/)
  await cancels(client)
}

/** A call that is given up ends its run: by a message of its own, or by the end of the stream. */
async function cancels(client: AnyClient): Promise<void> {
  const { app, modelServer } = setting
  modelServer.setScript(() => ({ kind: 'never' }))
  const controller = new AbortController()
  const call = client
    .callTool({ name: slow, arguments: { prompt: 'Wait' } }, { signal: controller.signal } as never)
    .then(
      () => 'answered',
      () => 'given up',
    )
  const latest = async () => (await app.request('GET', '/runs?pageSize=1')).body.data[0]
  await until(async () => (await latest()).status === 'running')
  const { id } = await latest()
  controller.abort()
  assert.equal(await call, 'given up')
  await until(async () => (await app.request('GET', `/runs/${id}`)).body.data.status === 'cancelled')
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let count = 0; count < 1_000; count++) {
    if (await holds()) return
    await sleep(20)
  }
  throw new Error('It never came to that')
}

test('@modelcontextprotocol/sdk, the first generation', async () => {
  const client = new FirstClient(me)
  const transport = new FirstTransport(new URL(url), { requestInit: { headers: { authorization } } })
  await client.connect(transport as never)
  // Its `callTool` takes a schema between the two.
  const callTool: AnyClient['callTool'] = (call, options) =>
    client.callTool(call, undefined, options as never) as never
  await useAll(Object.assign(Object.create(client), { callTool }))
  await client.close()
})

for (const mode of ['legacy', 'auto', { pin: '2026-07-28' }] as const) {
  test(`@modelcontextprotocol/client, ${JSON.stringify(mode)}`, async () => {
    const client = new Client(me, { versionNegotiation: { mode } })
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization } } }),
    )
    await useAll(client)
    await client.close()
  })
}

test('@ai-sdk/mcp', async () => {
  const client = await createMCPClient({ transport: { type: 'http', url, headers: { authorization } } })
  const tools = await client.tools()
  const call = async (name: string, input: object) => {
    const execute = tools[name]?.execute as unknown as (input: object, options: object) => Promise<object>
    return (await execute(input, { toolCallId: 'call_1', messages: [] })) as { structuredContent: object }
  }
  const found = (await call('search', { query: 'ducks' })).structuredContent as { results: { id: string }[] }
  assert.ok(found.results.length > 0)
  const { structuredContent } = await call(ask, { prompt: 'May ducks enter?' })
  assert.match((structuredContent as { answer: string }).answer, /\[1\]/)
  await client.close()
})

test('the inspector’s command line', async () => {
  const command = join(import.meta.dirname, 'node_modules/.bin/mcp-inspector')
  const inspect = async (...rest: string[]) => {
    const header = `Authorization: ${authorization}`
    const options = ['--cli', url, '--transport', 'http', '--header', header, ...rest]
    const { stdout } = await run(process.execPath, [command, ...options])
    return JSON.parse(stdout)
  }
  const { tools } = await inspect('--method', 'tools/list')
  assert.ok(tools.some(({ name }: { name: string }) => name === ask))
  const call = ['--method', 'tools/call', '--tool-name', 'search', '--tool-arg', 'query=ducks']
  const { structuredContent } = await inspect(...call)
  assert.ok(structuredContent.results.length > 0)
})
