/** A stream that breaks off because its server is killed, and goes on with the next one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStream, type ReceivedEvent, textOfStep } from '../../../testing/event-streams.ts'
import { expireLeases } from '../../../testing/leases.ts'
import { createInstallation, openInstallationDatabase } from '../../../testing/operator.ts'
import { startModelServer } from '../../../testing/servers/model-server.ts'
import { createServerClient } from '../../../testing/servers/server-client.ts'

const words = Array.from({ length: 60 }, (_, index) => `word${index}`)
/** Half of the answer; it is written for longer than the server waits until it keeps what there is. */
const half = 30

test('a stream whose server is killed in the middle of an answer goes on behind its last event, and comes to the output', async t => {
  const modelServer = await startModelServer(() => ({ kind: 'paced', text: words.join(' '), delayMs: 40 }))
  t.after(() => modelServer.close())
  const installation = await createInstallation(t, {
    environment: { OPENAI_API_KEY: 'unused-key', OPENAI_BASE_URL: modelServer.baseUrl },
  })
  const first = await installation.startServer()
  const { key, agentId, request } = await createServerClient(installation, first)

  const address = `${first.origin}/api/v1`
  const cut = await openStream(`${address}/agents/${agentId}/run`, { key }, { body: { prompt: 'Tell me!' } })
  const heard: ReceivedEvent[] = []
  while (textOfStep(heard, 0).split(' ').length < half) heard.push(...(await cut.take(1)))
  await first.kill()
  await assert.rejects(cut.rest(), 'the stream breaks off')

  // Time does this where servers share a database. Later, it could take the lease of the second server.
  const database = await openInstallationDatabase(installation)
  t.after(() => database.close())
  await expireLeases(database)
  const second = await installation.startServer({ ATRIUM_PORT: new URL(first.origin).port })
  const runId = heard[0]?.data.runId ?? ''
  const lastEventId = heard.at(-1)?.id ?? ''
  const resumed = await openStream(`${address}/runs/${runId}/events`, { key }, { lastEventId })
  assert.equal(resumed.response.status, 200)
  const rest = await resumed.rest()

  const restarts = rest.filter(({ event }) => event === 'step.restarted')
  assert.deepEqual(
    restarts.map(({ data }) => data.stepIndex),
    [0],
    'what was heard of the answer that was cut short is void',
  )
  assert.equal(rest.at(-1)?.event, 'run.succeeded')
  const all = [...heard, ...rest]
  assert.equal(new Set(all.map(({ id }) => id)).size, all.length, 'no event comes twice')
  const run = await request(second, 'GET', `/runs/${runId}`)
  assert.equal(run.output, words.join(' '))
  assert.equal(textOfStep(all, 0), run.output)
  assert.deepEqual(rest.at(-1)?.data.run, run)
  assert.equal(modelServer.requests.length, 2)

  const fromTheBeginning = await (await openStream(`${address}/runs/${runId}/events`, { key })).rest()
  assert.equal(fromTheBeginning[0]?.event, 'run.started')
  assert.equal(textOfStep(fromTheBeginning, 0), run.output, 'a later follower receives the same events')
})
