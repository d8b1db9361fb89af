/** What the client is for, against the real server: upload, wait, search, ask. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startTestApp } from '../../server/src/testing/test-app.ts'
import { Atrium } from './client.ts'
import {
  DocumentFailedError,
  NotFoundError,
  UnsupportedTypeError,
  ValidationError,
} from './transport/errors.ts'

const leave = '# Leave\n\nEvery full-time employee has 27 days of paid annual leave a year.\n'

test('what was uploaded is found, and an agent answers from it with a citation that holds', async context => {
  const atrium = await start(context)
  const collection = await atrium.knowledge.collections.create({ name: 'Handbook' })
  const progress: string[] = []
  const { id } = await atrium.knowledge.documents.upload({
    collectionId: collection.id,
    externalId: 'wiki/leave',
    metadata: { department: 'people' },
    file: { name: 'leave.md', content: leave },
  })
  const document = await atrium.knowledge.documents.waitUntilReady(id, {
    onProgress: ({ status }) => progress.push(status),
  })
  assert.equal(document.status, 'ready')
  assert.equal(progress.at(-1), 'ready')
  assert.deepEqual(document.metadata, { department: 'people' })

  const { items, total } = await atrium.knowledge.search('paid annual leave').page()
  assert.equal(items[0]?.documentId, id)
  assert.ok(total >= 1)

  const agent = await atrium.agents.create({ name: 'Handbook', collectionIds: [collection.id] })
  const run = await atrium.agents.run(agent.id, { prompt: 'How many days of paid annual leave are there?' })
  assert.equal(run.status, 'succeeded')
  const [citation] = run.citations
  assert.equal(citation?.documentId, id)
  const passage = await atrium.knowledge.documents.content(id, {
    from: citation.startOffset,
    to: citation.endOffset,
  })
  assert.equal(passage.text, citation.quote)
  const history = await Array.fromAsync(atrium.agents.runs(agent.id), ({ id: runId }) => runId)
  assert.deepEqual(history, [run.id])
})

test('a stream is uploaded as it comes, and the original comes back byte for byte', async context => {
  const atrium = await start(context)
  const collection = await atrium.knowledge.collections.create({ name: 'Large' })
  const bytes = Buffer.from('A line of a large file, as long as it takes.\n'.repeat(4_000))
  const { id, sizeBytes } = await atrium.knowledge.documents.upload({
    collectionId: collection.id,
    file: { name: 'large.txt', content: new Blob([bytes]).stream() },
  })
  assert.equal(sizeBytes, bytes.byteLength)
  const original = await atrium.knowledge.documents.original(id)
  assert.deepEqual(Buffer.from(await original.arrayBuffer()), bytes)
})

test('a file that cannot be read is a DocumentFailedError with its code, one that is not taken an error at once', async context => {
  const atrium = await start(context, 'test')
  const { id: collectionId } = await atrium.knowledge.collections.create({ name: 'Broken' })
  const broken = await atrium.knowledge.documents.upload({
    collectionId,
    file: { name: 'sim-parse-failed.txt', content: 'text' },
  })
  await assert.rejects(atrium.knowledge.documents.waitUntilReady(broken.id), (error: unknown) => {
    assert.ok(error instanceof DocumentFailedError)
    assert.equal(error.documentId, broken.id)
    assert.match(error.code, /^[a-z_]+$/)
    return true
  })
  const program = { name: 'program.exe', content: Uint8Array.from([0x4d, 0x5a, 0x90, 0, 3, 0, 0, 0]) }
  await assert.rejects(
    atrium.knowledge.documents.upload({ collectionId, file: program }),
    UnsupportedTypeError,
  )
  await assert.rejects(
    atrium.knowledge.documents.upload({ collectionId: 'col_01kajz4v7qf3x8m2c9t5b6n0rw', file: program }),
    ValidationError,
  )
})

test('a run can be started, followed to its end, and cancelled', async context => {
  const atrium = await start(context, 'test')
  const agent = await atrium.agents.create({ name: 'Slow' })
  const started = await atrium.agents.start(agent.id, { prompt: 'sim:slow=100ms' })
  const ended = await atrium.runs.waitUntilEnded(started.id)
  assert.equal(ended.status, 'succeeded')
  const endless = await atrium.agents.start(agent.id, { prompt: 'sim:slow=60s' })
  assert.equal((await atrium.runs.cancel(endless.id)).status, 'cancelled')
  await assert.rejects(atrium.runs.waitUntilEnded('run_01kajz4v7qf3x8m2c9t5b6n0rw'), NotFoundError)
})

test('a stream whose connection is cut goes on where it broke, and nothing is missing or told twice', async context => {
  const atrium = await start(context, 'test')
  const agent = await atrium.agents.create({ name: 'Cut' })
  let breaks = 0
  const prompt = 'sim:disconnect_after=4 sim:stream=12'
  const onBreak = () => void breaks++
  const events = await Array.fromAsync(atrium.agents.stream(agent.id, { prompt }, { onBreak }))
  const text = events.map(event => (event.type === 'text.delta' ? event.text : '')).join('')
  const last = events.at(-1)
  assert.ok(last?.type === 'run.succeeded')
  assert.equal(text, last.run.output)
  assert.equal(text.split(' ').length, 12)
  assert.equal(breaks, 1)
})

test('a search is walked to its end, page by page', async context => {
  const atrium = await start(context)
  const { id: collectionId } = await atrium.knowledge.collections.create({ name: 'Many' })
  const names = Array.from({ length: 12 }, (_, index) => `bicycle-${index}.txt`)
  for (const name of names) {
    const { id } = await atrium.knowledge.documents.upload({
      collectionId,
      file: { name, content: `The bicycle ${name} has two wheels.` },
    })
    await atrium.knowledge.documents.waitUntilReady(id)
  }
  const found = await Array.fromAsync(
    atrium.knowledge.search('bicycle wheels', { pageSize: 5 }),
    hit => hit.documentId,
  )
  assert.equal(new Set(found).size, names.length)
})

async function start(context: TestContext, environment: 'live' | 'test' = 'live'): Promise<Atrium> {
  const app = await startTestApp()
  context.after(app.close)
  const { key } = environment === 'live' ? app.liveKey : app.testKey
  return new Atrium({ apiKey: key, baseUrl: await app.listen() })
}
