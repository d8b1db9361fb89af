/** What processes clear away: each its own, and one of them for all. */
import assert from 'node:assert/strict'
import { utimesSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { workerSchedules } from './housekeeping.ts'
import { dayMs, secondMs } from './platform/clock.ts'
import { startSchedules } from './platform/schedules/schedules.ts'
import { eventually } from './testing/eventually.ts'
import { startTestApp } from './testing/test-app.ts'

test('a process that answers requests only clears its staging of what a killed one has left there', async t => {
  let staging = ''
  const app = await startTestApp({
    settings: { ATRIUM_ROLE: 'api' },
    adapt: dependencies => {
      staging = join(dependencies.blobFolder, 'staging')
      const old = join(staging, 'old')
      const longAgo = (Date.now() - 2 * dayMs) / secondMs
      for (const path of [old, join(staging, 'young')]) writeFileSync(path, 'half of it')
      utimesSync(old, longAgo, longAgo)
      return dependencies
    },
  })
  t.after(app.close)
  await eventually('the old one is gone', async () => !(await readdir(staging)).includes('old'))
  assert.deepEqual(await readdir(staging), ['young'])
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
