/** Data that an earlier version left is served by this one. The archives are made by a server at schema 35. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import {
  createEmptyDatabase,
  createTestDatabase,
  type EmptyDatabase,
  testEngine,
} from './testing/database.ts'
import { readSchema } from './testing/schema.ts'
import { startTestApp, type TestApp } from './testing/test-app.ts'

type Known = Record<
  'key' | 'agentId' | 'collectionId' | 'conversationId' | 'runId' | 'documentId' | 'trashedId',
  string
>

test('an archived data folder opens with its schema, keys, documents, runs and conversations', async t => {
  const { app, known, folder } = await openArchive()
  t.after(async () => {
    await app.close()
    await rm(folder, { recursive: true })
  })
  const fresh = await createTestDatabase()
  t.after(fresh.close)
  // The rate limiter makes its own table when it is first asked, so an archive of a used server has one.
  const upgraded = Object.entries(await readSchema(app.dependencies.database)).filter(
    ([table]) => table !== 'rate_limits',
  )
  assert.deepEqual(Object.fromEntries(upgraded), await readSchema(fresh.database))

  const { key, agentId, conversationId } = known
  const get = async (path: string, query = {}) => {
    const reply = await app.request('GET', path, { key, query })
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
    return reply.body.data
  }
  const run = await get(`/runs/${known.runId}`)
  assert.match(run.output, /27 days of paid annual leave/)
  const [match] = await get('/knowledge/search', { query: 'okapi' })
  assert.deepEqual([match.documentId, match.documentVersion], [known.documentId, 2])
  const original = await app.request('GET', `/knowledge/documents/${known.documentId}/original`, { key })
  assert.equal(original.status, 200)
  const restored = await app.request('POST', `/knowledge/documents/${known.trashedId}/restore`, { key })
  assert.equal(restored.status, 200, JSON.stringify(restored.body))
  const next = await app.request('POST', `/agents/${agentId}/run`, {
    key,
    body: { prompt: 'What does the second version say about an okapi?', conversationId },
    headers: { prefer: 'wait=30' },
  })
  assert.equal(next.body.data.status, 'succeeded', JSON.stringify(next.body))
  assert.equal((await get(`/conversations/${conversationId}`)).runCount, 3)
})

/** Starts this version on a copy of the archived data of the engine under test. */
async function openArchive(): Promise<{ app: TestApp; known: Known; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-archived-'))
  const archive = join(import.meta.dirname, `testing/archived/schema-35-${testEngine}.tar.gz`)
  execFileSync('tar', ['-xzf', archive, '-C', folder])
  const known: Known = JSON.parse(await readFile(join(folder, 'known.json'), 'utf8'))
  const database = await createEmptyDatabase()
  await fill(database, folder)
  return { app: await startTestApp({ data: { folder: join(folder, 'data'), database } }), known, folder }
}

async function fill({ settings }: EmptyDatabase, folder: string): Promise<void> {
  if (settings.engine === 'sqlite') return copyFile(join(folder, 'data/atrium.db'), settings.file)
  const client = new pg.Client({ connectionString: settings.url })
  await client.connect()
  try {
    await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
    await client.query(await readFile(join(folder, 'atrium.sql'), 'utf8'))
  } finally {
    await client.end()
  }
}
