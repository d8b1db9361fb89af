/** What processes clear away: each its own, and one of them for all. */
import assert from 'node:assert/strict'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { workerSchedules } from './housekeeping.ts'
import { dayMs, secondMs } from './platform/clock.ts'
import { startSchedules } from './platform/schedules/schedules.ts'
import { eventually } from './testing/eventually.ts'
import { startTestApp } from './testing/test-app.ts'

test('a process that answers requests only clears staging and parsing of what a killed one has left there', async t => {
  let staging = ''
  let parsing = ''
  const app = await startTestApp({
    settings: { ATRIUM_ROLE: 'api' },
    adapt: dependencies => {
      staging = join(dependencies.blobFolder, 'staging')
      parsing = join(dependencies.settings.dataDir, 'parsing')
      const longAgo = (Date.now() - 2 * dayMs) / secondMs
      for (const folder of [join(parsing, 'old'), join(parsing, 'young')]) {
        mkdirSync(folder, { recursive: true })
        writeFileSync(join(folder, 'page.png'), 'half of it')
      }
      for (const path of [join(staging, 'old'), join(staging, 'young')]) writeFileSync(path, 'half of it')
      for (const folder of [staging, parsing]) utimesSync(join(folder, 'old'), longAgo, longAgo)
      return dependencies
    },
  })
  t.after(app.close)
  for (const folder of [staging, parsing]) {
    await eventually('the old one is gone', async () => !(await readdir(folder)).includes('old'))
    assert.deepEqual(await readdir(folder), ['young'])
  }
})

test('of several processes one lists the files in each hour', async t => {
  let lists = 0
  const app = await startTestApp({
    adapt: dependencies => ({
      ...dependencies,
      blobs: {
        ...dependencies.blobs,
        ids: () => {
          lists++
          return dependencies.blobs.ids()
        },
      },
    }),
  })
  t.after(app.close)
  const { dependencies } = app
  const { features, idempotency } = app.app
  const { database, clock, log } = dependencies
  const sweeps = workerSchedules(features, idempotency)
    .filter(({ name }) => name === 'remove files without a document')
    .map(sweep => ({ ...sweep, atStart: true }))
  assert.equal(sweeps.length, 1)
  const startServer = (nodeId: string) => startSchedules(sweeps, { database, nodeId, clock, log })
  const together = ['one', 'two', 'three'].map(startServer)
  await Promise.all(together.map(stop => stop()))
  assert.equal(lists, 1)
  await startServer('four')()
  assert.equal(lists, 1)
})
