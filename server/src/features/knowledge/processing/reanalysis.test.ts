import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { analysisVersion } from '../../../platform/analysis/analyse.ts'
import { createJobs } from '../../../platform/jobs/jobs.ts'
import { eventually } from '../../../testing/eventually.ts'
import { createCollection, search, uploadAndWait } from '../../../testing/knowledge/knowledge.ts'
import { startTestApp, type TestApp } from '../../../testing/test-app.ts'
import { createReanalysis } from './reindex-service.ts'

let app: TestApp
let reanalyse: ReturnType<typeof createReanalysis>

before(async () => {
  app = await startTestApp()
  const { database } = app.dependencies
  reanalyse = createReanalysis({ database, jobs: createJobs(app.dependencies) })
})
after(() => app.close())

const outdatedSegments = async (): Promise<number> => {
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM search_segments
    WHERE live = 0 OR analysis < ${analysisVersion}`.execute(app.dependencies.database.read)
  return Number(rows[0]?.count)
}

/** As an earlier server has left it: of another analysis, by which nothing is found. */
const makeOutdated = (documentId: string, isFound: boolean): Promise<void> =>
  app.dependencies.database.write(async tx => {
    await tx
      .updateTable('search_segments')
      .set({ analysis: 1 })
      .where('document_id', '=', documentId)
      .execute()
    if (isFound) return
    await sql`DELETE FROM search_postings WHERE rowid IN (
      SELECT number FROM search_chunks WHERE document_id = ${documentId})`.execute(tx)
  })

const untilDone = () =>
  eventually('the index is brought up to date', async () => (await outdatedSegments()) === 0)

test('what an earlier analysis has indexed is indexed again, once, and then found by the new one', async () => {
  const collectionId = await createCollection(app)
  const { id } = await uploadAndWait(app, {
    collectionId,
    content: 'Die Verträge über Zeppeline laufen aus.',
  })
  await makeOutdated(id, false)
  assert.deepEqual(await search(app, 'zeppelin'), [])
  assert.equal(await reanalyse(), 1)
  await untilDone()
  assert.equal((await search(app, 'zeppelin vertrag')).length, 1)
  assert.equal(await reanalyse(), 0)
})

test('a long document is found all the while that it is indexed again', async () => {
  const collectionId = await createCollection(app)
  const content = Array.from(
    { length: 300 },
    (_, i) => `Absatz ${i} über den Tapir. ${'Es geht weiter. '.repeat(60)}`,
  )
  const { id } = await uploadAndWait(app, { collectionId, content: content.join('\n\n') })
  await makeOutdated(id, true)
  await reanalyse()
  let searches = 0
  for (; (await outdatedSegments()) > 0; searches++) {
    assert.ok((await search(app, 'tapir')).length > 0)
    assert.ok(searches < 1_000, 'The index is never brought up to date')
    await sleep(10)
  }
  assert.ok(searches > 0)
  assert.ok((await search(app, 'tapire')).length > 0)
})
