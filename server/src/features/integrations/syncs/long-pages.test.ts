import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpFailure } from '@atrium/connectors'
import type { Database } from '../../../platform/database/database.ts'
import { startScriptedApp } from '../../../testing/scripted-source.ts'

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
  await sync(id)
  assert.equal(Math.max(...written), itemCount)
  assert.equal(longestStep(written), mostRows)
})
