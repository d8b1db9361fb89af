import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../testing/eventually.ts'
import { createInstallation } from '../testing/operator.ts'
import type { PeriodicTask } from './doctor.ts'

test("of several servers the doctor shows each one's own tasks, and those of all once", async t => {
  const installation = await createInstallation(t)
  await installation.atriumJson('workspace create Acme')
  const roles = async (name: string): Promise<(string | null)[]> => {
    const tasks: PeriodicTask[] = (await installation.atriumJson('doctor')).tasks
    const found = tasks.filter(task => task.name === name)
    return found.map(({ server }) => server?.split(' ')[0] ?? null).sort()
  }
  const api = await installation.startServer({ ATRIUM_ROLE: 'api' })
  const worker = await installation.startServer({ ATRIUM_ROLE: 'worker' })
  await eventually('both have said which tasks they have', async () => {
    return (await roles('remove unfinished uploads')).join() === 'api,worker'
  })
  assert.deepEqual(await roles('repair abandoned runs'), ['worker'])
  assert.deepEqual(await roles('remove old events'), [null])
  await api.stop()
  assert.deepEqual(await roles('remove unfinished uploads'), ['worker'])
  assert.deepEqual(await roles('remove old events'), [null])
  await worker.stop()
})
