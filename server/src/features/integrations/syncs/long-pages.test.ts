import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpFailure } from '@atrium/connectors'
import { systemClock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { createIds } from '../../../platform/ids.ts'
import { startScriptedApp } from '../../../testing/apps/scripted-source.ts'

const itemCount = 2_100
/** So many rows may one transaction change. */
const mostRows = 500

/** After each transaction, how many items are written down. */
async function start(t: Parameters<typeof startScriptedApp>[0]) {
  const written: number[] = []
  const count = async (database: Database, flag: 'gone' | null): Promise<number> => {
    let items = database.read.selectFrom('connection_items')
    if (flag !== null) items = items.where(flag, '=', 1)
    const { total } = await items
      .select(({ fn }) => fn.countAll<number | string>().as('total'))
      .executeTakeFirstOrThrow()
    return Number(total)
  }
  let counted: 'gone' | null = null
  const scripted = await startScriptedApp(t, {
    adapt: dependencies => {
      const { database } = dependencies
      const write: Database['write'] = async work => {
        const result = await database.write(work)
        written.push(await count(database, counted))
        return result
      }
      return { ...dependencies, database: { ...database, write } }
    },
  })
  return {
    ...scripted,
    written,
    countGone: () => {
      counted = 'gone'
      written.length = 0
    },
  }
}

const longestStep = (counts: readonly number[]): number =>
  Math.max(...counts.map((total, at) => Math.abs(total - (counts[at - 1] ?? 0))))

test('a page of many items is written, and what is gone is marked, in transactions of 500 rows at most', async t => {
  const { source, connect, sync, written, countGone } = await start(t)
  source.pageSize = itemCount
  for (let index = 0; index < itemCount; index++) source.put(`item ${index}`, 'text')
  // What is listed is enough: nothing is fetched.
  source.adapt = listing => ({ ...listing, nextPage: 'more' })
  source.before = call => {
    if (call === 'list null more') throw new HttpFailure('forbidden', 'That is enough')
  }
  const id = await connect()
  const listed = await sync(id)
  assert.deepEqual([listed.status, listed.listed], ['failed', itemCount])
  assert.equal(Math.max(...written), itemCount)
  assert.equal(longestStep(written), mostRows)

  source.adapt = listing => ({ ...listing, items: [], nextPage: null })
  countGone()
  assert.equal((await sync(id)).status, 'succeeded')
  assert.equal(Math.max(...written), itemCount)
  assert.equal(longestStep(written), mostRows)
})

test('many documents that are gone go to the trash in sessions of 500 at most, and all are counted', async t => {
  const { source, connect, sync, app } = await startScriptedApp(t)
  const { database } = app.dependencies
  source.put('item 0', 'text')
  const id = await connect()
  await sync(id)
  const count = 501
  const newId = createIds(systemClock)
  // As documents that no search knows: to take in so many takes long.
  await database.write(async tx => {
    const document = await tx.selectFrom('documents').selectAll().executeTakeFirstOrThrow()
    const item = await tx.selectFrom('connection_items').selectAll().executeTakeFirstOrThrow()
    for (let number = 1; number < count; number++) {
      const [documentId, externalId] = [newId('document'), `item ${number}`]
      await tx
        .insertInto('documents')
        .values({ ...document, id: documentId, external_id: externalId })
        .execute()
      await tx
        .insertInto('connection_items')
        .values({ ...item, external_id: externalId, document_id: documentId })
        .execute()
    }
  })
  source.remove('item 0')
  const refused = await sync(id, { full: true })
  assert.match(refused.error.message, /^This would delete 501 of 501 documents/)
  const { status, deleted } = await sync(id, { full: true, confirmDeletes: count })
  assert.deepEqual({ status, deleted }, { status: 'succeeded', deleted: count })
  const sessions = await database.read
    .selectFrom('syncs')
    .select(['status', 'deleted'])
    .orderBy('id')
    .execute()
  assert.deepEqual(sessions, [
    { status: 'completed', deleted: 500 },
    { status: 'completed', deleted: 1 },
  ])
})
