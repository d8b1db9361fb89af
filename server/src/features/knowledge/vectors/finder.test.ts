import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Scope } from '../../../platform/caller.ts'
import { isUnavailable } from '../../../platform/errors.ts'
import { createLog } from '../../../platform/log.ts'
import { createTestDatabase } from '../../../testing/database.ts'
import { createLibrary } from '../../../testing/knowledge/indexed-documents.ts'
import { createCollection, uploadAndWait } from '../../../testing/knowledge/knowledge.ts'
import { startTestApp, type TestApp } from '../../../testing/test-app.ts'
import { createFinder, createFinderHere } from './finder.ts'

const birds = ['heron', 'stork', 'crane', 'swan', 'coot', 'grebe', 'teal', 'snipe']

let app: TestApp
// It stands, so that a key that is known stays known: looking it up would wait behind the searches.
const nowMs = Date.now()

before(async () => {
  app = await startTestApp({ clock: () => nowMs, searchThreads: true })
  const collectionId = await createCollection(app)
  for (const [place, bird] of birds.entries()) {
    const sentences = birds
      .slice(place)
      .map((other, many) => `The ${bird} meets the ${other} ${many} times. `)
    await uploadAndWait(app, { collectionId, name: `${bird}.txt`, content: sentences.join('').repeat(40) })
  }
})
after(() => app.close())

const search = (query: string) => app.request('GET', `/knowledge/search?${new URLSearchParams({ query })}`)

test('of many clients that search at once none waits for much longer than the others', async () => {
  // Each connection of the database is opened by a first search, which on a busy machine takes longer than many others.
  await Promise.all(birds.flatMap(bird => [search(bird), search(bird)]))
  let answered = 0
  /** How many other searches were answered while each waited: a count, which a busy machine does not change. */
  const waits: number[] = []
  const client = async (me: number) => {
    for (let turn = 0; turn < 15; turn++) {
      const before = answered
      const reply = await search(`${birds[(me + turn) % birds.length]} ${birds[turn % birds.length]}`)
      assert.equal(reply.status, 200)
      waits.push(answered - before)
      answered += 1
    }
  }
  await Promise.all(Array.from({ length: 16 }, (_, me) => client(me)))
  waits.sort((a, b) => a - b)
  const median = waits[waits.length / 2] ?? 0
  assert.ok((waits.at(-1) ?? 0) <= 4 * median, `${waits.at(-1)} against ${median}`)
})

test('more searches than are taken at once are told to come back, and those that were taken are answered', async () => {
  const replies = await Promise.all(Array.from({ length: 520 }, () => search('heron')))
  const refused = replies.filter(({ status }) => status !== 200)
  assert.ok(refused.length > 0)
  assert.ok(refused.some(({ body }) => body.code === 'overloaded'))
  for (const { status, body, headers } of refused) {
    assert.equal(status, 503)
    // On a busy machine some wait too long for a connection of the database, before they search.
    assert.ok(['overloaded', 'unavailable'].includes(body.code), body.code)
    assert.ok(Number(headers['retry-after']) > 0)
  }
  assert.equal((await search('heron')).status, 200)
})

test('a thread finds what a search in the own thread finds', async () => {
  const { database } = app.dependencies
  assert.equal(database.file === null, database.engine === 'postgres')
  const scope: Scope = { workspaceId: app.workspaceId, environment: 'live' }
  for (const query of ['heron', 'swan crane', '"meets the coot"', 'gre*', 'snipe -heron', 'herron']) {
    const { body } = await search(query)
    const wanted = { scope, request: { query }, shown: { from: 0, to: 10 }, vectors: null, fallback: null }
    const own = await createFinderHere(database).find('here', wanted)
    assert.ok(body.meta.total > 0, query)
    const ranked = ({ chunkId, score, text, highlights }: Record<string, unknown>) => [
      chunkId,
      score,
      text,
      highlights,
    ]
    assert.deepEqual(
      [body.meta.total, ...body.data.map(ranked)],
      [own?.total, ...(own?.results ?? []).map(ranked)],
    )
  }
})

test('what is acknowledged is found by the next search, and threads that wait keep nothing in the log', async () => {
  const collectionId = await createCollection(app)
  for (let i = 0; i < 5; i++) {
    const { id } = await uploadAndWait(app, { collectionId, content: `A pelican, number ${i}.` })
    const { body } = await search('pelican')
    assert.ok(body.data.some(({ documentId }: { documentId: string }) => documentId === id))
    assert.equal((await app.request('DELETE', `/knowledge/documents/${id}`)).status, 204)
    assert.equal((await search('pelican')).body.meta.total, 0)
  }
  const { emptyLog } = app.dependencies.database
  assert.equal(await (emptyLog?.() ?? true), true)
})

test('where a server closes, each search in progress is answered or refused, and no thread reads any more', async t => {
  const { database, close } = await createTestDatabase()
  t.after(close)
  const log = createLog({ level: 'silent' })
  const { find, close: closeFinder } = createFinder({ database, threads: 2, log })
  const library = createLibrary(database)
  const scope = await library.createScope()
  await library.add(scope, { collectionId: await library.createCollection(scope), chunks: birds })
  const wanted = {
    scope,
    request: { query: 'heron' },
    shown: { from: 0, to: 10 },
    vectors: null,
    fallback: null,
  }
  assert.equal((await find('a', wanted))?.total, 1)
  const searches = Promise.allSettled(Array.from({ length: 40 }, () => find('a', wanted)))
  await closeFinder()
  for (const each of await searches) {
    if (each.status === 'rejected') assert.ok(isUnavailable(each.reason))
    else assert.equal(each.value?.total, 1)
  }
  await assert.rejects(find('a', wanted), isUnavailable)
  assert.equal(await (database.emptyLog?.() ?? true), true)
})
