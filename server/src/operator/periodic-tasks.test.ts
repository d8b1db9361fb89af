/** What the doctor says of periodic tasks, beside a server that is a process of its own. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { hourMs, minuteMs } from '../platform/clock.ts'
import { databaseNow } from '../platform/database/between-processes.ts'
import type { Database } from '../platform/database/database.ts'
import { testEngine } from '../testing/database.ts'
import { eventually } from '../testing/eventually.ts'
import { createInstallation, openInstallationDatabase } from '../testing/operator.ts'
import type { PeriodicTask } from './doctor.ts'

test('the doctor names a task that fails again and again and one that has not succeeded for long, and what to do', async t => {
  const installation = await createInstallation(t)
  await installation.atriumJson('workspace create Acme')
  const server = await installation.startServer()
  const database = await openInstallationDatabase(installation)
  t.after(() => database.close())
  await eventually('a first round is written down', async () => (await succeeded(database)).length >= 2)

  const sound = await installation.atriumJson('doctor')
  const tasks: PeriodicTask[] = sound.tasks
  assert.equal(tasks.length, (await database.read.selectFrom('schedules').selectAll().execute()).length)
  const named = (name: string): PeriodicTask | undefined => tasks.find(found => found.name === name)
  const { server: where, succeededSecondsAgo, durationMs, ...rest } = named('remove unfinished uploads') ?? {}
  assert.match(where ?? '', testEngine === 'sqlite' ? /^this machine$/ : /^all on \S/)
  assert.deepEqual([typeof succeededSecondsAgo, typeof durationMs], ['number', 'number'])
  assert.deepEqual(rest, {
    name: 'remove unfinished uploads',
    everySeconds: 3_600,
    failures: 0,
    error: null,
    fault: null,
  })
  assert.equal(named('empty the trash')?.server, null)
  const table = (await installation.atriumHere('doctor')).stdout
  assert.match(table, /ok +tasks +\d+ periodic tasks, none late or failing/)
  assert.match(table, /remove unfinished uploads +60 min +\d+ s ago +\d+ ms/)
  assert.match(table, /empty the trash +60 min +none yet +one for all +0/)

  const now = databaseNow(database.read)
  const ago = (ms: number) => sql<number>`${now} - ${ms}`
  const well = { registered_at: ago(4 * hourMs), succeeded_at: now }
  await database.write(tx => tx.updateTable('schedules').set(well).execute())
  await change(database, 'remove old usage', { succeeded_at: ago(4 * hourMs) })
  await change(database, 'erase deleted workspaces', { succeeded_at: null })
  await change(database, 'empty the trash', { failed_at: ago(5 * minuteMs), failures: 3, error: 'No room' })
  const { stdout, exitCode } = await installation.atriumHere('doctor')
  assert.equal(exitCode, 1)
  assert.match(stdout, /FAULT +tasks .*"empty the trash" failed 3 times in a row, last 5 min ago: No room/)
  assert.match(stdout, /"remove old usage" last succeeded 4 h ago, although its turn comes every 60 min/)
  assert.match(stdout, /"erase deleted workspaces" has never succeeded/)
  assert.match(stdout, /Look for the warnings "A periodic task failed" .*; .*start one again/)
  assert.match(stdout, /! empty the trash +60 min .* 3: No room/)

  await server.stop()
  const stopped = (await installation.atriumHere('doctor')).stdout
  assert.match(stopped, /FAULT +tasks +"empty the trash" failed 3 times in a row, last 5 min ago: No room\. /)
  assert.doesNotMatch(stopped, /remove unfinished uploads/, 'a server that has ended runs nothing')
})

test('a server that has just started has its time before the doctor misses a success, and so has a task of each minute', async t => {
  const installation = await createInstallation(t)
  await installation.atriumJson('workspace create Acme')
  const server = await installation.startServer({ ATRIUM_ROLE: 'worker' })
  const database = await openInstallationDatabase(installation)
  t.after(() => database.close())
  await eventually('a first round is written down', async () => (await succeeded(database)).length >= 2)
  const late = async (): Promise<string[]> => {
    const tasks: PeriodicTask[] = JSON.parse((await installation.atriumHere('doctor --json')).stdout).tasks
    return tasks.filter(({ fault }) => fault !== null).map(({ name }) => name)
  }

  // No server ran for a week, and one starts again.
  await database.write(async tx => {
    await tx
      .updateTable('schedules')
      .set({ registered_at: 0, succeeded_at: 0 })
      .where('server', '=', '')
      .execute()
  })
  assert.deepEqual(await late(), [])
  // The last success of a task of each minute may be one that was not written down.
  await age(database, 5 * minuteMs)
  assert.deepEqual(await late(), [])
  await age(database, 4 * minuteMs)
  const names = await late()
  assert.ok(names.includes('start scheduled syncs'))
  assert.ok(!names.includes('remove old usage'))
  await server.stop()
})

const succeeded = (database: Database) =>
  database.read.selectFrom('schedules').select('name').where('succeeded_at', 'is not', null).execute()

/** As if so much time had passed since the servers started and the tasks did what they did. */
const age = (database: Database, ms: number) =>
  database.write(tx =>
    tx
      .updateTable('schedules')
      .set(({ eb }) => ({
        registered_at: eb('registered_at', '-', ms),
        succeeded_at: eb('succeeded_at', '-', ms),
      }))
      .execute(),
  )

const change = (
  database: Database,
  name: string,
  fields: {
    succeeded_at?: RawBuilder<number> | null
    failed_at?: RawBuilder<number>
    failures?: number
    error?: string
  },
) => database.write(tx => tx.updateTable('schedules').set(fields).where('name', '=', name).execute())
