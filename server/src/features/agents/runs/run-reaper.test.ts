/** Runs without a working job, made by hand as a database crash or a defect of the server could leave them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type AgentSetting, createAgentIn, startAgentApp } from '../../../testing/apps/agent-app.ts'
import { runQueueName } from '../records/run-job.ts'

let setting: AgentSetting
let agentId: string

before(async () => {
  setting = await startAgentApp()
  setting.modelServer.setScript(() => ({ kind: 'answer', text: 'Done.' }))
  agentId = (await createAgentIn(setting.app, { model: 'openai/test-model', tools: [] })).id
})
after(() => setting.close())

const services = () => setting.app.app.services
const database = () => setting.app.dependencies.database

async function startRun(body: Record<string, unknown> = {}) {
  const reply = await setting.app.request('POST', `/agents/${agentId}/run`, {
    body: { prompt: 'Work!', ...body },
    headers: { prefer: 'respond-async' },
  })
  assert.equal(reply.status, 202, JSON.stringify(reply.body))
  return reply.body.data as { id: string; conversationId: string }
}

const endOf = async (id: string) =>
  (await setting.app.request('GET', `/runs/${id}`, { headers: { prefer: 'wait=20' } })).body.data

/** As if they had been begun long ago. */
const age = () =>
  database().write(tx =>
    tx.updateTable('runs').set({ created_at: 1 }).where('finished_at', 'is', null).execute(),
  )

const change = (runId: string, row: { job_id?: string; finished_at?: number; status?: 'failed' }) =>
  database().write(tx => tx.updateTable('runs').set(row).where('id', '=', runId).execute())

const endJob = (state: 'done' | 'dead' | 'cancelled') =>
  database().write(tx =>
    tx
      .updateTable('jobs')
      .set({ state, finished_at: Date.now() })
      .where('queue', '=', runQueueName)
      .where('finished_at', 'is', null)
      .execute(),
  )

const waysOfBeingLost: Record<string, () => Promise<unknown>> = {
  'its job was deleted': () =>
    database().write(tx =>
      tx.deleteFrom('jobs').where('queue', '=', runQueueName).where('finished_at', 'is', null).execute(),
    ),
  'its job was done without it': () => endJob('done'),
}

for (const [way, lose] of Object.entries(waysOfBeingLost)) {
  test(`a run is queued again and ends where ${way}`, async () => {
    const { worker, reapRuns } = services()
    await worker.drain(5_000)
    const { id } = await startRun()
    await lose()
    assert.deepEqual(await reapRuns(), { requeued: 0, ended: 0 }, 'so young a run is let alone')
    await age()
    assert.deepEqual(await reapRuns(), { requeued: 1, ended: 0 })
    assert.deepEqual(await reapRuns(), { requeued: 0, ended: 0 }, 'it has a job again')
    worker.start()
    assert.deepEqual([(await endOf(id)).status, (await endOf(id)).output], ['succeeded', 'Done.'])
  })
}

for (const [state, status, code] of [
  ['dead', 'failed', 'run_interrupted'],
  ['cancelled', 'cancelled', undefined],
] as const) {
  test(`a run whose job is ${state} ends as ${status}, and the run that waits for it begins`, async () => {
    const { worker, reapRuns } = services()
    await worker.drain(5_000)
    const { id, conversationId } = await startRun()
    const next = await startRun({ conversationId })
    await endJob(state)
    await age()
    assert.deepEqual(await reapRuns(), { requeued: 0, ended: 1 })
    const ended = await endOf(id)
    assert.deepEqual([ended.status, ended.error?.code], [status, code])
    worker.start()
    assert.equal((await endOf(next.id)).status, 'succeeded')
  })
}

test('a run that waits for its turn is let alone until nothing is before it, and then it is queued', async () => {
  const { worker, reapRuns } = services()
  await worker.drain(5_000)
  const first = await startRun()
  const second = await startRun({ conversationId: first.conversationId })
  await age()
  assert.deepEqual(await reapRuns(), { requeued: 0, ended: 0 })
  // The first one ends without anybody letting the second one begin.
  await endJob('done')
  await change(first.id, { status: 'failed', finished_at: Date.now() })
  assert.deepEqual(await reapRuns(), { requeued: 1, ended: 0 })
  worker.start()
  assert.equal((await endOf(second.id)).status, 'succeeded')
})

test('a part of a run that has ended without it is cancelled', async () => {
  const { worker, reapRuns } = services()
  await worker.drain(5_000)
  const head = await startRun()
  const part = await startRun()
  await database().write(tx =>
    tx
      .updateTable('runs')
      .set({ parent_run_id: head.id, parent_call_id: 'call_1', root_run_id: head.id, status: 'waiting' })
      .where('id', '=', part.id)
      .execute(),
  )
  await age()
  assert.deepEqual(await reapRuns(), { requeued: 0, ended: 0 }, 'the run at its head is in progress')
  await endJob('done')
  await change(head.id, { status: 'failed', finished_at: Date.now() })
  assert.deepEqual(await reapRuns(), { requeued: 0, ended: 1 })
  assert.equal((await endOf(part.id)).status, 'cancelled')
  worker.start()
})
