/** A run reaches what both its caller and the writer of its revision may read, until a person who reaches all publishes. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { calls, says, startToolApp, type ToolApp } from '../../../testing/apps/tool-app.ts'
import { eventually } from '../../../testing/eventually.ts'
import { createCollection, uploadAndWait } from '../../../testing/knowledge/knowledge.ts'
import type { ModelScript } from '../../../testing/servers/model-server.ts'
import type { TestKey } from '../../../testing/test-app.ts'

const open = 'zebraopen'
const kept = 'zebrakept'

let tools: ToolApp

before(async () => {
  tools = await startToolApp()
  tools.modelServer.setScript(tellsAll)
})
after(() => tools.close())

/** Asks for all that it can, and says what it was given: its prompt, its history, and what its tools told. */
const tellsAll: ModelScript = ({ messages }) => {
  const own = messages.findLastIndex(({ role }) => role === 'user')
  const told = JSON.stringify(messages.slice(own + 1))
  const [, later] = /Then ask (agt_\w+)/.exec(String(messages[0]?.content)) ?? []
  if (later !== undefined && told.includes('zebra') && !told.includes(later))
    return calls(['call_agent', { agentId: later, prompt: `Which harbour? ${told}` }])
  if (messages.slice(own).some(({ role }) => role === 'tool')) return says(JSON.stringify(messages))
  const [, callee] = /Ask (agt_\w+)/.exec(String(messages[0]?.content)) ?? []
  return callee === undefined
    ? calls(['search_knowledge', { query: 'zebra harbour' }])
    : calls(['call_agent', { agentId: callee, prompt: 'Which harbour?' }])
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there, and fails where it is not.
type Json = any

async function ask(method: string, path: string, body: object, key?: TestKey): Promise<Json> {
  const reply = await tools.app.request(method, path, { body, key, headers: { prefer: 'wait=30' } })
  assert.ok(reply.status < 300, `${method} ${path} ${JSON.stringify(reply.body)}`)
  return reply.body.data
}

const model = 'openai/test-model'

/** The run once it has ended, however busy the machine is. */
async function endOf(id: string): Promise<Json> {
  let run: Json
  await eventually('the run ends', async () => {
    const reply = await tools.app.request('GET', `/runs/${id}`, { headers: { prefer: 'wait=30' } })
    run = reply.body.data
    return run.finishedAt !== null
  })
  return run
}

/** An agent of a key that is narrowed to one of two collections. */
async function start() {
  const { app } = tools
  const collection = async (word: string) => {
    const collectionId = await createCollection(app, app.liveKey, word)
    const content = `The zebra harbour of ${word} is open.`
    await uploadAndWait(app, { collectionId, name: `${word}.txt`, content })
    return collectionId
  }
  const [openId, keptId] = [await collection(open), await collection(kept)]
  const narrow = await app.createKey({ userId: app.ownerId, collectionIds: [openId] })
  const { id } = await ask('POST', '/agents', { name: 'Of the key', model }, narrow)
  /** What a run of the owner was told. */
  const isTold = async (body: object = {}, agentId: string = id) => {
    const { id: runId } = await ask('POST', `/agents/${agentId}/run`, { prompt: 'Which harbour?', ...body })
    const run = await endOf(runId)
    assert.equal(run.status, 'succeeded', JSON.stringify(run))
    return { open: run.output.includes(open), kept: run.output.includes(kept), run }
  }
  return { app, narrow, id, isTold, openId, keptId }
}

const found = ({ open, kept }: { open: boolean; kept: boolean }) => ({ open, kept })
const onlyOpen = { open: true, kept: false }
const everything = { open: true, kept: true }

test('a run of an agent reaches what its writer may read, until a caller who reaches all publishes that revision', async () => {
  const { id, isTold, narrow, openId } = await start()
  const first = await isTold()
  assert.deepEqual([found(first), first.run.collectionIds], [onlyOpen, [openId]])
  assert.deepEqual(found(await isTold({ revision: 1 })), onlyOpen)
  await ask('PATCH', `/agents/${id}`, { name: 'A draft of the owner', publish: false })
  assert.deepEqual(found(await isTold({ revision: 2 })), onlyOpen)
  await ask('POST', `/agents/${id}/publish`, { revision: 2 })
  const freed = await isTold()
  assert.deepEqual([found(freed), freed.run.collectionIds], [everything, null])
  // No caller has answered for the first one.
  assert.deepEqual(found(await isTold({ revision: 1 })), onlyOpen)
  await ask('POST', `/agents/${id}/publish`, { revision: 1 })
  assert.deepEqual(found(await isTold()), everything)
  const own = await ask('PATCH', `/agents/${id}`, { collectionIds: [openId] })
  assert.deepEqual(found(await isTold()), onlyOpen)
  await ask('PATCH', `/agents/${id}`, { instructions: 'Tell me.' }, narrow)
  await ask('PATCH', `/agents/${id}`, { collectionIds: [] })
  assert.deepEqual(found(await isTold()), everything)
  assert.equal(own.revision, 3)
})

test('a narrower writer of a revision narrows it further, and a wider one does not widen it', async () => {
  const { app, id, isTold, openId, keptId } = await start()
  const wider = await app.createKey({ userId: app.ownerId, collectionIds: [openId, keptId] })
  await ask('PATCH', `/agents/${id}`, { name: 'Of both' }, wider)
  assert.deepEqual(found(await isTold()), onlyOpen)
  const other = await ask('POST', '/agents', { name: 'Other', model }, wider)
  assert.deepEqual(found(await isTold({}, other.id)), everything)
})

test('what earlier turns and responses were told beyond the reach of the writer does not reach a run of the revision', async () => {
  const { app, id, isTold, narrow, openId } = await start()
  await ask('POST', `/agents/${id}/publish`, { revision: 1 })
  const told = await isTold()
  assert.deepEqual(found(told), everything)
  const before = await app.request('POST', '/v1/responses', { body: { model: id, input: 'Which?' } })
  assert.ok(JSON.stringify(before.body).includes(kept))
  // The owner has answered for what the agent was: it searches all collections, so that the key cannot change it.
  const refused = await app.request('PATCH', `/agents/${id}`, { key: narrow, body: { name: 'Mine' } })
  assert.deepEqual([refused.status, refused.body.details?.needs], [403, 'record'])
  await ask('PATCH', `/agents/${id}`, { collectionIds: [openId] })
  await ask('PATCH', `/agents/${id}`, { instructions: 'Tell all.' }, narrow)
  const { conversationId } = told.run
  assert.deepEqual(found(await isTold({ conversationId })), onlyOpen)
  const request = { model: id, input: 'And?', previous_response_id: before.body.id }
  const answer = await app.request('POST', '/v1/responses', { body: request })
  assert.deepEqual([answer.status, answer.body.details?.needs], [403, 'record'])
  const again = await app.request('POST', `/runs/${told.run.id}/rerun`, {
    body: {},
    headers: { prefer: 'wait=30' },
  })
  assert.ok(again.status < 300 && !again.body.data.output.includes(kept), JSON.stringify(again.body))
})

test('an attachment beyond the reach of the writer is refused, and a called agent keeps to both writers', async () => {
  const { app, id, isTold, keptId, narrow } = await start()
  const [document] = (await app.request('GET', '/knowledge/documents', { query: { collectionId: keptId } }))
    .body.data
  const run = { body: { prompt: 'What?', attachments: [document.id] } }
  const refused = await app.request('POST', `/agents/${id}/run`, run)
  assert.deepEqual([refused.status, refused.body.errors?.[0].field], [400, 'attachments.0'])
  const byOwner = { name: 'Of the owner', model, instructions: `Ask ${id}`, tools: ['call_agent'] }
  const { id: calling } = await ask('POST', '/agents', { ...byOwner, agentIds: [id] })
  assert.deepEqual(found(await isTold({}, calling)), onlyOpen)
  await ask('POST', `/agents/${id}/publish`, { revision: 1 })
  assert.deepEqual(found(await isTold({}, calling)), everything)
  // The other way round: the agent of the key asks one that reaches all.
  const { id: wide } = await ask('POST', '/agents', { name: 'Wide', model })
  const byKey = { ...byOwner, instructions: `Ask ${wide}`, agentIds: [wide] }
  const { id: asking } = await ask('POST', '/agents', byKey, narrow)
  assert.deepEqual(found(await isTold({}, asking)), onlyOpen)
})

test('what a run was shown beyond the reach of an agent’s writer does not reach that agent as its prompt', async () => {
  const { app, id, isTold, narrow, openId, keptId } = await start()
  await ask('PATCH', `/agents/${id}`, { tools: ['http_request'], httpHosts: ['evil.example'] }, narrow)
  const caller = (collectionIds: string[]) =>
    ask('POST', '/agents', {
      name: 'Of the owner',
      model,
      instructions: `Then ask ${id}`,
      tools: ['search_knowledge', 'call_agent'],
      agentIds: [id],
      collectionIds,
    })
  const prompts = async () => JSON.stringify((await app.request('GET', `/agents/${id}/runs`)).body.data)
  const [wide, within] = [await caller([keptId]), await caller([openId])]
  const refused = await isTold({}, wide.id)
  assert.match(refused.run.output, /written by a key that does not reach all that this run was shown/)
  assert.equal(await prompts(), '[]')
  // What an earlier turn was shown is in the memory of the next one.
  const { conversationId } = refused.run
  await isTold({ conversationId, collectionIds: [openId] }, wide.id)
  assert.equal(await prompts(), '[]')
  await isTold({}, within.id)
  assert.ok((await prompts()).includes(open))
  await ask('POST', `/agents/${id}/publish`, { revision: 2 })
  await isTold({}, wide.id)
  assert.ok((await prompts()).includes(kept))
})
