/** The client against a server that is newer than it: fields, states, types of events and error codes that it does not know. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Atrium } from './client.ts'
import { ConflictError } from './transport/errors.ts'

const runId = 'run_01kajz4v7qf3x8m2c9t5b6n0rw'

const clientOf = (answer: (path: string, asked: number) => Response): Atrium => {
  let asked = 0
  return new Atrium({
    apiKey: 'sk_test_x',
    baseUrl: 'http://atrium.invalid',
    fetch: async address => answer(new URL(String(address)).pathname, asked++),
  })
}

/** What a server sends, which may be more than the types know. */
const eventText = (id: number, data: { type: string; [field: string]: unknown }): string =>
  `id: ${id}\nevent: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`

test('a stream hands on events of a type that is not known, and goes on to its end', async () => {
  const about = { runId, at: '2026-11-21T09:30:00.000Z' }
  const run = { id: runId, status: 'succeeded', output: 'Done.', moonPhase: 'waxing' }
  const text = [
    eventText(1, { type: 'run.started', ...about, moonPhase: 'waxing' }),
    eventText(2, { type: 'moon.rose', ...about, brightness: 0.7 }),
    eventText(3, { type: 'run.succeeded', ...about, run }),
  ].join('')
  const headers = { 'content-type': 'text/event-stream', location: `/api/v1/runs/${runId}` }
  const atrium = clientOf(() => new Response(text, { headers }))
  const events = await Array.fromAsync(atrium.agents.stream('agt_x', { prompt: 'Go on' }))
  assert.deepEqual(
    events.map(({ type, id }) => `${id} ${type}`),
    ['1 run.started', '2 moon.rose', '3 run.succeeded'],
  )
  assert.partialDeepStrictEqual(events, [{ moonPhase: 'waxing' }, { brightness: 0.7 }, { run }])
})

test('a record keeps a field that is not known, and a state that is not known is waited through', async () => {
  const states = ['dreaming', 'succeeded']
  const atrium = clientOf((_path, asked) =>
    Response.json({
      data: {
        id: runId,
        status: states[asked] ?? 'succeeded',
        finishedAt: asked === 0 ? null : '2026-11-21T09:30:00.000Z',
        moonPhase: 'waxing',
      },
      trace: 'a field beside the data',
    }),
  )
  const run = await atrium.runs.waitUntilEnded(runId)
  assert.partialDeepStrictEqual(run, { status: 'succeeded', moonPhase: 'waxing' })
})

test('an error with a code that is not known is the error of its status, with its details', async () => {
  const body = {
    statusCode: 409,
    message: 'The moon is not full',
    errors: [],
    code: 'moon_not_full',
    details: { moonPhase: 'waxing' },
    requestId: 'req_1',
    retryable: false,
  }
  const atrium = clientOf(() => Response.json(body, { status: 409 }))
  await assert.rejects(atrium.runs.get(runId), (error: unknown) => {
    assert.ok(error instanceof ConflictError)
    assert.equal(error.is('conversation_busy'), false)
    assert.deepEqual([error.code, error.details], ['moon_not_full', { moonPhase: 'waxing' }])
    return true
  })
})

test('a list keeps fields and kinds that are not known', async () => {
  const events = [{ id: 'evt_1', type: 'moon.rose', data: { brightness: 0.7 } }]
  const meta = { page: 1, pageSize: 100, total: 1, tides: 2 }
  const atrium = clientOf(() => Response.json({ data: events, meta }))
  const listed: object[] = await Array.fromAsync(atrium.events.list())
  assert.deepEqual(listed, events)
})
