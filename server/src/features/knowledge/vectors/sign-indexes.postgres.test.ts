/** Search by vectors beyond the scan's limit: PostgreSQL finds them by an index where it has pgvector. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { add, ask, find, startBeside, startVectorApp, testModel } from '../../../testing/apps/vector-app.ts'
import { createTestDatabase } from '../../../testing/database.ts'
import { createCollection, uploadAndWait } from '../../../testing/knowledge/knowledge.ts'
import type { TestApp } from '../../../testing/test-app.ts'
import { findPgvector, listSignIndexes } from './sign-indexes-store.ts'

const beyond = { ATRIUM_VECTOR_SCAN_LIMIT: '2' }

const skip = !(await hasPgvector()) && 'this PostgreSQL has no pgvector'

test('beyond the scan limit pgvector finds the same, in the same order, as the scan', { skip }, async t => {
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
    for (const search of searches) found.push(idsOf(await find(by, search.query, search.key ?? app.liveKey)))
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

test('an index that nothing needs any more goes', { skip }, async t => {
  const { app, collectionId } = await startVectorApp(t, beyond)
  for (const i of [1, 2, 3]) await add(app, collectionId, `Herons, number ${i}.`, `${i}.txt`)
  await makeIndexes(app, 1)
  await app.request('DELETE', `/knowledge/collections/${collectionId}`)
  await makeIndexes(app, 0)
})

test('a PostgreSQL whose pgvector is too old or missing counts as one without it', async t => {
  const { database, close } = await createTestDatabase()
  t.after(close)
  const listed = async (rows: string) => {
    await database.write(async tx => {
      await sql.raw(`CREATE SCHEMA shadow; CREATE VIEW shadow.pg_available_extensions AS ${rows}`).execute(tx)
      await sql`SET LOCAL search_path = shadow, pg_catalog`.execute(tx)
      try {
        assert.equal(await findPgvector(tx), null)
      } finally {
        await sql`DROP SCHEMA shadow CASCADE`.execute(tx)
      }
    })
  }
  await listed("SELECT * FROM pg_catalog.pg_available_extensions WHERE name <> 'vector'")
  await listed("SELECT 'vector' AS name, '0.4.4' AS default_version, NULL::text AS installed_version")
})

async function hasPgvector(): Promise<boolean> {
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
