/** A conversation goes on when the process of its run is killed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { impatient, patient, startRunProcesses } from '../../../testing/run-processes.ts'

test('a run that waits begins once the one before it has been given up with its killed processes', {
  timeout: 5 * 60_000,
}, async t => {
  const processes = await startRunProcesses()
  t.after(() => processes.close())
  const { caller, server } = processes
  const { agents, runs, worker } = processes.start()
  t.after(() => worker.drain(1_000))
  server.setScript(({ messages }) =>
    messages.at(-1)?.content === 'never' ? { kind: 'never' } : { kind: 'answer', text: 'At last.' },
  )
  const agent = await agents.create(caller, { name: 'Test', tools: [] })
  const first = await runs.run(caller, agent.id, { prompt: 'never' }, impatient)
  const conversationId = first.row.conversation_id
  const second = await runs.run(caller, agent.id, { prompt: 'second', conversationId }, impatient)
  assert.deepEqual([second.row.status, second.row.job_id], ['queued', ''])
  for (const attempt of [1, 2, 3, 4, 5]) {
    const child = await processes.startWorker(t)
    while (server.requests.length < attempt) await sleep(5)
    await processes.killWorker(child)
  }
  worker.start()
  const ended = await runs.get(caller, second.row.id, { ...patient, waitMs: 30_000 })
  assert.deepEqual([ended.row.status, ended.row.output], ['succeeded', 'At last.'])
  assert.equal((await runs.get(caller, first.row.id, patient)).row.error_code, 'crashed_server')
  assert.deepEqual(
    server.requests.map(({ body }) => body.messages.at(-1)?.content),
    ['never', 'never', 'never', 'never', 'never', 'second'],
  )
})
