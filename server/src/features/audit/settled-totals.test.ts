import assert from 'node:assert/strict'
import { test } from 'node:test'
import { minuteMs } from '../../platform/clock.ts'
import { startTestApp } from '../../testing/test-app.ts'

test('the total of the audit log is exact while entries settle, for each filter, and old ones are counted once', async t => {
  let skippedMs = 0
  const app = await startTestApp({ clock: () => Date.now() + skippedMs })
  t.after(app.close)
  const totalOf = async (query: Record<string, string>) => {
    const { body } = await app.request('GET', '/audit-log', { query: { ...query, pageSize: 1 } })
    return body.meta.total
  }
  const makeTeam = (name: string) => app.request('POST', '/workspace/teams', { body: { name } })
  const before = await totalOf({})
  for (const name of ['One', 'Two', 'Three']) await makeTeam(name)
  assert.deepEqual([await totalOf({}), await totalOf({ action: 'team.create' })], [before + 3, 3])

  skippedMs += 10 * minuteMs
  await makeTeam('Four')
  assert.deepEqual([await totalOf({}), await totalOf({ action: 'team.create' })], [before + 4, 4])
  // Rows that are settled and counted are not looked at again: one that goes, which none ever does, is still in the total.
  const { database } = app.dependencies
  await database.write(tx => tx.deleteFrom('audit_log').where('action', '=', 'team.create').execute())
  assert.equal(await totalOf({}), before + 3)

  skippedMs += 10 * minuteMs
  for (const name of ['Five', 'Six']) await makeTeam(name)
  assert.equal(await totalOf({}), before + 5)
})
