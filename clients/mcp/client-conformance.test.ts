/** The official conformance suite for clients, against Atrium as a whole: connected, authorized, accepted, used by an agent. */
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { type AgentSetting, startAgentApp } from '../../server/src/testing/apps/agent-app.ts'
import { createPlainBrowser } from '../../server/src/testing/plain-browser.ts'

const conformance = join(import.meta.dirname, 'node_modules/.bin/conformance')
const expected = join(import.meta.dirname, 'client-conformance-expected.yaml')
const client = join(import.meta.dirname, 'conformance-client.ts')
const run = promisify(execFile)

let setting: AgentSetting
const door = createServer((request, response) => {
  text(request)
    .then(body => inTurn(() => useServer(JSON.parse(body))))
    .then(
      done => response.end(done),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
})
/** The suite begins all scenarios at once, and some count seconds: three at a time do on a busy machine as well. */
const turns = Array.from({ length: 3 }, () => Promise.resolve(''))
let turn = 0
function inTurn(work: () => Promise<string>): Promise<string> {
  const at = turn++ % turns.length
  const done = (turns[at] ?? Promise.resolve('')).then(work)
  // One that fails keeps back no other.
  turns[at] = done.catch(() => '')
  return done
}

before(async () => {
  setting = await startAgentApp({
    OPENAI_API_KEY: 'unused',
    ATRIUM_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8,::1/128',
  })
  await setting.app.listen()
  await new Promise<void>(resolve => door.listen(0, '127.0.0.1', resolve))
  // The model does what the prompt says: so many calls in each step as are carried out.
  setting.modelServer.setScript(({ messages }) => {
    const prompt = messages.find(({ role }) => role === 'user')?.content
    const done = messages.filter(({ role }) => role === 'tool').length
    const calls: Call[] = JSON.parse(String(prompt)).slice(done, done + 10)
    return calls.length === 0 ? { kind: 'answer', text: 'Done.' } : { kind: 'tool_calls', calls }
  })
})
after(async () => {
  door.close()
  await setting.close()
})

type Call = { name: string; arguments: Record<string, unknown> }
type Scenario = {
  url: string
  scenario: string
  context: { client_id?: string; client_secret?: string; toolCalls?: Call[] }
}

/** As a person does it: connects, agrees, accepts, lets an agent work, and connects again where that is asked for. */
async function useServer({ url, scenario, context }: Scenario): Promise<string> {
  // The suite wants a document at an address of its own, which a person can name.
  const document =
    scenario === 'auth/basic-cimd' ? 'https://conformance-test.local/client-metadata.json' : null
  const clientId = context.client_id ?? document
  const body = { integrationId: 'mcp', config: clientId === null ? { url } : { url, clientId } }
  const { client_secret: clientSecret } = context
  const { id, authorizationUrl } = await ask(
    'POST',
    '/integrations/connect',
    clientSecret === undefined ? body : { ...body, credentials: { clientSecret } },
  )
  const path = `/integrations/${id}`
  const again = async () => await agree(path, (await ask('POST', `${path}/reconnect`, {})).authorizationUrl)
  const connected = await agree(path, authorizationUrl)
  if (connected.lastError?.message.includes('does not accept the credentials')) await again()
  const { status, lastError } = await ask('GET', path)
  if (status !== 'active') throw new Error(`The connection is ${status}: ${JSON.stringify(lastError)}`)
  const first = await useTools(id, context.toolCalls)
  const after = await ask('GET', path)
  if (after.status === 'active' && after.lastError?.code !== 'insufficient_scope') return first
  await again()
  return await useTools(id, context.toolCalls)
}

/** The connection, once the person has been wherever they were sent. */
async function agree(path: string, authorizationUrl: string | undefined) {
  if (authorizationUrl !== undefined) await createPlainBrowser({}, 'https://nowhere').open(authorizationUrl)
  return await ask('GET', path)
}

async function useTools(connectionId: string, wanted: Call[] | undefined): Promise<string> {
  const path = `/integrations/${connectionId}/tools`
  await ask('POST', `${path}/refresh`)
  const listed: Listed[] = await ask('GET', `${path}?pageSize=100`)
  const offered = listed.filter(({ fault }) => fault === null)
  if (offered.length === 0) return JSON.stringify(listed)
  const accepted = offered.map(({ name, hash }) => ({ name, accept: hash, needsApproval: false }))
  await ask('POST', path, { tools: accepted })
  const agent = await ask('POST', '/agents', {
    name: 'Conformance',
    model: 'openai/gpt-5',
    tools: offered.map(({ name }) => name),
    connectionIds: [connectionId],
  })
  // A model leaves out what it has no value for: arguments are checked by the schema of the server.
  const calls = wanted?.map(call => ({
    name: offered.find(one => one.remoteName === call.name)?.name,
    arguments: Object.fromEntries(Object.entries(call.arguments).filter(([, value]) => value !== null)),
  }))
  const each = offered.map(({ name, offered: { inputSchema } }) => ({
    name,
    arguments: fitting(inputSchema),
  }))
  const prompt = JSON.stringify(calls ?? each)
  const { steps } = await ask('POST', `/agents/${agent.id}/run`, { prompt })
  return JSON.stringify(steps)
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there, and fails where it is not.
async function ask(method: string, path: string, body?: object): Promise<any> {
  const reply = await setting.app.request(method, path, { body, headers: { prefer: 'wait=60' } })
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(reply.body)}`)
  return reply.body.data
}

type Listed = {
  name: string
  remoteName: string
  hash: string
  fault: string | null
  offered: { inputSchema: Schema }
}
type Schema = { type?: string; properties?: Record<string, Schema>; enum?: string[] }

function fitting({ type, properties = {}, enum: choices }: Schema): unknown {
  if (choices !== undefined) return choices[0]
  const simple: Record<string, unknown> = { string: 'text', number: 5, integer: 5, boolean: true, array: [] }
  if (type !== 'object') return simple[type ?? 'string']
  return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, fitting(one)]))
}

for (const revision of ['2026-07-28', '2025-11-25']) {
  test(`Atrium as a client passes what ${revision} requires, but for what is listed`, async () => {
    const { port } = door.address() as AddressInfo
    const command = `"${process.execPath}" "${client}"`
    const options = ['client', '--command', command, '--requirements', revision, '--timeout', '600000']
    // It exits with another code where a required scenario fails that is not expected to, or passes that is.
    await run(process.execPath, [conformance, ...options, '--expected-failures', expected], {
      env: { ...process.env, ATRIUM_DOOR: `http://127.0.0.1:${port}` },
      maxBuffer: 50_000_000,
    })
  })
}
