import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { testEngine } from '../../../testing/database.ts'
import {
  createCollection,
  putAndWait,
  search,
  untilNoJobs,
  uploadAndWait,
} from '../../../testing/knowledge.ts'
import { startTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let collectionId: string

before(async () => {
  app = await startTestApp()
  collectionId = await createCollection(app)
})
after(() => app.close())

/** Null on PostgreSQL. */
async function databaseFile(): Promise<string | null> {
  const { engine, read } = app.dependencies.database
  if (engine === 'postgres') return null
  const { rows } = await sql<{ file: string }>`SELECT file FROM pragma_database_list`.execute(read)
  return rows[0]?.file ?? null
}

/** The files of the server in which one of the words can be read, by the end of the word: FTS5 leaves out what two words begin with. */
async function filesWith(words: readonly string[]): Promise<string[]> {
  const file = await databaseFile()
  const folders = [app.settings.dataDir, ...(file === null ? [] : [dirname(file)])]
  const found: string[] = []
  for (const folder of folders) {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const bytes = await readFile(join(entry.parentPath, entry.name))
      if (words.some(word => bytes.includes(word.slice(-6)))) found.push(entry.name)
    }
  }
  return found
}

const canaries = ['jxqplavmor', 'jxqpzofgek', 'jxqpwubdri', 'jxqptyhcas', 'jxqpnedkul']

async function putCanaries(key: string): Promise<string> {
  const [heading, text, earlier, title, metadata] = canaries
  const target = { collectionId, externalId: 'canaries' }
  await putAndWait(app, { ...target, content: `Before it was ${earlier}.` })
  const { id } = await putAndWait(app, {
    ...target,
    content: `# ${heading}\n\nIt is called ${text} by all.`,
    name: 'a.md',
    fields: { title: `The ${title}`, metadata: JSON.stringify({ word: metadata }) },
    headers: { 'idempotency-key': key },
  })
  assert.deepEqual(
    (await search(app, text ?? '')).map(hit => hit.documentId),
    [id],
  )
  return id
}

test('the words of an erased document can be read in no file of the server once its jobs are done', async () => {
  for (let n = 0; n < 12; n++)
    await uploadAndWait(app, { collectionId, content: `A jxqpneighbour stays, ${n}.` })
  const id = await putCanaries('first')
  for (let n = 0; n < 12; n++)
    await uploadAndWait(app, { collectionId, content: `Another jxqpneighbour, ${n}.` })
  assert.notDeepEqual(await filesWith(canaries), [])
  assert.equal((await app.request('DELETE', `/knowledge/documents/${id}?erase=true`)).status, 204)
  await untilNoJobs(app)
  assert.deepEqual(await filesWith(canaries), [])
  assert.equal((await search(app, 'jxqpneighbour')).length, 10)
})

if (testEngine === 'sqlite') {
  test('a reader that holds the write-ahead log puts the end of erasing off, and does not prevent it', async () => {
    const file = (await databaseFile()) ?? ''
    const id = await putCanaries('second')
    const reader = new DatabaseSync(file)
    reader.exec('BEGIN; SELECT count(*) FROM documents')
    reader.prepare('SELECT count(*) FROM documents').get()
    assert.equal((await app.request('DELETE', `/knowledge/documents/${id}?erase=true`)).status, 204)
    const purge = () =>
      app.dependencies.database.read
        .selectFrom('jobs')
        .select(['state', 'error'])
        .where('queue', '=', 'knowledge-purge')
        .where('error', 'is not', null)
        .executeTakeFirst()
    for (let tries = 0; (await purge()) === undefined && tries < 400; tries++) await sleep(25)
    assert.match((await purge())?.error ?? '', /A reader still needs the write-ahead log/)
    assert.ok((await filesWith(canaries)).length > 0)
    reader.close()
    await untilNoJobs(app)
    assert.deepEqual(await filesWith(canaries), [])
  })
}
