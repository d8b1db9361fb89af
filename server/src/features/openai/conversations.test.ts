/** Conversations through HTTP, as OpenAI's clients keep them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OpenAiApp, startOpenAiApp } from '../../testing/apps/openai-app.ts'
import { eventually } from '../../testing/eventually.ts'
import type { TestKey } from '../../testing/test-app.ts'

let openAi: OpenAiApp

before(async () => {
  openAi = await startOpenAiApp()
})
after(() => openAi.close())

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there, and fails where it is not.
type Item = any

const user = (text: string) => ({ role: 'user', content: text })

async function begin(body: object = {}, key: TestKey = openAi.app.testKey): Promise<string> {
  const reply = await openAi.ask('POST', '/conversations', { body, key })
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  return reply.body.id
}

const itemsOf = async (id: string, query = 'order=asc'): Promise<Item[]> =>
  (await openAi.ask('GET', `/conversations/${id}/items?${query}`)).body.data

const textsOf = (items: Item[]): string[] => items.map(({ content }) => content[0].text)

test('a conversation has the metadata and the items that a client puts in, page by page, until it is deleted', async () => {
  const id = await begin({
    metadata: { topic: 'ducks' },
    items: [user('One'), { type: 'message', ...user('Two') }],
  })
  assert.match(id, /^conv_/)
  const { body } = await openAi.ask('GET', `/conversations/${id}`)
  assert.deepEqual([body.object, body.metadata], ['conversation', { topic: 'ducks' }])
  const changed = await openAi.ask('POST', `/conversations/${id}`, { body: { metadata: { topic: 'geese' } } })
  assert.deepEqual(changed.body.metadata, { topic: 'geese' })

  const call = { type: 'function_call', call_id: 'call_1', name: 'look_up', arguments: '{"order":7}' }
  const added = await openAi.ask('POST', `/conversations/${id}/items`, {
    body: {
      items: [
        { role: 'assistant', content: [{ type: 'output_text', text: 'Three', annotations: [] }] },
        { type: 'reasoning', id: 'rs_1', summary: [] },
        call,
        { type: 'function_call_output', call_id: 'call_1', output: 'shipped' },
      ],
    },
  })
  assert.deepEqual(
    added.body.data.map(({ type }: Item) => type),
    ['message', 'function_call', 'function_call_output'],
  )
  const items = await itemsOf(id)
  assert.deepEqual(textsOf(items.slice(0, 3)), ['One', 'Two', 'Three'])
  assert.deepEqual(
    [items[3].name, items[3].arguments, items[4].output],
    ['look_up', '{"order":7}', 'shipped'],
  )
  const first = await openAi.ask('GET', `/conversations/${id}/items?limit=2`)
  assert.deepEqual(
    first.body.data.map((one: Item) => one.id),
    [items[4].id, items[3].id],
  )
  assert.ok(first.body.has_more)
  assert.deepEqual(textsOf(await itemsOf(id, `after=${first.body.last_id}`)), ['Three', 'Two', 'One'])
  assert.deepEqual((await openAi.ask('GET', `/conversations/${id}/items/${items[0].id}`)).body, items[0])

  assert.equal((await openAi.ask('DELETE', `/conversations/${id}/items/${items[0].id}`)).body.id, id)
  assert.equal((await itemsOf(id)).length, 4)
  assert.equal((await openAi.ask('DELETE', `/conversations/${id}/items/${items[0].id}`)).status, 404)
  assert.equal((await openAi.ask('DELETE', `/conversations/${id}`)).body.deleted, true)
  for (const path of [id, `${id}/items`]) {
    assert.equal((await openAi.ask('GET', `/conversations/${path}`)).status, 404)
  }
})

test('a response goes on with its conversation, which then has what was asked and answered', async () => {
  const id = await begin({ items: [user('Call me Ada.')] })
  const first = await openAi.respond('sim:output=Hello', {
    conversation: { id },
    instructions: 'Be brief.',
  })
  assert.equal(first.status, 200, JSON.stringify(first.body))
  assert.deepEqual(first.body.conversation, { id })
  await openAi.streamResponse([user('sim:output=Again')], { conversation: id })
  const items = await itemsOf(id)
  assert.deepEqual(textsOf(items), ['Call me Ada.', 'sim:output=Hello', 'Hello', 'sim:output=Again', 'Again'])
  const run = await openAi.app.request('GET', `/runs/${first.body.id.replace('resp', 'run')}`, {
    key: openAi.app.testKey,
  })
  assert.deepEqual(
    run.body.data.messages.map(({ role }: Item) => role),
    ['system', 'user', 'user'],
  )
  const removed = await openAi.ask('DELETE', `/conversations/${id}/items/${items[2].id}`)
  assert.deepEqual([removed.status, removed.body.error.param], [400, 'item_id'])
  await openAi.ask('DELETE', `/responses/${first.body.id}`)
  assert.deepEqual(textsOf(await itemsOf(id)), [
    'Call me Ada.',
    'sim:output=Hello',
    'sim:output=Again',
    'Again',
  ])
})

test('the result of a function goes on with the response that asked for it', async () => {
  const id = await begin()
  const tools = [{ type: 'function', name: 'look_up', parameters: {} }]
  const first = await openAi.respond('sim:tool=look_up({"order": 7})', { conversation: id, tools })
  const [call] = first.body.output
  const result = { type: 'function_call_output', call_id: call.call_id, output: 'shipped' }
  const second = await openAi.respond([result], { conversation: id, tools })
  assert.match(second.body.output[0].content[0].text, /shipped/)
  assert.deepEqual(
    (await itemsOf(id)).map(({ type }) => type),
    ['message', 'function_call', 'function_call_output', 'message'],
  )
})

test('one response at a time, and what is not there or does not go together is a 400 that names it', async () => {
  const id = await begin()
  const slow = await openAi.respond('sim:slow=20s', { conversation: id, background: true })
  const busy = await openAi.respond('Hello', { conversation: id })
  assert.deepEqual([busy.status, busy.body.error.code], [409, 'conversation_busy'])
  assert.equal(busy.headers.get('x-should-retry'), 'false')
  await openAi.ask('POST', `/responses/${slow.body.id}/cancel`)
  const cases: [object, string][] = [
    [{ conversation: 'conv_01kajz4v7qf3x8m2c9t5b6n0rw' }, 'conversation'],
    [{ conversation: id, previous_response_id: slow.body.id }, 'conversation'],
    [{ conversation: 7 }, 'conversation'],
  ]
  for (const [more, param] of cases) {
    const { status, body } = await openAi.respond('Hello', more)
    assert.deepEqual([status, body.error.param], [400, param], JSON.stringify(body))
  }
  const faulty: [unknown, string][] = [
    [undefined, 'items'],
    [[{ role: 'stranger', content: 'x' }], 'items[0].role'],
    [[{ type: 'item_reference', id: 'msg_1' }], 'items[0]'],
    [Array.from({ length: 101 }, () => user('x')), 'items'],
  ]
  for (const [items, param] of faulty) {
    const { status, body } = await openAi.ask('POST', `/conversations/${id}/items`, { body: { items } })
    assert.deepEqual([status, body.error.param], [400, param], JSON.stringify(body))
  }
  const long = { items: Array.from({ length: 11 }, () => user('x'.repeat(95_000))) }
  assert.equal((await openAi.ask('POST', `/conversations/${id}/items`, { body: long })).status, 200)
  const full = await openAi.ask('POST', `/conversations/${id}/items`, { body: long })
  assert.deepEqual([full.status, full.body.error.param], [400, 'items'])
  assert.equal((await itemsOf(id)).length, 12)
})

test('of responses that begin at the same moment, one goes on with the conversation', async () => {
  const id = await begin()
  const replies = await Promise.all(
    // Slow, so that the first has not ended before the last begins.
    ['One', 'Two', 'Three'].map(word =>
      openAi.respond(`sim:slow=2s sim:output=${word}`, { conversation: id }),
    ),
  )
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409, 409])
  assert.deepEqual(
    replies.flatMap(({ status, body }) => (status === 200 ? [] : [body.error.code])),
    ['conversation_busy', 'conversation_busy'],
  )
  assert.equal((await itemsOf(id)).length, 2)
  assert.equal((await openAi.respond('sim:output=Four', { conversation: id })).status, 200)
})

test('a conversation exists for the key that made it alone', async () => {
  const { app } = openAi
  const id = await begin({ items: [user('A secret')] })
  const others = [await app.createKey({ environment: 'test' }), app.liveKey]
  for (const key of others) {
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['POST', '', { metadata: {} }],
      ['DELETE', '', undefined],
      ['GET', '/items', undefined],
      ['POST', '/items', { items: [] }],
    ] as const) {
      const reply = await openAi.ask(method, `/conversations/${id}${path}`, { key, body })
      assert.equal(reply.status, 404, `${method} ${path}`)
    }
    const reply = await openAi.ask('POST', '/responses', {
      body: { model: 'sandbox', input: 'Hello', conversation: id },
      key,
    })
    assert.deepEqual([reply.status, reply.body.error.param], [400, 'conversation'])
  }
  assert.equal((await itemsOf(id)).length, 1)
})

test('a key that has all the conversations that it may have keeps no other key from beginning one', async () => {
  const { app } = openAi
  const full = await app.createKey({ environment: 'test' })
  const id = await begin({}, full)
  await app.dependencies.database.write(async tx => {
    const row = await tx
      .selectFrom('openai_conversations')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    for (let from = 1; from < 10_000; from += 303) {
      const rows = Array.from({ length: 303 }, (_, at) => ({ ...row, id: `${id}${from + at}` }))
      await tx.insertInto('openai_conversations').values(rows).execute()
    }
  })
  const { status, body } = await openAi.ask('POST', '/conversations', { body: {}, key: full })
  assert.deepEqual([status, body.error.code], [409, 'limit_reached'])
  await begin({}, await app.createKey({ environment: 'test' }))
})

test('what it holds counts as storage, and one that is not used for thirty days is deleted', async () => {
  const { app } = openAi
  const used = async (): Promise<number> =>
    (await app.request('GET', '/usage', { key: app.testKey })).body.data.storageBytes.used
  const before = await used()
  const id = await begin({ items: [user('x'.repeat(10_000))] })
  assert.ok((await used()) >= before + 10_000)
  await app.dependencies.database.write(tx =>
    tx
      .updateTable('openai_conversations')
      .set({ updated_at: Date.now() - 31 * 86_400_000 })
      .where('id', '=', id)
      .execute(),
  )
  const fresh = await begin()
  await app.app.features.schedules
    .find(({ name }) => name === "delete unused conversations of OpenAI's clients")
    ?.run()
  await eventually('the old one is gone', async () => {
    return (await openAi.ask('GET', `/conversations/${id}`)).status === 404
  })
  assert.equal((await openAi.ask('GET', `/conversations/${fresh}`)).status, 200)
  assert.equal(await used(), before + (await sizeOf(fresh)))
})

async function sizeOf(id: string): Promise<number> {
  const { database } = openAi.app.dependencies
  const rows = await database.read
    .selectFrom('openai_conversations')
    .selectAll()
    .where('id', '=', id)
    .execute()
  return rows[0]?.stored_bytes ?? 0
}
