/** When a run goes on whose server was killed: the operator sets the lease that decides it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../../testing/eventually.ts'
import { createInstallation, openInstallationDatabase } from '../../../testing/operator.ts'
import { startModelServer } from '../../../testing/servers/model-server.ts'
import { createServerClient } from '../../../testing/servers/server-client.ts'

test('a run whose worker was killed goes on in another one once the lease that the operator set is over', async t => {
  const model = await startModelServer((_, index) =>
    index === 0 ? { kind: 'never' } : { kind: 'answer', text: 'Done.' },
  )
  t.after(() => model.close())
  const installation = await createInstallation(t, {
    environment: {
      OPENAI_API_KEY: 'unused-key',
      OPENAI_BASE_URL: model.baseUrl,
      ATRIUM_RUN_LEASE_SECONDS: '5',
    },
  })
  const api = await installation.startServer({ ATRIUM_ROLE: 'api' })
  const { agentId, request } = await createServerClient(installation, api)
  const killed = await installation.startServer({ ATRIUM_ROLE: 'worker' })
  const headers = { prefer: 'respond-async' }
  const { id } = await request(api, 'POST', `/agents/${agentId}/run`, { body: { prompt: 'Work!' }, headers })
  await eventually('the model is asked', () => model.requests.length === 1)
  const database = await openInstallationDatabase(installation)
  t.after(() => database.close())
  const { rows } = await sql<{
    left: number
  }>`SELECT lease_until - extract(epoch FROM clock_timestamp()) * 1000 AS left
    FROM jobs WHERE queue = 'runs'`.execute(database.read)
  assert.ok(Number(rows[0]?.left) <= 5_000, `the lease is ${rows[0]?.left} ms`)
  await killed.kill()
  await installation.startServer({ ATRIUM_ROLE: 'worker' })
  const run = await request(api, 'GET', `/runs/${id}`, { headers: { prefer: 'wait=60' } })
  assert.deepEqual([run.status, run.output], ['succeeded', 'Done.'])
})
