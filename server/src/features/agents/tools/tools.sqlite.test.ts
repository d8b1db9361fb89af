/** The tools as agents use them: through HTTP, with a model server that calls them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import Value from 'typebox/value'
import { calls, says, startToolApp, type ToolApp, toldBy } from '../../../testing/apps/tool-app.ts'
import { createCollection, uploadAndWait } from '../../../testing/knowledge/knowledge.ts'

let tools: ToolApp

before(async () => {
  tools = await startToolApp()
})

after(() => tools.close())

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there, and fails where it is not.
type Json = any

async function run(agentId: string, prompt = 'Go!', key = tools.app.liveKey): Promise<Json> {
  const { status, body } = await tools.app.request('POST', `/agents/${agentId}/run`, {
    key,
    body: { prompt },
  })
  assert.ok(status === 200 || status === 202, JSON.stringify(body))
  return status === 200 ? body.data : await tools.approveAll(body.data, key)
}

/** Has the model make these calls at once; returns the run's tool steps, in the order of the calls, and what the model was told of them. */
async function call(agentId: string, ...wanted: [name: string, input: unknown][]) {
  tools.script(calls(...wanted), says('Done.'))
  const { steps } = await run(agentId)
  const told = toldBy(tools.modelServer.requests[1]?.body ?? { model: '', messages: [] })
  const asked = steps[0].output.toolCalls.map(({ id }: Json) => id)
  const numberOf = ({ toolCallId }: Json) => asked.indexOf(toolCallId)
  return {
    steps: steps.slice(1, -1).sort((one: Json, other: Json) => numberOf(one) - numberOf(other)),
    told: [...told.values()],
  }
}

test('the list names every tool with its permission, its schemas, and whether it is safe to repeat', async () => {
  const { body } = await tools.app.request('GET', '/agents/tools?pageSize=100')
  assert.deepEqual(
    body.data
      .filter(({ integrationId }: Json) => integrationId === null)
      .map((tool: Json) => [tool.name, tool.permission, tool.safeToRepeat, tool.needsApproval]),
    [
      ['search_knowledge', 'knowledge:read', true, false],
      ['read_passages', 'knowledge:read', true, false],
      ['calculator', 'agents:run', true, false],
      ['current_time', 'agents:run', true, false],
      ['http_request', 'agents:run', false, false],
      ['call_agent', 'agents:run', true, false],
    ],
  )
  for (const { integrationId, inputSchema, outputSchema } of body.data) {
    assert.equal(inputSchema.type, 'object')
    if (integrationId !== null) continue
    assert.equal(inputSchema.additionalProperties, false)
    assert.equal(outputSchema.type, 'object')
  }
})

test('results are what the schemas say, on the step and for the model, and calls of one answer run together', async () => {
  const agentId = await tools.createAgent({ tools: ['calculator', 'current_time'] })
  const { steps, told } = await call(
    agentId,
    ['calculator', { expression: '0.1 + 0.2' }],
    ['current_time', { timeZone: 'Asia/Kolkata' }],
    ['current_time', {}],
  )
  assert.deepEqual(steps[0].output, { content: { result: '0.3', isExact: true } })
  assert.deepEqual(JSON.parse(told[0] ?? ''), { result: '0.3', isExact: true })
  const { content } = steps[1].output
  assert.match(content.local, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+05:30$/)
  assert.equal(Date.parse(content.local), Math.floor(Date.parse(content.utc) / 1000) * 1000)
  assert.match(steps[2].output.content.local, /\+00:00$/)
  const { body } = await tools.app.request('GET', '/agents/tools?pageSize=100')
  for (const { name, output } of steps) {
    const { outputSchema } = body.data.find((tool: Json) => tool.name === name)
    assert.ok(Value.Check(outputSchema, output.content), name)
  }
})

test('what a tool refuses is told to the model in words that help, and the run goes on', async () => {
  const agentId = await tools.createAgent({ tools: ['calculator', 'current_time', 'http_request'] })
  const { steps, told } = await call(
    agentId,
    ['calculator', { expression: '1 / 0' }],
    ['current_time', { timeZone: 'Mars/Base' }],
    ['calculator', '{"expression": '],
    ['format_disk', {}],
    ['http_request', { method: 'TRACE', url: 'gopher://x', extra: 1 }],
  )
  assert.equal(told[0], 'Division by zero')
  assert.match(told[1] ?? '', /no time zone Mars\/Base/)
  assert.match(told[2] ?? '', /not valid JSON/)
  assert.match(told[3] ?? '', /no tool format_disk; there is calculator, current_time, http_request/)
  assert.match(told[4] ?? '', /do not fit: .*method must be one of .*; url must /)
  assert.ok(steps.every((step: Json) => step.output.error.message !== ''))
})

