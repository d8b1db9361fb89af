/** A server that is killed while it starts a run: of a time and of a payload there is one run, not none and not two. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { minuteMs } from '../../../platform/clock.ts'
import { eventually } from '../../../testing/eventually.ts'
import { expireLeases } from '../../../testing/leases.ts'
import { createInstallation, openInstallationDatabase } from '../../../testing/operator.ts'

const timeout = 5 * minuteMs

test('a server that is killed before or after the commit of a start leaves one run of a time, and one of a payload', {
  timeout,
}, async t => {
  const installation = await createInstallation(t)
  await installation.atriumJson('workspace create Acme')
  const words = [
    'key',
    'create',
    '--workspace',
    'acme',
    '--permissions',
    'all',
    '--name',
    'K',
    '--env',
    'test',
  ]
  const { key } = await installation.atriumJson(words)
  const post = async (url: string, body: object, headers: Record<string, string> = {}) => {
    const sent = { 'content-type': 'application/json', authorization: `Bearer ${key}`, ...headers }
    const reply = await fetch(url, { method: 'POST', headers: sent, body: JSON.stringify(body) })
    // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there, and fails where it is not.
    return ((await reply.json()) as any).data
  }
  const first = await installation.startServer()
  const api = `${first.origin}/api/v1`
  const agent = await post(`${api}/agents`, { name: 'Desk' })
  const yearly = { name: 'Yearly', cron: '0 0 1 1 *', prompt: 'Sum up.' }
  const schedule = await post(`${api}/agents/${agent.id}/schedules`, yearly)
  const trigger = await post(`${api}/agents/${agent.id}/triggers`, {
    name: 'T',
    promptTemplate: '{{body.a}}',
  })
  await first.stop()
  const database = await openInstallationDatabase(installation)
  t.after(() => database.close())
  /** What a killed server holds of a PostgreSQL, it would hold for a minute. */
  const startAfterKill = async (settings: Record<string, string> = {}) => {
    await expireLeases(database)
    return installation.startServer(settings)
  }
  const killedAt = (fault: string) => ({ NODE_ENV: 'test', ATRIUM_TEST_FAULT: fault })
  const runsOf = (id: string) =>
    database.read
      .selectFrom('runs')
      .select(['id', 'status', 'finished_at', 'error_code'])
      .where('started_by_id', '=', id)
      .execute()

  // A time that has just come, and is no missed one.
  const due = { next_run_at: Date.now() - minuteMs }
  await database.write(tx =>
    tx.updateTable('agent_schedules').set(due).where('id', '=', schedule.id).execute(),
  )
  const runs = [0, 1]
  for (const [index, seam] of ['commit.before', 'commit.after'].entries()) {
    // It may end before it listens.
    const server = await startAfterKill(killedAt(`start-scheduled-runs/${seam}`)).catch(() => null)
    await server?.ended
    assert.equal((await runsOf(schedule.id)).length, runs[index], seam)
  }

  const { pathname } = new URL(trigger.url)
  const send = (origin: string) => post(`${origin}${pathname}`, { a: 1 }, { 'idempotency-key': 'one' })
  for (const [index, seam] of ['commit.before', 'commit.after'].entries()) {
    // It works on no runs: one that too many killed servers have taken up fails.
    const server = await startAfterKill({ ...killedAt(`sendToTrigger/${seam}`), ATRIUM_ROLE: 'api' })
    await assert.rejects(send(server.origin))
    await server.ended
    assert.equal((await runsOf(trigger.id)).length, runs[index], seam)
  }

  const last = await startAfterKill()
  const { runId } = await send(last.origin)
  assert.deepEqual(
    (await runsOf(trigger.id)).map(({ id }) => id),
    [runId],
  )
  for (const { id } of [schedule, trigger]) {
    await eventually('the run has ended', async () => (await runsOf(id))[0]?.finished_at !== null)
    const ended = await runsOf(id)
    assert.deepEqual(
      ended.map(({ status, error_code }) => ({ status, error_code })),
      [{ status: 'succeeded', error_code: null }],
    )
  }
  await last.stop()
})
