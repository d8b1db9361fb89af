/** Periodic tasks on a real database, whose pauses a test ends. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase } from '../../testing/database.ts'
import { eventually } from '../../testing/eventually.ts'
import { createPausedSleep } from '../../testing/sleeps.ts'
import { hourMs, minuteMs } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { openDatabase } from '../database/open.ts'
import { createLog } from '../log.ts'
import { type Schedule, startSchedules } from './schedules.ts'
import { readTasks, type TaskState } from './schedules-store.ts'

test('a task that throws stops no other, and its failures are counted and can be read until it succeeds', async t => {
  const { database, start } = await createServers(t)
  let fault: Error | null = new Error('No room\n  for sk_live_abc\0', {
    cause: new Error('The disk is full'),
  })
  let runs = 0
  const { round, stop } = start([
    task('failing', async () => {
      if (fault !== null) throw fault
    }),
    task('well', async () => {
      runs += 1
      return 3
    }),
  ])
  await round(3)
  assert.equal(runs, 3)
  const [failing, well] = await readTasks(database)
  const message = 'No room for [secret] (The disk is full)'
  assert.deepEqual(
    [failing?.failures, failing?.error, failing?.succeededAgoMs, well?.failures, well?.error],
    [3, message, null, 0, null],
  )
  assert.deepEqual([typeof failing?.failedAgoMs, typeof well?.succeededAgoMs], ['number', 'number'])

  fault = new Error('x'.repeat(10_000))
  await round(1)
  assert.equal((await read(database, 'failing')).error?.length, 500)
  fault = null
  await round(1)
  const { failures, error, failedAgoMs, succeededAgoMs } = await read(database, 'failing')
  assert.deepEqual([failures, error, failedAgoMs, typeof succeededAgoMs], [0, null, null, 'number'])
  await stop()
})

test('a task that takes longer than its period never runs beside itself, and its duration can be read', async t => {
  const { database, clock, start } = await createServers(t)
  const lasting = Promise.withResolvers<void>()
  const counts = { lasting: 0, other: 0 }
  const { sleep, stop } = start([
    task('lasting', () => {
      counts.lasting += 1
      return lasting.promise
    }),
    task('other', async () => {
      counts.other += 1
    }),
  ])
  for (let rounds = 1; rounds <= 4; rounds++) {
    await eventually('all that do not run pause', () => sleep.pausesMs().length === (rounds === 1 ? 2 : 1))
    sleep.wake()
    await eventually('the other one ran', () => counts.other === rounds)
  }
  assert.equal(counts.lasting, 1)
  clock.now += 5 * minuteMs
  const stopped = stop()
  lasting.resolve()
  await stopped
  assert.equal((await read(database, 'lasting')).durationMs, 5 * minuteMs)
  assert.equal(counts.lasting, 1)
})

test('of the servers on a database one runs a shared task in each period, and no other while its round lasts', async t => {
  const { database, start } = await createServers(t)
  const rounds: PromiseWithResolvers<void>[] = []
  const shared: Schedule = {
    name: 'shared',
    everyMs: hourMs,
    scope: 'database',
    run: () => {
      const round = Promise.withResolvers<void>()
      rounds.push(round)
      return round.promise
    },
  }
  const servers = [start([shared], 'one'), start([shared], 'two')]
  // A server that asks for the turn or has it pauses once: until it asks again, or until it extends its turn.
  const askAll = async () => {
    for (const { round } of servers) await round(1)
  }
  const isAsking = ({ sleep }: (typeof servers)[number]) => sleep.pausesMs().some(ms => ms > 2 * minuteMs)
  const shift = (column: 'begun_at' | 'held_until', ms: number) =>
    database.write(tx =>
      tx
        .updateTable('schedules')
        .set(({ eb }) => ({ [column]: eb(column, '-', ms) }))
        .execute(),
    )
  await askAll()
  assert.equal(rounds.length, 1)
  await askAll()
  assert.equal(rounds.length, 1)

  // The round lasts longer than its period: the server that works on it says so.
  await shift('begun_at', 2 * hourMs)
  await shift('held_until', 2 * minuteMs)
  const leftMs = async () => {
    const { rows } = await sql<{
      left: number
    }>`SELECT held_until - begun_at - ${2 * hourMs} AS left FROM schedules`.execute(database.read)
    return rows[0]?.left ?? 0
  }
  assert.ok((await leftMs()) < 2 * minuteMs)
  await askAll()
  assert.ok((await leftMs()) > 2 * minuteMs)
  assert.equal(rounds.length, 1)

  // A server that says nothing any more is taken for dead; what it says later does not count.
  await shift('held_until', hourMs)
  const dead = servers.findIndex(server => !isAsking(server))
  await servers[1 - dead]?.round(1)
  assert.equal(rounds.length, 2)
  rounds[0]?.reject(new Error('Too late'))
  await eventually('the late one asks again', () => servers.some(isAsking))
  assert.equal((await read(database, 'shared')).failures, 0)
  rounds[1]?.resolve()
  await eventually('both ask again', () => servers.every(isAsking))
  const { server, succeededAgoMs, failures } = await read(database, 'shared')
  assert.deepEqual([server, typeof succeededAgoMs, failures], [null, 'number', 0])
  await askAll()
  assert.equal(rounds.length, 2, 'its next turn comes in an hour')
  await shift('begun_at', hourMs)
  await askAll()
  assert.equal(rounds.length, 3)
  rounds[2]?.resolve()
  await Promise.all(servers.map(({ stop }) => stop()))
})

test('a success is written after a start or a failure and else every five minutes, and each failure is', async t => {
  const { clock, start, writes } = await createServers(t)
  let fault: Error | null = null
  const { round, stop } = start([
    task('often', async () => {
      if (fault !== null) throw fault
    }),
  ])
  const writesOf = async (rounds: number): Promise<number> => {
    const before = writes.count
    for (let done = 0; done < rounds; done++) {
      clock.now += minuteMs
      await round(1)
    }
    return writes.count - before
  }
  await round(1)
  assert.equal(writes.count, 2, 'its start and its first success')
  assert.equal(await writesOf(10), 2)
  fault = new Error('No room')
  assert.equal(await writesOf(3), 3)
  fault = null
  assert.equal(await writesOf(1), 1)
  await stop()
})

test('a task goes on while nothing can be written down, the log says so once, and then its state is known again', async t => {
  const { database, start, writes, logLines } = await createServers(t)
  writes.areRefused = true
  let runs = 0
  const { round, stop } = start([
    task('going on', async () => {
      runs += 1
    }),
  ])
  await round(5)
  assert.equal(runs, 5)
  assert.equal(logLines.filter(line => line.includes('cannot be written down')).length, 1)
  assert.deepEqual(await readTasks(database), [])
  writes.areRefused = false
  await round(1)
  assert.equal(typeof (await read(database, 'going on')).succeededAgoMs, 'number')
  await stop()
})

test('a server that starts removes what is told of tasks and servers that are no more, and of its own failures', async t => {
  const { database, start } = await createServers(t)
  const nothing = async () => undefined
  const fail = () => Promise.reject(new Error('No room'))
  const shared = (name: string): Schedule => ({ name, everyMs: hourMs, scope: 'database', run: nothing })
  const gone = start([task('own', nothing)], 'a server that is gone')
  await gone.stop()
  const node = {
    id: 'another server',
    role: 'all',
    host: 'here',
    storage_id: 'files',
    started_at: 0,
    seen_at: 0,
  }
  await database.write(tx => tx.insertInto('nodes').values(node).execute())
  const another = start([task('own', nothing)], node.id)
  await another.stop()
  const before = start([task('own', fail), task('old', nothing), shared('shared'), shared('old shared')])
  await before.round(1)
  await before.stop()
  const again = start([task('own', nothing), shared('shared')])
  await again.stop()
  assert.deepEqual(
    (await readTasks(database)).map(({ name, server, failures }) => [name, server, failures]),
    [
      ['own', 'another server', 0],
      ['own', 'only', 0],
      ['shared', null, 0],
    ],
  )
})

const task = (name: string, run: Schedule['run']): Schedule => ({
  name,
  everyMs: minuteMs,
  scope: 'process',
  run,
})

const read = async (database: Database, name: string): Promise<TaskState> => {
  const found = (await readTasks(database)).find(state => state.name === name)
  assert.ok(found !== undefined, `${name} is not there`)
  return found
}

/** Servers on one database, each with connections of its own, whose pauses last until they are told. */
async function createServers(t: TestContext) {
  const { database, settings, close } = await createTestDatabase()
  t.after(close)
  const clock = { now: Date.now() }
  const logLines: string[] = []
  const log = createLog({ level: 'warn', write: line => logLines.push(line) })
  const writes = { count: 0, areRefused: false }
  const opened = [await openDatabase(settings), await openDatabase(settings)]
  t.after(() => Promise.all(opened.map(other => other.close())))
  let started = 0
  return {
    database,
    clock,
    logLines,
    writes,
    start(schedules: readonly Schedule[], nodeId: string | null = null) {
      const own = opened[started++ % opened.length] as Database
      const counting: Database = {
        ...own,
        write: async work => {
          writes.count += 1
          if (writes.areRefused) throw new Error('The database is down')
          return await own.write(work)
        },
      }
      const sleep = createPausedSleep()
      const dependencies = { database: counting, nodeId, clock: () => clock.now, log, sleep: sleep.sleep }
      const stop = startSchedules(schedules, dependencies)
      const arePausing = () => sleep.pausesMs().length === schedules.length
      return {
        sleep,
        stop,
        /** Each task has run so many times more, and pauses. */
        async round(times: number) {
          for (let done = 0; done < times; done++) {
            await eventually('every task pauses', arePausing)
            sleep.wake()
          }
          await eventually('every task pauses again', arePausing)
        },
      }
    },
  }
}
