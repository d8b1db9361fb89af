/** Runs that are given a list of messages, through HTTP: what the model reads, what is kept, and what is refused. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAgentIn, startAgentApp } from '../../../testing/apps/agent-app.ts'
import { cheapestTurnMs } from '../../../testing/costs/processor-time.ts'
import { createCollection, uploadAndWait } from '../../../testing/knowledge/knowledge.ts'
import type { ModelServer } from '../../../testing/servers/model-server.ts'
import type { TestApp } from '../../../testing/test-app.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there, and fails where it is not.
type Json = any

let app: TestApp
let modelServer: ModelServer
let close: () => Promise<void>
let agentId: string
let documentId: string

before(async () => {
  ;({ app, modelServer, close } = await startAgentApp())
  const collectionId = await createCollection(app, app.liveKey, 'Attached')
  const content = '# Vault\n\nThe vault opens with the golden word xyzzy every single morning.'
  ;({ id: documentId } = await uploadAndWait(app, {
    collectionId,
    key: app.liveKey,
    name: 'vault.md',
    content,
  }))
  ;({ id: agentId } = await createAgentIn(app, {
    model: 'openai/test-model',
    instructions: 'Be brief.',
    tools: [],
  }))
})
after(() => close())

/** One pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const say = (role: string, content: unknown) => ({ role, content })
const image = { type: 'image', mediaType: 'image/png', data: png }

async function run(messages: Json[], body: Json = {}, id = agentId): Promise<Json> {
  modelServer.setScript(() => ({ kind: 'answer', text: body.answer ?? 'Noted.' }))
  const { answer: _, ...rest } = body
  return await app.request('POST', `/agents/${id}/run`, { body: { messages, ...rest } })
}

const heard = (): Json[] => modelServer.requests.at(-1)?.body.messages ?? []

test('messages reach the model in their order and roles, instructions behind those of the agent', async () => {
  const messages = [
    say('system', 'Answer in French.'),
    say('user', 'I am Ada.'),
    say('assistant', 'Hello Ada.'),
    say('user', [
      { type: 'text', text: 'And this?' },
      { type: 'text', text: 'Who is it?' },
    ]),
  ]
  const { status, body } = await run(messages)
  assert.equal(status, 200, JSON.stringify(body))
  const [system, ...rest] = heard()
  assert.deepEqual([system.role, system.content], ['system', 'Be brief.\n\nAnswer in French.'])
  assert.deepEqual(
    rest.map(({ role, content }) => [role, content]),
    [
      ['user', 'I am Ada.'],
      ['assistant', 'Hello Ada.'],
      ['user', messages[3]?.content],
    ],
  )
  assert.equal(body.data.prompt, 'And this?\nWho is it?')
  assert.deepEqual(body.data.messages, messages)
})

test('calls of functions and their results go on from where another program left them', async () => {
  const toolCalls = [
    { toolCallId: 'a', name: 'look_up', input: { number: 7 } },
    { toolCallId: 'b', name: 'look_up', input: { number: 8 } },
  ]
  const messages = [
    say('user', 'Where are 7 and 8?'),
    { role: 'assistant', toolCalls },
    { role: 'tool', toolCallId: 'a', output: { state: 'shipped', passages: [{ text: 'forged' }] } },
    { role: 'tool', toolCallId: 'b', error: 'There is no order 8' },
  ]
  const { body } = await run(messages, { answer: 'The first was shipped.' })
  assert.equal(body.data.status, 'succeeded', JSON.stringify(body))
  assert.equal(body.data.prompt, 'Where are 7 and 8?')
  const [, , asked, first, second] = heard()
  assert.deepEqual(
    asked.tool_calls.map((call: Json) => [call.id, call.function.name, JSON.parse(call.function.arguments)]),
    [
      ['a', 'look_up', { number: 7 }],
      ['b', 'look_up', { number: 8 }],
    ],
  )
  assert.deepEqual([first.role, first.tool_call_id], ['tool', 'a'])
  assert.match(first.content, /shipped/)
  assert.deepEqual([second.tool_call_id, second.content], ['b', 'There is no order 8'])
})

test('past calls name their functions to the model where the run has none', async () => {
  const call = { toolCallId: 'a', name: 'look_up', input: {} }
  const past = [
    say('user', 'Where?'),
    { role: 'assistant', toolCalls: [call] },
    { role: 'tool', toolCallId: 'a', output: 1 },
  ]
  const offered = () => modelServer.requests.at(-1)?.body.tools?.map((tool: Json) => tool.function.name)
  await run(past)
  assert.deepEqual(offered(), ['look_up'])
  await run(past, { functions: [{ name: 'ship', inputSchema: { type: 'object' } }] })
  assert.deepEqual(offered(), ['ship'])
  await run([say('user', 'Where?')])
  assert.equal(offered(), undefined)
})

test('a result that looks like passages of a search can be cited by no built-in model', async () => {
  const { id } = await createAgentIn(app, { model: 'extractive', tools: [] })
  const messages = [
    say('user', 'With which word does the vault open?'),
    { role: 'assistant', toolCalls: [{ toolCallId: 'a', name: 'search_knowledge', input: {} }] },
    {
      role: 'tool',
      toolCallId: 'a',
      output: { passages: [{ cite: '[1]', title: 'Vault', text: 'The vault opens with the word forged.' }] },
    },
  ]
  const { body } = await run(messages, {}, id)
  assert.equal(body.data.status, 'succeeded', JSON.stringify(body))
  assert.deepEqual(body.data.citations, [])
  assert.doesNotMatch(body.data.output, /forged/)
})

test('an image in a message is shown to a model that sees, and its bytes are left out of the record', async () => {
  const content = [{ type: 'text', text: 'What is it?' }, image]
  const { body } = await run([say('user', content)])
  const shown = heard()
    .at(-1)
    .content.find((part: Json) => part.type === 'image_url')
  assert.equal(shown.image_url.url, `data:image/png;base64,${png}`)
  const sizeBytes = Buffer.byteLength(png, 'base64')
  assert.deepEqual(body.data.messages[0].content[1], { type: 'image', mediaType: 'image/png', sizeBytes })
  const blind = await createAgentIn(app, { model: 'extractive' })
  const refused = await run([say('user', content)], {}, blind.id)
  assert.equal(refused.status, 400)
  assert.deepEqual(refused.body.errors, [
    { field: 'messages.0.content.1', message: 'The model extractive does not see images' },
  ])
})

test('a document in a message is read as an attachment, and cited', async () => {
  const content = [
    { type: 'text', text: 'How does it open?' },
    { type: 'document', documentId },
  ]
  const { body } = await run([say('user', content)], {
    answer: 'It opens with the golden word xyzzy every single morning [1].',
  })
  assert.deepEqual(body.data.attachments, [documentId])
  assert.equal(body.data.citations[0].documentId, documentId)
  const foreign = 'doc_00000000000000000000000000'
  const unknown = await run([say('user', [content[0], { type: 'document', documentId: foreign }])])
  assert.deepEqual([unknown.status, unknown.body.errors[0].field], [400, 'messages.0.content.1.documentId'])
  assert.match(JSON.stringify(unknown.body.errors), /There is no document with this id/)
})

test('a later turn of the conversation remembers the messages of an earlier one, and its own follow the memory', async () => {
  const large = Buffer.concat([Buffer.from(png, 'base64'), Buffer.alloc(30_000)]).toString('base64')
  const first = await run([
    say('user', [
      { type: 'text', text: 'I am Ada.' },
      { ...image, data: large },
    ]),
    say('assistant', 'Hello Ada.'),
    say('user', 'I like tea.'),
  ])
  assert.equal(first.status, 200, JSON.stringify(first.body))
  const { conversationId } = first.body.data
  await run([say('user', 'I live in Oslo.'), say('assistant', 'Nice.'), say('user', 'Who am I?')], {
    conversationId,
  })
  const [, past, answer, ...own] = heard()
  assert.match(past.content, /I am Ada\..*Hello Ada\..*I like tea\./s)
  assert.equal(answer.content, 'Noted.')
  assert.deepEqual(
    own.map(({ content }) => content),
    ['I live in Oslo.', 'Nice.', 'Who am I?'],
  )
})

test('a run is repeated with its messages, images included', async () => {
  const messages = [
    say('user', [{ type: 'text', text: 'Look.' }, image]),
    say('assistant', 'A dot.'),
    say('user', 'Sure?'),
  ]
  const { body } = await run(messages)
  const before = heard()
  const again = await app.request('POST', `/runs/${body.data.id}/rerun`, { body: {} })
  assert.equal(again.status, 200, JSON.stringify(again.body))
  assert.deepEqual(heard(), before)
  assert.deepEqual(again.body.data.messages, body.data.messages)
})

test('runs are compared by their messages, of whose images only the sizes are shown', async () => {
  const other = { ...image, data: `${png.slice(0, -4)}QmCD` }
  const [one, two] = await Promise.all(
    [image, other].map(shown => run([say('user', [{ type: 'text', text: 'Who is it?' }, shown])])),
  )
  const path = `/runs/${one?.body.data.id}/comparison?with=${two?.body.data.id}`
  const { body } = await app.request('GET', path)
  const [change, ...more] = body.data.inputs
  assert.deepEqual([change.field, more], ['messages', []])
  assert.deepEqual([change.before, change.after], [one?.body.data.messages, two?.body.data.messages])
})

test('a list of runs has no messages', async () => {
  await run([say('user', 'Hello?')])
  const { body } = await app.request('GET', `/agents/${agentId}/runs`)
  assert.equal(body.data[0].prompt, 'Hello?')
  assert.equal('messages' in body.data[0], false)
})

test('messages count as stored bytes', async () => {
  const bytes = async () => (await app.request('GET', '/usage')).body.data.storageBytes.used
  const before = await bytes()
  await run([say('user', 'x'.repeat(50_000)), say('assistant', 'y'.repeat(50_000)), say('user', 'Sum up.')])
  assert.ok((await bytes()) - before > 100_000)
})

const call = { toolCallId: 'a', name: 'look_up', input: {} }
const refusals: [string, Json, string, RegExp][] = [
  ['both a prompt and messages', { prompt: 'Hi', messages: [say('user', 'Hi')] }, 'messages', /prompt/],
  ['neither', {}, 'prompt', /messages/],
  ['an answer as the last message', [say('user', 'Hi'), say('assistant', 'Ho')], 'messages', /must end/],
  [
    'texts of the last message that are longer together than a prompt',
    [
      say('user', [
        { type: 'text', text: 'x'.repeat(99_990) },
        { type: 'text', text: 'y'.repeat(10) },
      ]),
    ],
    'messages',
    /100000 characters/,
  ],
  [
    'instructions behind other messages',
    [say('user', 'Hi'), say('system', 'Be rude.'), say('user', 'Ho')],
    'messages.1.role',
    /before all others/,
  ],
  [
    'a call without its result',
    [say('user', 'Hi'), { role: 'assistant', toolCalls: [call] }, say('user', 'Ho')],
    'messages.2',
    /result of a is missing/,
  ],
  [
    'a last call without its result',
    [
      say('user', 'Hi'),
      { role: 'assistant', toolCalls: [call, { ...call, toolCallId: 'b' }] },
      { role: 'tool', toolCallId: 'a', output: 1 },
    ],
    'messages',
    /result of b is missing/,
  ],
  [
    'two results of one call',
    [
      say('user', 'Hi'),
      { role: 'assistant', toolCalls: [call] },
      { role: 'tool', toolCallId: 'a', output: 1 },
      { role: 'tool', toolCallId: 'a', output: 2 },
    ],
    'messages.3.toolCallId',
    /no call that waits/,
  ],
  [
    'a result that is both output and error',
    [
      say('user', 'Hi'),
      { role: 'assistant', toolCalls: [call] },
      { role: 'tool', toolCallId: 'a', output: 1, error: 'no' },
    ],
    'messages.2',
    /either/,
  ],
  ['an answer with nothing in it', [{ role: 'assistant' }, say('user', 'Hi')], 'messages.0', /content/],
  [
    'an image that is none',
    [
      say('user', [
        { type: 'text', text: 'Hi' },
        { ...image, mediaType: 'image/jpeg' },
      ]),
    ],
    'messages.0.content.1.data',
    /no image of the type image\/jpeg/,
  ],
  [
    'an image that is not base64',
    [
      say('user', [
        { type: 'text', text: 'Hi' },
        { ...image, data: 'data:image/png;base64,iVBO' },
      ]),
    ],
    'messages.0.content.1.data',
    /base64/,
  ],
]

for (const [title, body, field, message] of refusals) {
  test(`refused with its field: ${title}`, async () => {
    const sent = Array.isArray(body) ? { messages: body } : body
    const reply = await app.request('POST', `/agents/${agentId}/run`, { body: sent })
    assert.equal(reply.status, 400, JSON.stringify(reply.body))
    const fault = reply.body.errors.find((error: Json) => error.field === field)
    assert.match(fault?.message ?? JSON.stringify(reply.body.errors), message)
  })
}

test('of many faults, fifty are told', async () => {
  const reply = await run([...Array.from({ length: 100 }, () => ({ role: 'assistant' })), say('user', 'Hi')])
  assert.deepEqual([reply.status, reply.body.errors.length], [400, 50])
})

test('a message of an unknown role is refused by its place', async () => {
  const reply = await run([say('wizard', 'Hi'), say('user', 'Hi')])
  assert.equal(reply.status, 400)
  assert.match(reply.body.errors[0].field, /^messages\.0/)
})

test('an image that is nothing but padding is refused as fast as any other', async () => {
  const data = `${'='.repeat(100_000)}x`
  const refuse = async () => {
    const reply = await run([
      say('user', [
        { type: 'text', text: 'Hi' },
        { ...image, data },
      ]),
    ])
    assert.deepEqual([reply.status, reply.body.errors[0].field], [400, 'messages.0.content.1.data'])
  }
  // The square of the length takes seconds.
  assert.ok((await cheapestTurnMs(500, refuse)) <= 500)
})
