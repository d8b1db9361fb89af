/** Responses through HTTP: created, continued, streamed, followed again, cancelled, erased. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OpenAiApp, startOpenAiApp } from '../../testing/apps/openai-app.ts'
import { eventually } from '../../testing/eventually.ts'

let openAi: OpenAiApp

before(async () => {
  openAi = await startOpenAiApp()
})
after(() => openAi.close())

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there, and fails where it is not.
type Json = any

const lookUp = {
  type: 'function',
  name: 'look_up',
  strict: null,
  parameters: { type: 'object', properties: { order: { type: 'integer' } } },
}

const withoutId = (reply: unknown): unknown =>
  JSON.parse(JSON.stringify(reply).replaceAll(/(?:resp|run)_[0-9a-z]{26}/g, 'ID'))

const textOf = ({ output }: Json): string => output.map((item: Json) => item.content?.[0].text ?? '').join('')

const messagesOf = async (responseId: string): Promise<Json[]> => {
  const runId = responseId.replace('resp_', 'run_')
  return (await openAi.app.request('GET', `/runs/${runId}`, { key: openAi.app.testKey })).body.data.messages
}

test('a response is kept as it was answered, with what it was asked, until it is erased', async () => {
  const { status, body } = await openAi.respond('sim:output=Hello', {
    instructions: 'Be brief.',
    metadata: { ticket: '7' },
    text: {},
    include: [],
    store: false,
    client_metadata: null,
    tools: [{ type: 'namespace' }, { type: 'web_search' }],
  })
  assert.equal(status, 200)
  assert.deepEqual([body.status, textOf(body), body.instructions], ['completed', 'Hello', 'Be brief.'])
  assert.deepEqual(body.metadata, { ticket: '7' })
  assert.deepEqual((await openAi.ask('GET', `/responses/${body.id}`)).body, body)
  const items = await openAi.ask('GET', `/responses/${body.id}/input_items?order=asc&include[]=x`)
  assert.deepEqual(
    items.body.data.map(({ role, content }: Json) => [role, content[0].text]),
    [
      ['system', 'Be brief.'],
      ['user', 'sim:output=Hello'],
    ],
  )
  const erased = await openAi.ask('DELETE', `/responses/${body.id}`)
  assert.deepEqual(erased.body, { id: body.id, object: 'response', deleted: true })
  assert.equal((await openAi.ask('GET', `/responses/${body.id}`)).status, 404)
})

test('a response continues any earlier one, without its instructions', async () => {
  const { body: first } = await openAi.respond('sim:output=One', { instructions: 'Be brief.' })
  const second = await openAi.respond('sim:output=Two', { previous_response_id: first.id })
  const other = await openAi.respond('sim:output=Three', {
    previous_response_id: first.id,
    instructions: 'Be long.',
  })
  assert.equal(second.body.previous_response_id, first.id)
  const said = async (id: string) => (await messagesOf(id)).map(({ role, content }) => `${role} ${content}`)
  assert.deepEqual(await said(second.body.id), [
    'user sim:output=One',
    'assistant One',
    'user sim:output=Two',
  ])
  assert.deepEqual(await said(other.body.id), [
    'system Be long.',
    'user sim:output=One',
    'assistant One',
    'user sim:output=Three',
  ])
})

test('calls are continued by the earlier response, by the id of their item, or by all that was said', async () => {
  const prompt = 'sim:tool=look_up({"order": 7})'
  const ways: ((call: Json, first: Json) => object)[] = [
    ({ call_id }, { id }) => ({ previous_response_id: id, input: [output(call_id)] }),
    ({ id, call_id }) => ({ input: [user(prompt), { type: 'item_reference', id }, output(call_id)] }),
    (call, _) => ({ input: [user(prompt), { type: 'reasoning', summary: [] }, call, output(call.call_id)] }),
  ]
  for (const way of ways) {
    const { body: first } = await openAi.respond(prompt, { tools: [lookUp] })
    const [call] = first.output
    assert.deepEqual(
      [first.status, call.type, call.name, JSON.parse(call.arguments)],
      ['completed', 'function_call', 'look_up', { order: 7 }],
    )
    const body = { model: openAi.sandbox, tools: [lookUp], ...way(call, first) }
    const second = await openAi.ask('POST', '/responses', { body })
    assert.match(textOf(second.body), /shipped/, JSON.stringify(second.body))
    assert.deepEqual((await openAi.ask('GET', `/responses/${first.id}`)).body.output, first.output)
    const runId = first.id.replace('resp_', 'run_')
    const run = await openAi.app.request('GET', `/runs/${runId}`, { key: openAi.app.testKey })
    assert.equal(run.body.data.status, 'cancelled')
  }
})

const user = (content: string) => ({ role: 'user', content })
const output = (callId: string) => ({ type: 'function_call_output', call_id: callId, output: 'shipped' })

test('a stream has the events in their order, with rising numbers, and ends with the response', async () => {
  const { events, names, isDone } = await openAi.streamResponse('sim:stream=2')
  assert.deepEqual(
    events.map(({ type }) => type.replace('response.', '')),
    [
      ...['created', 'in_progress', 'output_item.added', 'content_part.added', 'output_text.delta'],
      ...['output_text.delta', 'output_text.done', 'content_part.done', 'output_item.done', 'completed'],
    ],
  )
  assert.deepEqual(
    names,
    events.map(({ type }) => type),
  )
  assert.ok(events.every((event, at) => at === 0 || event.sequence_number > events[at - 1].sequence_number))
  assert.ok(isDone)
  const { response } = events.at(-1)
  assert.deepEqual((await openAi.ask('GET', `/responses/${response.id}`)).body, response)
  assert.equal(events[8].item.id, events[2].item.id)
})

test('a stream that is opened again goes on behind any event, to the same text', async () => {
  const first = await openAi.streamResponse('sim:stream=4')
  const { id } = first.events[0].response
  const deltas = (events: Json[]) =>
    events.filter(({ type }) => type.endsWith('_text.delta')).map(({ delta }) => delta)
  const whole = deltas(first.events).join('')
  const again = await openAi.stream(`/responses/${id}?stream=true`)
  assert.equal(deltas(again.events).join(''), whole)
  for (const { sequence_number: number } of first.events) {
    const before = deltas(first.events.filter(event => event.sequence_number <= number))
    const rest = await openAi.stream(`/responses/${id}?stream=true&starting_after=${number}`)
    assert.equal([...before, ...deltas(rest.events)].join(''), whole, `behind ${number}`)
    assert.ok(rest.events.every(event => event.sequence_number > number))
  }
})

test('a response in the background is answered at once, goes on without its client, and can be cancelled', async () => {
  const { body } = await openAi.respond('sim:slow=250ms sim:output=Late', { background: true })
  assert.ok(['queued', 'in_progress'].includes(body.status))
  assert.equal(body.background, true)
  await eventually('the response is completed', async () => {
    const { body: now } = await openAi.ask('GET', `/responses/${body.id}`)
    return now.status === 'completed' && textOf(now) === 'Late'
  })
  const slow = await openAi.respond('sim:slow=60s sim:output=Never', { background: true })
  const erased = await openAi.ask('DELETE', `/responses/${slow.body.id}`)
  assert.deepEqual([erased.status, erased.body.error.code], [409, 'conversation_busy'])
  assert.equal(erased.headers.get('x-should-retry'), 'false')
  const cancelled = await openAi.ask('POST', `/responses/${slow.body.id}/cancel`)
  assert.deepEqual([cancelled.status, cancelled.body.status], [200, 'cancelled'])
})

test('a stream in the background may be left and is followed again while the response is written', async () => {
  const client = new AbortController()
  const body = { model: openAi.sandbox, input: 'sim:slow=300ms sim:stream=3', stream: true, background: true }
  const reply = await openAi.send('POST', '/responses', { body, signal: client.signal })
  const id = reply.headers.get('location')?.split('/').at(-1)
  client.abort()
  const { events, isDone } = await openAi.stream(`/responses/${id}?stream=true`)
  assert.ok(isDone)
  assert.equal(textOf(events.at(-1).response), 'word1 word2 word3')
})

test('a response that fails is an error for every client, and one that was cut off is incomplete', async () => {
  const { events } = await openAi.streamResponse('sim:unavailable')
  const [error, failed] = events.slice(-2)
  assert.deepEqual([error.type, failed.type], ['error', 'response.failed'])
  assert.equal(error.code, 'model_unavailable')
  assert.equal(error.error.message, error.message)
  assert.equal(failed.response.error.code, 'model_unavailable')
  assert.equal((await openAi.respond('sim:unavailable')).status, 503)
  const again = await openAi.stream(`/responses/${failed.response.id}?stream=true&starting_after=100`)
  assert.deepEqual(
    again.events.map(({ type }) => type),
    ['error', 'response.failed'],
  )
  const { body } = await openAi.respond('sim:output_truncated')
  assert.deepEqual([body.status, body.incomplete_details], ['incomplete', { reason: 'max_output_tokens' }])
})

test('a response of another key’s workspace, of the other environment or of no kind at all is not there', async () => {
  const { app } = openAi
  const { body } = await openAi.respond('sim:output=Hello')
  const { workspaceId } = await app.createWorkspace()
  const stranger = await app.createKey({ workspaceId, environment: 'test' })
  const missing = await openAi.ask('GET', `/responses/resp_${'0'.repeat(26)}`)
  // But for the id, and for a record that the caller has in the other environment.
  const unnamed = ({ body: { error }, status }: typeof missing) => {
    const message = error.message
      .replace(/(resp|run)_[0-9a-z]{26}/, 'ID')
      .replace(' in live data; it is in the sandbox: use a test key', '')
    return withoutId([{ ...error, message }, status])
  }
  const known = unnamed(missing)
  for (const [method, path, key] of [
    ['GET', `/responses/${body.id}`, stranger],
    ['GET', `/responses/${body.id}?stream=true`, stranger],
    ['DELETE', `/responses/${body.id}`, stranger],
    ['POST', `/responses/${body.id}/cancel`, stranger],
    ['GET', `/responses/${body.id}/input_items`, stranger],
    ['GET', `/responses/${body.id}`, app.liveKey],
    ['GET', `/responses/${body.id.replace('resp_', 'run_')}`, app.testKey],
  ] as const) {
    const reply = await openAi.ask(method, path, { key })
    assert.deepEqual(unnamed(reply), known, `${method} ${path}`)
  }
  const agent = await app.request('POST', '/agents', { key: stranger, body: { name: 'Other' } })
  const model = agent.body.data.id
  for (const more of [
    { previous_response_id: body.id },
    { input: [{ type: 'item_reference', id: body.output[0].id }, user('x')] },
  ]) {
    const reply = await openAi.ask('POST', '/responses', {
      body: { model, input: 'x', ...more },
      key: stranger,
    })
    assert.equal(reply.status, 400, JSON.stringify(reply.body))
    assert.match(reply.body.error.message, /There is no/)
  }
})
