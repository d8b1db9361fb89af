/** Documents attached to a prompt, through HTTP: what the model is shown, what is refused, and what becomes of an erased one. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAgentIn, startAgentApp } from '../../../testing/apps/agent-app.ts'
import {
  createCollection,
  longText,
  untilNoJobs,
  upload,
  uploadAndWait,
} from '../../../testing/knowledge/knowledge.ts'
import type { CompletionPart, ModelServer } from '../../../testing/servers/model-server.ts'
import type { TestApp, TestKey } from '../../../testing/test-app.ts'

let app: TestApp
let modelServer: ModelServer
let close: () => Promise<void>
let collectionId: string

before(async () => {
  // Where no text is recognised in pictures, none are taken; this command finds none in them.
  ;({ app, modelServer, close } = await startAgentApp())
  collectionId = await createCollection(app, app.liveKey, 'Attached')
})
after(() => close())

const secret =
  '# Vault\n\nPreface 🦆 of the vault.\n\nThe vault opens with the golden word xyzzy every single morning.'

/** One pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const attach = (name: string, content: string | Buffer, key: TestKey = app.liveKey) =>
  uploadAndWait(app, { collectionId, key, name, content })

async function run(agentId: string, body: Record<string, unknown>, key: TestKey = app.liveKey) {
  return await app.request('POST', `/agents/${agentId}/run`, { key, body })
}

async function lastUserMessage(): Promise<CompletionPart[] | string | null> {
  return modelServer.requests.at(-1)?.body.messages.findLast(({ role }) => role === 'user')?.content ?? null
}

const textsOf = (content: CompletionPart[] | string | null): string[] =>
  typeof content === 'string'
    ? [content]
    : (content ?? []).map(part => (part.type === 'text' ? part.text : ''))

test('an attached document is read as numbered passages and cited where it stands', async () => {
  const { id } = await attach('vault.md', secret)
  modelServer.setScript(() => ({
    kind: 'answer',
    text: 'It opens with the golden word xyzzy every single morning [1].',
  }))
  const agent = await createAgentIn(app, { model: 'openai/test-model', tools: [] })
  const { body } = await run(agent.id, { prompt: 'How does it open?', attachments: [id] })
  const { data } = body
  assert.equal(data.status, 'succeeded')
  assert.deepEqual(data.attachments, [id])
  const [shown, prompt] = textsOf(await lastUserMessage())
  assert.match(shown ?? '', /\[1\].*xyzzy/s)
  assert.equal(prompt, 'How does it open?')
  const [{ startOffset, endOffset, quote, documentId }] = data.citations
  assert.equal(documentId, id)
  const query = { from: startOffset, to: endOffset }
  const content = await app.request('GET', `/knowledge/documents/${id}/content`, { query })
  assert.equal(content.body.data.text, quote)
  assert.match(quote, /golden word xyzzy/)
  const [first] = data.steps
  assert.equal(`${first.type} ${first.name}`, 'tool attachments')
  assert.deepEqual(first.output.documents, [{ documentId: id, documentVersion: 1, kind: 'text' }])
})

test('the built-in models answer from what is attached, without a search', async () => {
  const { id } = await attach('vault-2.md', secret)
  const agent = await createAgentIn(app, { model: 'extractive', tools: [] })
  const { body } = await run(agent.id, {
    prompt: 'With which golden word does the vault open?',
    attachments: [id],
  })
  assert.match(body.data.output, /xyzzy.*\[\d\]/)
  assert.equal(body.data.citations[0].documentId, id)
})

test('passages that a search finds later are numbered behind those that were attached', async () => {
  const { id } = await attach('numbers.md', secret)
  modelServer.setScript((_, index) =>
    index === 0
      ? { kind: 'tool_calls', calls: [{ name: 'search_knowledge', arguments: { query: 'geese pay' } }] }
      : { kind: 'answer', text: 'Geese pay two euros a day [2]. The golden word is xyzzy [1].' },
  )
  modelServer.requests.length = 0
  const agent = await createAgentIn(app, { model: 'openai/test-model' })
  const { body } = await run(agent.id, { prompt: 'What do geese pay?', attachments: [id] })
  const [geese, word] = body.data.citations
  assert.match(geese.quote, /Geese/)
  assert.equal(word.documentId, id)
})

test('a document that does not fit is shown as far as it does, and the model and the record say so', async () => {
  const { id } = await attach('long.md', longText('wombat', 100))
  const { id: shortId } = await attach('short.md', secret)
  modelServer.setScript(() => ({ kind: 'answer', text: 'Long.' }))
  const agent = await createAgentIn(app, { model: 'openai/test-model', tools: [] })
  const { body } = await run(agent.id, { prompt: 'What is this?', attachments: [id, shortId] })
  assert.equal(body.data?.status, 'succeeded', JSON.stringify(body))
  const [{ output }] = body.data.steps
  assert.match(output.note, /Of attachment 1, only the first \d+ of \d+ characters are shown/)
  const [shown] = textsOf(await lastUserMessage())
  assert.match(shown ?? '', /only the first/)
  assert.match(shown ?? '', /xyzzy/)
  assert.ok((shown ?? '').length < 40_000)
})

test('an image is shown to a model that sees, and refused for one that does not', async () => {
  const reply = await upload(app, { collectionId, key: app.liveKey, name: 'dot.png', content: png })
  const { id } = reply.body.data
  await untilNoJobs(app)
  modelServer.setScript(() => ({ kind: 'answer', text: 'A dot.' }))
  const agent = await createAgentIn(app, { model: 'openai/test-model', tools: [] })
  const { body } = await run(agent.id, { prompt: 'What is this?', attachments: [id] })
  assert.equal(body.data.output, 'A dot.')
  const content = await lastUserMessage()
  const image = Array.isArray(content) ? content.find(part => part.type === 'image_url') : undefined
  assert.equal(image?.image_url.url, `data:image/png;base64,${png.toString('base64')}`)
  const blind = await createAgentIn(app, { model: 'extractive' })
  const refused = await run(blind.id, { prompt: 'What is this?', attachments: [id] })
  assert.equal(refused.status, 400)
  assert.deepEqual(refused.body.errors, [
    { field: 'attachments.0', message: 'The model extractive does not see images' },
  ])
})

test('each document that cannot be attached is named', async () => {
  const { id } = await attach('known.md', secret)
  const other = await createCollection(app, app.liveKey, 'Other')
  const narrow = await app.createKey({ collectionIds: [other] })
  const agent = await createAgentIn(app, { tools: [] })
  const unknown = 'doc_01kajz4v7qf3x8m2c9t5b6n0rw'
  const refused = await run(agent.id, { prompt: 'Hello', attachments: [id, unknown] })
  assert.equal(refused.status, 400)
  assert.deepEqual(refused.body.errors, [
    { field: 'attachments.1', message: 'There is no document with this id' },
  ])
  const outside = await run(agent.id, { prompt: 'Hello', attachments: [id] }, narrow)
  assert.deepEqual(outside.body.errors, [
    { field: 'attachments.0', message: 'There is no document with this id' },
  ])
  const failed = await upload(app, {
    collectionId,
    key: app.liveKey,
    name: 'broken.pdf',
    content: '%PDF-1.7 broken',
  })
  await untilNoJobs(app)
  const notReady = await run(agent.id, { prompt: 'Hello', attachments: [failed.body.data.id] })
  assert.match(notReady.body.errors[0].message, /not ready: it is failed/)
  const many = Array.from({ length: 21 }, (_, index) => unknown.slice(0, -2) + String(index + 10))
  assert.equal(
    (await run(agent.id, { prompt: 'Hello', attachments: many })).body.errors[0].field,
    'attachments',
  )
  const mute = await app.createKey({ permissions: ['agents:run', 'agents:read'] })
  const forbidden = await run(agent.id, { prompt: 'Hello', attachments: [id] }, mute)
  assert.equal(forbidden.body.code, 'permission_missing')
})

test('a run whose attachment is gone when it begins fails and says so', async () => {
  const { id } = await attach('gone.md', secret)
  modelServer.setScript(() => ({ kind: 'never' }))
  const agent = await createAgentIn(app, { model: 'openai/test-model', tools: [] })
  const headers = { prefer: 'respond-async' }
  const path = `/agents/${agent.id}/run`
  const first = await app.request('POST', path, { headers, body: { prompt: 'One' } })
  const { conversationId } = first.body.data
  const second = await app.request('POST', path, {
    headers,
    body: { prompt: 'Two', attachments: [id], conversationId },
  })
  assert.equal(second.status, 202, JSON.stringify(second.body))
  assert.equal((await app.request('DELETE', `/knowledge/documents/${id}`)).status, 204)
  assert.equal((await app.request('POST', `/runs/${first.body.data.id}/cancel`)).status, 200)
  const ended = await app.request('GET', `/runs/${second.body.data.id}`, { headers: { prefer: 'wait=20' } })
  assert.equal(ended.body.data.error?.code, 'attachment_unavailable')
})

test('a rerun has the same attachments, and an erased document leaves all of it', async () => {
  const { id } = await attach('erased.md', secret)
  const said = 'The vault opens with the golden word xyzzy every single morning'
  modelServer.setScript(() => ({ kind: 'answer', text: `{"word": "${said} [1]"}` }))
  const agent = await createAgentIn(app, { model: 'openai/test-model', tools: [] })
  const responseSchema = { type: 'object', properties: { word: { type: 'string' } } }
  const { body } = await run(agent.id, { prompt: 'Which word?', attachments: [id], responseSchema })
  assert.match(body.data.structuredOutput.word, /xyzzy/)
  const again = await app.request('POST', `/runs/${body.data.id}/rerun`, { body: {} })
  assert.deepEqual(again.body.data.attachments, [id])
  assert.match(again.body.data.structuredOutput.word, /xyzzy/)
  assert.equal((await app.request('DELETE', `/knowledge/documents/${id}?erase=true`)).status, 204)
  await untilNoJobs(app)
  for (const runId of [body.data.id, again.body.data.id]) {
    const read = await app.request('GET', `/runs/${runId}`)
    assert.doesNotMatch(JSON.stringify(read.body.data), /xyzzy|Vault/)
    assert.match(read.body.data.structuredOutput.word, /\[erased\]/)
    assert.deepEqual(read.body.data.attachments, [id])
  }
  const { read } = app.dependencies.database
  const steps = await read
    .selectFrom('run_steps')
    .select('record')
    .where('run_id', '=', body.data.id)
    .execute()
  assert.ok(steps.length > 0 && steps.every(({ record }) => !/xyzzy|Vault/.test(record)))
})
