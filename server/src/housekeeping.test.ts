/** What processes clear away: each its own, and one of them for all. */
import assert from 'node:assert/strict'
import { utimesSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { sharedChores } from './housekeeping.ts'
import { dayMs, secondMs } from './platform/clock.ts'
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
  const { services, idempotency } = app.app
  const ofProcesses = [1, 2, 3].map(() => sharedChores(dependencies, services, idempotency))
  const sweeps = ofProcesses.flat().filter(({ name }) => name === 'removing files without a document')
  assert.equal(sweeps.length, 3)
  await Promise.all(sweeps.map(({ work }) => work()))
  for (const { work } of sweeps) await work()
  assert.equal(lists, 1)
})
