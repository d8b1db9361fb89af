/** A cancel that proves itself: by the log of the model's server, with real servers as processes of their own. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testEngine } from '../../../testing/database.ts'
import { openStream } from '../../../testing/event-streams.ts'
import { createInstallation } from '../../../testing/operator.ts'
import { startModelServer } from '../../../testing/servers/model-server.ts'
import { createServerClient } from '../../../testing/servers/server-client.ts'

/** Several servers share a PostgreSQL only. */
const roles = testEngine === 'postgres' ? ['api', 'worker'] : ['all']

test(`a cancel closes the model's connection and then is answered: ${roles.join(' and ')}`, async t => {
  const text = Array.from({ length: 1_000 }, (_, index) => `word${index}`).join(' ')
  const modelServer = await startModelServer(() => ({ kind: 'paced', text, delayMs: 20 }))
  t.after(() => modelServer.close())
  const installation = await createInstallation(t, {
    environment: { OPENAI_API_KEY: 'unused-key', OPENAI_BASE_URL: modelServer.baseUrl },
  })
  const [server, ...others] = await startAll(installation)
  assert.ok(server !== undefined && others.length === roles.length - 1)
  const { agentId, key, request } = await createServerClient(installation, server)

  const begun = await request(server, 'POST', `/agents/${agentId}/run`, {
    body: { prompt: 'Tell me!' },
    headers: { prefer: 'respond-async' },
  })
  const stream = await openStream(`${server.origin}/api/v1/runs/${begun.id}/events`, { key })
  // Until some of the answer has been heard.
  for (let event: string | undefined; event !== 'text.delta'; ) {
    event = (await stream.take(1))[0]?.event
    assert.ok(event !== undefined, 'the run has ended')
  }
  stream.abort()
  assert.equal(modelServer.requests.length, 1)
  const cancelled = await request(server, 'POST', `/runs/${begun.id}/cancel`)
  const answeredAtMs = Date.now()

  assert.equal(cancelled.status, 'cancelled')
  const closedAtMs = modelServer.requests[0]?.closedByClientAtMs
  assert.ok(
    closedAtMs != null && closedAtMs <= answeredAtMs,
    `closed at ${closedAtMs}, answered at ${answeredAtMs}`,
  )
  assert.ok(cancelled.usage.inputTokens > 0 && cancelled.usage.outputTokens > 0)
  assert.equal(cancelled.usage.isEstimate, true, 'what was used until then is estimated')
  assert.deepEqual(await request(server, 'GET', `/runs/${begun.id}`), cancelled)
  assert.deepEqual(await request(server, 'POST', `/runs/${begun.id}/cancel`), cancelled, 'twice is once')
  assert.equal(modelServer.requests.length, 1, 'no worker calls the model again')
})

/** One after the other: the first makes the tables. */
async function startAll(installation: Awaited<ReturnType<typeof createInstallation>>) {
  const servers = []
  for (const role of roles) servers.push(await installation.startServer({ ATRIUM_ROLE: role }))
  return servers
}
