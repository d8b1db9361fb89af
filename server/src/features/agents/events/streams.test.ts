/** A run followed as a stream: from its start, from the middle, again, and by those who may not. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AgentSetting, createAgentIn, startAgentApp } from '../../../testing/apps/agent-app.ts'
import { openStream, textOfStep } from '../../../testing/event-streams.ts'
import type { TestKey } from '../../../testing/test-app.ts'

let setting: AgentSetting
let origin: string

before(async () => {
  setting = await startAgentApp()
  origin = `${await setting.app.listen()}/api/v1`
})

after(() => setting.close())

const words = (count: number): string =>
  Array.from({ length: count }, (_, place) => `word${place}🦆`).join(' ')

const createAgent = (body: Record<string, unknown> = {}, key?: TestKey) =>
  createAgentIn(setting.app, { model: 'openai/test-model', tools: [], ...body }, key)

const stream = (
  agentId: string,
  prompt: string,
  { key = setting.app.liveKey, headers = {} }: { key?: TestKey; headers?: Record<string, string> } = {},
) => openStream(`${origin}/agents/${agentId}/run`, key, { body: { prompt }, headers })

const follow = (runId: string, lastEventId?: string, key = setting.app.liveKey) =>
  openStream(`${origin}/runs/${runId}/events`, key, lastEventId === undefined ? {} : { lastEventId })

const get = async (runId: string) => (await setting.app.request('GET', `/runs/${runId}`)).body.data

test('a streamed run says what happens in order, its deltas are its answer, and its end is its record', async () => {
  setting.modelServer.setScript((_, index) =>
    index % 2 === 0
      ? { kind: 'tool_calls', calls: [{ name: 'search_knowledge', arguments: { query: 'ducks' } }] }
      : { kind: 'answer', text: '"Ducks may enter 🦆 freely." [1]' },
  )
  setting.modelServer.requests.length = 0
  const agent = await createAgent({ tools: ['search_knowledge'], collectionIds: [setting.collectionId] })
  const { response, rest } = await stream(agent.id, 'May ducks enter?')
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  assert.match(response.headers.get('x-ratelimit-limit') ?? '', /^\d+$/)
  const events = await rest()
  const story = events
    .filter(({ event }) => event !== 'text.delta')
    .map(({ event, data }) => [event, data.stepIndex])
  assert.deepEqual(story, [
    ['run.started', undefined],
    ['step.started', 0],
    ['step.finished', 0],
    ['step.started', 1],
    ['step.finished', 1],
    ['step.started', 2],
    ['step.finished', 2],
    ['run.succeeded', undefined],
  ])
  const runId = events[0]?.data.runId ?? ''
  assert.equal(response.headers.get('location'), `/api/v1/runs/${runId}`)
  const run = await get(runId)
  assert.deepEqual(events.at(-1)?.data.run, run)
  assert.equal(textOfStep(events, 2), run.output)
  assert.equal(run.citations[0].quote, 'Ducks may enter 🦆 freely.')
  assert.deepEqual(
    events.flatMap(({ data }) => (data.step === undefined ? [] : [data.step])),
    run.steps,
  )
  assert.equal(new Set(events.map(({ id }) => id)).size, events.length)

  // A later follower receives the same events.
  const told = await (await follow(runId)).rest()
  assert.deepEqual(
    told.filter(({ event }) => event !== 'text.delta').map(({ data }) => data),
    events.filter(({ event }) => event !== 'text.delta').map(({ data }) => data),
  )
  assert.equal(textOfStep(told, 2), run.output)
})

test('each delta is a piece of the answer that comes while the model still writes', async () => {
  setting.modelServer.setScript(() => ({ kind: 'paced', text: words(12), delayMs: 40 }))
  const agent = await createAgent()
  const { take, rest } = await stream(agent.id, 'Count')
  const first = await take(5)
  const run = await get(first[0]?.data.runId ?? '')
  assert.equal(run.status, 'running')
  assert.ok(first.some(({ event }) => event === 'text.delta'))
  const events = [...first, ...(await rest())]
  assert.ok(events.filter(({ event }) => event === 'text.delta').length >= 10)
  assert.equal(textOfStep(events, 0), words(12))
})

test('a broken stream goes on right behind the last event, wherever in the answer that was', async () => {
  setting.modelServer.setScript(() => ({ kind: 'paced', text: words(40), delayMs: 25 }))
  const agent = await createAgent()
  const begun = await stream(agent.id, 'Count')
  const events = await begun.take(6)
  begun.abort()
  const runId = events[0]?.data.runId ?? ''
  // Again and again, before and after what was written has been stored.
  for (const pauseMs of [0, 150, 450]) {
    await sleep(pauseMs)
    const again = await follow(runId, events.at(-1)?.id)
    events.push(...(await again.take(4)))
    again.abort()
  }
  events.push(...(await (await follow(runId, events.at(-1)?.id)).rest()))
  assert.equal(textOfStep(events, 0), words(40))
  assert.equal(events.at(-1)?.event, 'run.succeeded')
  assert.equal(new Set(events.map(({ id }) => id)).size, events.length, 'nothing was told twice')
  assert.equal(setting.modelServer.requests.at(-1)?.closedByClientAtMs, null, 'the run was not stopped')

  // An id in the middle of a piece that was stored as one.
  const inside = events.findLast(({ event }) => event === 'text.delta')
  const [position = '', offset = ''] = (inside?.id ?? '').split('-')
  const rest = await (await follow(runId, `${position}-${Number(offset) - 3}`)).rest()
  assert.equal(rest[0]?.data.text, inside?.data.text?.slice(-3))

  const over = await follow(runId, events.at(-1)?.id)
  assert.equal(over.response.status, 204, 'there is nothing behind the end')
})

test('an answer that breaks off and is asked for again makes the step void, and the deltas still are the answer', async () => {
  setting.modelServer.requests.length = 0
  setting.modelServer.setScript((_, index) =>
    index === 0 ? { kind: 'half', text: 'Half an answer' } : { kind: 'answer', text: 'The whole answer.' },
  )
  const agent = await createAgent()
  const events = await (await stream(agent.id, 'Say it')).rest()
  assert.ok(events.some(({ event }) => event === 'step.restarted'))
  assert.equal(textOfStep(events, 0), 'The whole answer.')
  assert.equal(events.at(-1)?.data.run?.output, 'The whole answer.')
})

test('an Idempotency-Key that comes again follows the same run', async () => {
  setting.modelServer.requests.length = 0
  setting.modelServer.setScript(() => ({ kind: 'paced', text: words(20), delayMs: 20 }))
  const agent = await createAgent()
  const headers = { 'idempotency-key': 'stream-once' }
  const first = await stream(agent.id, 'Once', { headers })
  const seen = await first.take(4)
  first.abort()
  const again = await stream(agent.id, 'Once', { headers })
  assert.equal(again.response.headers.get('idempotency-replayed'), 'true')
  const events = await again.rest()
  assert.equal(events[0]?.data.runId, seen[0]?.data.runId)
  assert.equal(textOfStep(events, 0), words(20))
  assert.equal(setting.modelServer.requests.length, 1)
  const other = await setting.app.request('POST', `/agents/${agent.id}/run`, {
    body: { prompt: 'Once' },
    headers,
  })
  assert.equal(other.status, 422, 'asking for another kind of reply is another request')
})

test('a background run is followed from its queue to its end', async () => {
  setting.modelServer.setScript(() => ({ kind: 'paced', text: words(8), delayMs: 30 }))
  const agent = await createAgent()
  const { body } = await setting.app.request('POST', `/agents/${agent.id}/run`, {
    body: { prompt: 'Later' },
    headers: { prefer: 'respond-async' },
  })
  const events = await (await follow(body.data.id)).rest()
  assert.deepEqual([events[0]?.event, events[1]?.event], ['run.queued', 'run.started'])
  assert.equal(textOfStep(events, 0), words(8))
  assert.equal(events.at(-1)?.event, 'run.succeeded')
})

test('a failed and a cancelled run end their streams with their records', async () => {
  setting.modelServer.setScript(() => ({ kind: 'status', status: 401 }))
  const agent = await createAgent()
  const failed = await (await stream(agent.id, 'Fail')).rest()
  assert.equal(failed.at(-1)?.event, 'run.failed')
  assert.equal(failed.at(-1)?.data.run?.error?.code, 'model_unauthorized')

  setting.modelServer.setScript(() => ({ kind: 'stalls', text: 'Just a moment' }))
  const stalled = await stream(agent.id, 'Stall')
  const begun = await stalled.take(3)
  const runId = begun[0]?.data.runId ?? ''
  const cancelled = await setting.app.request('POST', `/runs/${runId}/cancel`)
  assert.equal(cancelled.body.data.status, 'cancelled')
  const ends = await stalled.rest()
  assert.equal(ends.at(-1)?.event, 'run.cancelled')
  const [step] = cancelled.body.data.steps
  assert.match(step.output.text, /^Just/)
  assert.equal(cancelled.body.data.usage.isEstimate, true)
  assert.ok(cancelled.body.data.usage.outputTokens > 0, 'what was heard of the answer counts')
})

test('a key that loses its permission loses its stream', async () => {
  setting.modelServer.setScript(() => ({ kind: 'paced', text: words(400), delayMs: 50 }))
  const agent = await createAgent()
  const key = await setting.app.createKey({ role: 'owner' })
  // By another key, so that it goes on.
  const run = await stream(agent.id, 'Go on')
  const [begun] = await run.take(1)
  run.abort()
  const { take, rest } = await follow(begun?.data.runId ?? '', undefined, key)
  const [first] = await take(3)
  const revoked = await setting.app.request('POST', `/api-keys/${key.id}/revoke`)
  assert.equal(revoked.status, 200, JSON.stringify(revoked.body))
  const events = await rest()
  assert.ok(!events.some(({ event }) => event.startsWith('run.')), 'the stream ended before the run')
  await setting.app.request('POST', `/runs/${first?.data.runId}/cancel`)
})

test('a stream of a run that the caller cannot read is refused like any other request', async () => {
  setting.modelServer.setScript(() => ({ kind: 'answer', text: 'Hello.' }))
  const agent = await createAgent()
  const { rest } = await stream(agent.id, 'Hello')
  const runId = (await rest())[0]?.data.runId ?? ''
  const { app } = setting
  const path = `/runs/${runId}/events`
  const events = { accept: 'text/event-stream' }
  assert.equal((await app.request('GET', path, { key: app.testKey, headers: events })).status, 404)
  const stranger = await app.createKey(await app.createWorkspace())
  assert.equal((await app.request('GET', path, { key: stranger, headers: events })).status, 404)
  const nonsense = await app.request('GET', path, { headers: { ...events, 'last-event-id': 'seven' } })
  assert.equal(nonsense.status, 400)
  assert.equal(nonsense.body.errors[0].field, 'Last-Event-ID')
  assert.equal((await app.request('GET', path, { headers: { accept: 'image/png' } })).status, 406)
  const invalid = await app.request('POST', `/agents/${agent.id}/run`, { body: {}, headers: events })
  assert.equal(invalid.status, 400, 'a fault of the request is told before the stream begins')
})

test('a reader that repeats its broken POST goes on behind its last event, and never begins another run', async () => {
  setting.modelServer.setScript(() => ({ kind: 'answer', text: 'Hello.' }))
  const { id } = await createAgent()
  const ask = (headers: Record<string, string>) => stream(id, 'Hello', { headers })
  await (await ask({})).rest()
  const refused = await ask({ 'last-event-id': '2' })
  assert.equal(refused.response.status, 400)
  const { errors } = (await refused.response.json()) as { errors: { field: string }[] }
  assert.equal(errors[0]?.field, 'Last-Event-ID')
  const key = { 'idempotency-key': 'one' }
  const events = await (await ask(key)).rest()
  const [first] = events
  const again = await ask({ ...key, 'last-event-id': first?.id ?? '' })
  assert.deepEqual(await again.rest(), events.slice(1))
  const runs = await setting.app.request('GET', `/agents/${id}/runs`)
  assert.equal(runs.body.meta.total, 2)
})
