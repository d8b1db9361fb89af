/**
 * Search by vectors beyond the scan's limit. On a PostgreSQL that has pgvector the index is made and asked; the
 * guarantee on all others is the refusal that says what is missing.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTestDatabase, testEngine } from '../../../testing/database.ts'
import { createCollection, uploadAndWait } from '../../../testing/knowledge.ts'
import type { TestApp } from '../../../testing/test-app.ts'
import { add, ask, find, startBeside, startVectorApp, testModel } from '../../../testing/vector-app.ts'
import { findPgvector, listSignIndexes } from './sign-indexes-store.ts'

const beyond = { ATRIUM_VECTOR_SCAN_LIMIT: '2' }

if (await hasPgvector()) {
  test('beyond the scan limit pgvector finds the same, in the same order, as the scan', async t => {
    const { app, server, collectionId } = await startVectorApp(t, beyond)
    const otherId = await createCollection(app, undefined, 'Other')
    for (let i = 0; i < 4; i++) {
      const kind = i % 2 === 0 ? 'even' : 'odd'
      await uploadAndWait(app, {
        collectionId,
        name: `${i}.txt`,
        content: `Storks and other birds, number ${i}.`,
        fields: { metadata: JSON.stringify({ kind }) },
      })
      await add(app, otherId, `Herons, number ${i}.`, `${i}.txt`)
    }
    const early = await ask(app, { query: 'heronry', mode: 'vector' })
    assert.equal(early.body.code, 'vector_unavailable')
    assert.match(early.body.message, /still being made/)
    const key = await app.createKey({ collectionIds: [collectionId] })
    const odd = JSON.stringify({ field: 'kind', op: 'eq', value: 'odd' })
    const notOdd = JSON.stringify({ field: 'kind', op: 'ne', value: 'odd' })
    const near = { query: 'heronry', mode: 'vector', pageSize: 50 }
    const searches = [
      { query: near, count: 8 },
      { query: { ...near, collectionId: [collectionId] }, count: 4 },
      { query: near, count: 4, key },
      { query: { ...near, filter: odd }, count: 2 },
      { query: { ...near, filter: notOdd, collectionId: [collectionId] }, count: 2 },
    ]
    const findAll = async (by: TestApp) => {
      const found = []
      for (const search of searches)
        found.push(idsOf(await find(by, search.query, search.key ?? app.liveKey)))
      return found
    }
    const scanning = await startBeside(app, server, testModel)
    const scanned = await findAll(scanning).finally(scanning.close)
    assert.deepEqual(
      scanned.map(found => found.length),
      searches.map(({ count }) => count),
    )
    await makeIndexes(app, 1)
    assert.deepEqual(await findAll(app), scanned)

    const [best, ...others] = await find(app, near)
    assert.equal((await app.request('DELETE', `/knowledge/documents/${best.documentId}`)).status, 204)
    assert.deepEqual(idsOf(await find(app, near)), idsOf(others))
  })

  test('an index that nothing needs any more goes', async t => {
    const { app, collectionId } = await startVectorApp(t, beyond)
    for (const i of [1, 2, 3]) await add(app, collectionId, `Herons, number ${i}.`, `${i}.txt`)
    await makeIndexes(app, 1)
    await app.request('DELETE', `/knowledge/collections/${collectionId}`)
    await makeIndexes(app, 0)
  })
} else {
  test('beyond the scan limit, without pgvector, the refusal says what is missing', async t => {
    const { app, collectionId } = await startVectorApp(t, beyond)
    for (const i of [1, 2, 3]) await add(app, collectionId, `Herons, number ${i}.`, `${i}.txt`)
    await app.app.services.sweepVectors()
    const refused = await ask(app, { query: 'heronry', mode: 'vector' })
    assert.equal(refused.status, 422)
    assert.equal(refused.body.code, 'vector_unavailable')
    assert.match(refused.body.message, /no pgvector.*ATRIUM_VECTOR_SCAN_LIMIT/)
  })
}

async function hasPgvector(): Promise<boolean> {
  if (testEngine === 'sqlite') return false
  const { database, close } = await createTestDatabase()
  try {
    return (await findPgvector(database.read)) !== null
  } finally {
    await close()
  }
}

/** Sweeps, as the server does each minute, until there are so many indexes and all are valid. */
async function makeIndexes(app: TestApp, count: number): Promise<void> {
  for (const endsAt = Date.now() + 60_000; Date.now() < endsAt; await sleep(50)) {
    await app.app.services.sweepVectors()
    const made = await listSignIndexes(app.dependencies.database.read)
    if (made.length === count && made.every(({ isValid }) => isValid)) return
  }
  assert.fail(`There are not ${count} indexes`)
}

const idsOf = (found: readonly { chunkId: string }[]): string[] => found.map(({ chunkId }) => chunkId)
