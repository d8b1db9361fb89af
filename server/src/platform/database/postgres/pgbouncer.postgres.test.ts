/** The database through a pooler that gives each transaction another connection. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { createEmptyDatabase, testPostgresUrl } from '../../../testing/database.ts'
import { allowedOf } from '../../../testing/limiters.ts'
import { isUnavailable, namesIn, put } from '../../../testing/meta-rows.ts'
import { startPgBouncer, withoutPgBouncer } from '../../../testing/servers/pgbouncer.ts'
import { createPostgresCounters } from '../../counters.ts'
import type { Database, Query } from '../database.ts'
import { type DatabaseSettings, openDatabase } from '../open.ts'

const skip = withoutPgBouncer()

test('through a pooler the schema is made, and each statement has its limits, in a transaction or not', {
  skip,
}, async t => {
  const { pooled } = await openPooled(t, { acquireTimeoutMs: 2_000, transactionTimeoutMs: 3_000 })
  const wanted = { statement: '3s', lock: '2s', idle: '3s' }
  assert.deepEqual(await limitsOf(pooled.read), wanted)
  assert.deepEqual(await pooled.write(limitsOf), wanted)
  assert.deepEqual(await pooled.snapshot('wsp_1', limitsOf), wanted)
})

test('a pooled connection keeps nothing of us for the next client that gets it', { skip }, async t => {
  const { pooled, url } = await openPooled(t, {})
  await Promise.all([limitsOf(pooled.read), pooled.write(limitsOf), pooled.snapshot('wsp_1', limitsOf)])
  const other = new pg.Client({ connectionString: url })
  await other.connect()
  const { rows } = await other.query(limits)
  await other.end()
  assert.deepEqual(rows, [{ statement: '0', lock: '0', idle: '0' }])
})

test('a statement that takes too long is a 503 through a pooler, in a transaction or not', {
  skip,
}, async t => {
  const { pooled } = await openPooled(t, { transactionTimeoutMs: 100 })
  const slow = sql`SELECT pg_sleep(20)`
  await assert.rejects(slow.execute(pooled.read), isUnavailable)
  await assert.rejects(
    pooled.write(tx => slow.execute(tx)),
    isUnavailable,
  )
  await pooled.write(tx => put(tx, 'after'))
  assert.deepEqual(await namesIn(pooled), ['after'])
})

test('an index is made beside writes through a pooler', { skip }, async t => {
  const { pooled } = await openPooled(t, {})
  const { signal } = new AbortController()
  await pooled.maintain?.('CREATE INDEX CONCURRENTLY of_a_test ON meta (value)', signal)
  const { rows } = await sql`SELECT 1 FROM pg_indexes WHERE indexname = 'of_a_test'`.execute(pooled.read)
  assert.equal(rows.length, 1)
})

test('requests are counted through a pooler, whichever connection each count gets', { skip }, async t => {
  const { pooled } = await openPooled(t, {})
  const counters = await Promise.all([createPostgresCounters(pooled), createPostgresCounters(pooled)])
  assert.equal(await allowedOf(24, counters), 10)
  await Promise.all(counters.map(each => each.close()))
})

const limits = `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
  current_setting('idle_in_transaction_session_timeout') AS idle`

async function limitsOf(query: Query): Promise<unknown> {
  const { rows } = await sql.raw(limits).execute(query)
  return rows[0]
}

/** An empty database, opened through a pooler with these limits. */
async function openPooled(
  t: TestContext,
  limitsMs: Pick<DatabaseSettings, 'acquireTimeoutMs' | 'transactionTimeoutMs'>,
): Promise<{ pooled: Database; url: string }> {
  const { settings, remove } = await createEmptyDatabase('postgres')
  t.after(remove)
  assert.ok(settings.engine === 'postgres')
  const pooler = await startPgBouncer(testPostgresUrl() ?? '')
  t.after(pooler.close)
  const url = pooler.urlOf(settings.url)
  const pooled = await openDatabase({ ...settings, ...limitsMs, url })
  t.after(() => pooled.close())
  return { pooled, url }
}
