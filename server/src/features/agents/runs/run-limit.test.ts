/** The plan's number of runs at once, asked for by many at the same moment. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../testing/test-app.ts'

test('however many start at the same moment, no more run than the plan allows', async t => {
  const app = await startTestApp({ settings: { ATRIUM_PLAN_ENTERPRISE: 'runsAtOnce=2' } })
  t.after(() => app.close())
  const key = app.testKey
  const made = await Promise.all(
    Array.from({ length: 8 }, (_, number) =>
      app.request('POST', '/agents', { key, body: { name: `Agent ${number}` } }),
    ),
  )
  const replies = await Promise.all(
    made.map(({ body }) =>
      app.request('POST', `/agents/${body.data.id}/run`, {
        key,
        body: { prompt: 'sim:slow=60s' },
        headers: { prefer: 'wait=1' },
      }),
    ),
  )
  assert.deepEqual(replies.map(({ status }) => status).sort(), [202, 202, 429, 429, 429, 429, 429, 429])
  const refused = replies.find(({ status }) => status === 429)
  assert.equal(refused?.body.code, 'run_limit')
  assert.equal(refused?.headers['retry-after'], '2')
  const begun = replies.filter(({ status }) => status === 202).map(({ body }) => body.data.id)
  for (const id of begun) await app.request('POST', `/runs/${id}/cancel`, { key })
})
