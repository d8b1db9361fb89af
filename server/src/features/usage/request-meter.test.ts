/** Requests that several processes count: nothing is lost between them, and nothing counts twice. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Caller, type KeyCaller, noBounds } from '../../platform/caller.ts'
import type { Database } from '../../platform/database/database.ts'
import { openDatabase } from '../../platform/database/open.ts'
import { createLog } from '../../platform/log.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { insertPerson, insertWorkspace } from '../../testing/workspace.ts'
import { createRequestMeter } from './request-meter.ts'
import { createUsageHistoryService } from './service.ts'

const log = createLog({ level: 'silent', write: () => undefined })
const midnight = Date.parse('2026-12-01T00:00:00Z')

const callerOf = (workspaceId: string, keyId: string): KeyCaller => ({
  kind: 'key',
  userId: 'usr_1',
  keyId,
  role: 'owner',
  permissions: new Set(),
  scope: { workspaceId, environment: 'live' },
  plan: 'starter',
  requestsPerMinute: null,
  requestId: 'req_1',
  address: null,
  idempotencyId: null,
  keyBounds: noBounds,
})

const countsOf = async (database: Database) =>
  (
    await database.read
      .selectFrom('usage_periods')
      .selectAll()
      .orderBy('period')
      .orderBy('subject_id')
      .execute()
  ).map(({ period, subject_id: id, requests }) => `${period} ${id} ${requests}`)

test('two processes that flush the same keys and day at once add up', async t => {
  const { database, settings, close } = await createTestDatabase()
  const other = await openDatabase(settings)
  t.after(async () => {
    await other.close()
    await close()
  })
  const workspaceId = await insertWorkspace(database)
  const meters = [database, other].map(own =>
    createRequestMeter({ database: own, clock: () => midnight, log }),
  )
  const keys = Array.from({ length: 20 }, (_, index) => `key_${index + 10}`)
  for (let round = 0; round < 5; round++) {
    // In opposite orders, in which they would wait for each other in a circle.
    for (const key of keys) meters[0]?.count(callerOf(workspaceId, key))
    for (const key of keys.toReversed()) meters[1]?.count(callerOf(workspaceId, key))
    await Promise.all(meters.map(meter => meter.flush()))
  }
  await Promise.all(meters.map(meter => meter.close()))
  assert.deepEqual(
    await countsOf(database),
    keys.map(key => `2026-12-01 ${key} 10`),
  )
})

test('what comes while a flush is in progress is written by the close, in the day in which it came', async t => {
  const { database, close } = await createTestDatabase()
  t.after(close)
  const workspaceId = await insertWorkspace(database)
  const clock = { now: midnight - 1 }
  const meter = createRequestMeter({ database, clock: () => clock.now, log })
  const caller = callerOf(workspaceId, 'key_1')
  meter.count(caller)
  const flushing = meter.flush()
  meter.count(caller)
  clock.now += 1
  meter.count(caller)
  await meter.close()
  await flushing
  assert.deepEqual(await countsOf(database), ['2026-11-30 key_1 2', '2026-12-01 key_1 1'])
})

test('a person is counted by name, and keeps it when there is no such person any more', async t => {
  const { database, close } = await createTestDatabase()
  t.after(close)
  const workspaceId = await insertWorkspace(database)
  const { userId } = await insertPerson(database, workspaceId, 'admin')
  const meter = createRequestMeter({ database, clock: () => midnight, log })
  const caller: Caller = { ...callerOf(workspaceId, ''), kind: 'person', userId }
  meter.count(caller)
  await meter.close()
  const usage = createUsageHistoryService({ database, clock: () => midnight, usageMs: 0 })
  const subjects = async () =>
    (await usage.history(caller, { groupBy: 'key' }, { page: 1, pageSize: 20 })).items.map(row => row.subject)
  const person = { type: 'person', id: userId, name: "A test's admin" }
  assert.deepEqual(await subjects(), [person])
  await database.write(async tx => {
    await tx.deleteFrom('members').where('user_id', '=', userId).execute()
    await tx.deleteFrom('users').where('id', '=', userId).execute()
  })
  assert.deepEqual(await subjects(), [person])
})

test('what cannot be written is kept for the next time, and a workspace that has gone holds up no other', async t => {
  const { database, close } = await createTestDatabase()
  t.after(close)
  const workspaceId = await insertWorkspace(database)
  const { failing, repair } = brokenFor(database)
  const meter = createRequestMeter({ database: failing, clock: () => midnight, log })
  meter.count(callerOf(workspaceId, 'key_1'))
  meter.count(callerOf('wsp_gone', 'key_2'))
  await assert.rejects(meter.flush(), /is down/)
  meter.count(callerOf(workspaceId, 'key_1'))
  repair()
  await meter.close()
  assert.deepEqual(await countsOf(database), ['2026-12-01 key_1 2'])
})

test('memory is bounded: many callers are written out early, and where that fails, the log says how much was lost', async t => {
  const { database, close } = await createTestDatabase()
  t.after(close)
  const workspaceId = await insertWorkspace(database)
  const lines: string[] = []
  const noted = createLog({ level: 'warn', write: line => lines.push(line) })
  const { failing, repair } = brokenFor(database)
  const meter = createRequestMeter({ database: failing, clock: () => midnight, log: noted, maxCounted: 10 })
  for (let key = 10; key < 25; key++) meter.count(callerOf(workspaceId, `key_${key}`))
  await assert.rejects(meter.flush(), /is down/)
  repair()
  await meter.flush()
  assert.equal((await countsOf(database)).length, 10)
  assert.match(lines.join(), /"uncounted":5/)
  lines.length = 0

  for (let key = 30; key < 50; key++) {
    meter.count(callerOf(workspaceId, `key_${key}`))
    if (key === 39) await meter.flush()
  }
  await meter.close()
  assert.equal((await countsOf(database)).length, 30)
  assert.deepEqual(lines, [])
})

/** A database that takes nothing until it is repaired. */
function brokenFor(database: Database) {
  let isDown = true
  const failing: Database = {
    ...database,
    write: async work => {
      if (isDown) throw new Error('The database is down')
      return await database.write(work)
    },
  }
  return {
    failing,
    repair: () => {
      isDown = false
    },
  }
}