test('a document is read on from where a search ended, with passages that can be cited', async () => {
  const { app } = tools
  const collectionId = await createCollection(app, app.liveKey)
  const text = Array.from(
    { length: 40 },
    (_, index) => `## Rule ${index}\n\nRule ${index} is about ducks. ${'More words. '.repeat(60)}`,
  ).join('\n\n')
  const { id: documentId } = await uploadAndWait(app, {
    collectionId,
    key: app.liveKey,
    name: 'rules.md',
    content: text,
  })
  const other = await createCollection(app, app.liveKey)
  const agentId = await tools.createAgent({
    tools: ['search_knowledge', 'read_passages'],
    collectionIds: [collectionId],
  })
  tools.script(calls(['read_passages', { documentId, limit: 2 }]), says('Rule 0 is about ducks. [1]'))
  const first = await run(agentId)
  const { passages, note } = first.steps[1].output
  assert.equal(passages.length, 2)
  assert.equal(passages[0].startOffset, 0)
  assert.match(note, /goes on at startOffset \d+/)
  assert.equal(first.citations[0].documentId, documentId)
  const shown = JSON.parse([...toldBy(tools.modelServer.requests[1]?.body as Json).values()][0] ?? '')
  assert.equal(shown.passages[0].documentId, documentId)
  assert.equal(shown.passages[1].endOffset, passages[1].endOffset)

  const { steps } = await call(
    agentId,
    ['read_passages', { documentId, startOffset: passages[1].endOffset, limit: 1 }],
    ['read_passages', { documentId, startOffset: 10_000_000 }],
    ['read_passages', { documentId, startOffset: 1, page: 1 }],
    ['read_passages', { documentId: documentId.replace(/.$/, (last: string) => (last === '0' ? '1' : '0')) }],
  )
  const [next] = steps[0].output.passages
  const whole = await app.request('GET', `/knowledge/documents/${documentId}/content`)
  assert.equal([...whole.body.data.text].slice(next.startOffset, next.endOffset).join(''), next.text)
  assert.ok(next.startOffset >= passages[1].endOffset)
  assert.match(steps[1].output.note, /nothing there/)
  assert.match(steps[2].output.error.message, /not both/)
  assert.match(steps[3].output.error.message, /no document/)

  const elsewhere = await tools.createAgent({ tools: ['read_passages'], collectionIds: [other] })
  const refused = await call(elsewhere, ['read_passages', { documentId }])
  assert.match(refused.steps[0].output.error.message, /no document/)
})

test('a request goes to the hosts that the agent allows, and nowhere else', async () => {
  const agentId = await tools.createAgent({
    tools: ['http_request'],
    httpHosts: [tools.host, 'moved.example.com'],
  })
  tools.requests.length = 0
  tools.setAnswer(({ url }, response) => {
    if (url === '/moved') response.writeHead(302, { location: 'http://evil.example.com/' }).end()
    else if (url === '/picture') response.writeHead(200, { 'content-type': 'image/png' }).end('PNG')
    else if (url === '/long')
      response.writeHead(200, { 'content-type': 'text/plain' }).end('ä'.repeat(300_000))
    else if (url === '/broken') response.destroy()
    else
      response
        .writeHead(201, { 'content-type': 'application/json', 'set-cookie': 'secret=1' })
        .end('{"made":1}')
  })
  const { steps } = await call(
    agentId,
    [
      'http_request',
      {
        method: 'POST',
        url: `http://${tools.host}/things?a=1`,
        headers: { 'x-mine': 'yes' },
        body: '{"b":2}',
      },
    ],
    ['http_request', { method: 'GET', url: `http://${tools.host}/moved` }],
    ['http_request', { method: 'GET', url: `http://${tools.host}/picture` }],
    ['http_request', { method: 'GET', url: `http://${tools.host}/long` }],
    ['http_request', { method: 'GET', url: `http://${tools.host}/broken` }],
    ['http_request', { method: 'DELETE', url: `http://${tools.host}/broken` }],
    ['http_request', { method: 'GET', url: 'http://evil.example.com/' }],
    ['http_request', { method: 'GET', url: `http://${tools.host}/x`, headers: { Host: 'evil.example.com' } }],
    ['http_request', { method: 'GET', url: `http://127.0.0.1:${tools.host.split(':')[1]}/` }],
  )
  const outputs = steps.map(({ output }: Json) => output)
  assert.deepEqual(outputs[0].content, {
    status: 201,
    headers: { 'content-type': 'application/json' },
    body: '{"made":1}',
  })
  assert.deepEqual(
    [outputs[1].content.status, outputs[1].content.headers.location],
    [302, 'http://evil.example.com/'],
  )
  assert.match(outputs[2].note, /image\/png, which is no text/)
  assert.ok(JSON.stringify(outputs[3].content).length <= 60_000)
  assert.match(outputs[3].note, /first 200000 bytes.*cut/)
  assert.doesNotMatch(outputs[4].error.message, /not known/)
  assert.match(outputs[5].error.message, /Whether it was carried out there is not known/)
  assert.match(outputs[6].error.message, /does not allow the host evil\.example\.com/)
  assert.match(outputs[7].error.message, /header Host cannot be set/)
  assert.match(outputs[8].error.message, /does not allow the host 127\.0\.0\.1/)
  const posted = tools.requests.find(({ method }) => method === 'POST')
  assert.deepEqual(
    [posted?.url, posted?.headers['x-mine'], posted?.headers['content-type'], posted?.body],
    ['/things?a=1', 'yes', 'application/json', '{"b":2}'],
  )
  assert.ok(tools.requests.every(({ headers }) => headers.host === tools.host))
  const described = tools.modelServer.requests[0]?.body.tools?.[0]?.function.description ?? ''
  assert.match(described, new RegExp(`Hosts that are allowed: ${tools.host}, moved\\.example\\.com`))
})
