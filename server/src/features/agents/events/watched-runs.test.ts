import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '../../../platform/database/open.ts'
import { eventually } from '../../../testing/eventually.ts'
import { impatient, patient, startRunProcesses } from '../../../testing/run-processes.ts'
import { readRunProgress } from './run-events-store.ts'
import { createWatchedRuns } from './watched-runs.ts'

test('however many follow the runs of other processes, each look asks once for all, and wakes those of a run that changed', async t => {
  const processes = await startRunProcesses()
  const database = await openDatabase(processes.databaseSettings)
  t.after(async () => {
    await database.close()
    await processes.close()
  })
  const { agents, runs } = processes.start()
  const agent = await agents.create(processes.caller, { name: 'Test' })
  const ids: string[] = []
  for (const prompt of ['One', 'Two', 'Three']) {
    ids.push((await runs.run(processes.caller, agent.id, { prompt }, impatient)).row.id)
  }
  const looks: (readonly string[])[] = []
  const watched = createWatchedRuns({
    read: some => {
      looks.push(some)
      return readRunProgress(database.read, some)
    },
    everyMs: 5,
  })
  const { signal } = new AbortController()
  const woken = new Map<string, number>()
  const followers = ids.flatMap(id => Array.from({ length: 100 }, () => ({ id, watch: watched.watch(id) })))
  // Each has read its run before it watches, and that may have been long before the first look.
  await Promise.all(followers.map(({ watch }) => watch.changed({ signal })))

  const before = looks.length
  const over = new AbortController()
  const waits = followers.map(async ({ id, watch }) => {
    await watch.changed({ signal: over.signal })
    woken.set(id, (woken.get(id) ?? 0) + 1)
  })
  await eventually('there were looks', () => looks.length >= before + 5)
  assert.deepEqual([...woken], [])
  for (const asked of looks) assert.deepEqual(asked.toSorted(), ids.toSorted())

  await runs.cancel(processes.caller, ids[1] ?? '', patient)
  await eventually('they were woken', () => woken.size > 0)
  assert.deepEqual([...woken], [[ids[1], 100]])
  over.abort()
  await Promise.all(waits)
  for (const { watch } of followers) watch.end()
  const last = watched.watch(ids[0] ?? '')
  await eventually('runs without followers are no longer polled', () => looks.at(-1)?.join() === ids[0])
  last.end()
})
