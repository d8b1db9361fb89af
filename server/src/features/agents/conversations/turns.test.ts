/** Runs of one conversation take turns, whichever caller starts or cancels them, and even if a worker dies. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAgentIn } from '../../../testing/apps/agent-app.ts'
import { openStream } from '../../../testing/event-streams.ts'
import { eventually } from '../../../testing/eventually.ts'
import {
  type ModelBehaviour,
  type ModelServer,
  startModelServer,
} from '../../../testing/servers/model-server.ts'
import { startTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let modelServer: ModelServer
let agentId: string

before(async () => {
  modelServer = await startModelServer()
  app = await startTestApp({ settings: { OPENAI_BASE_URL: modelServer.baseUrl } })
  agentId = (await createAgentIn(app, { model: 'openai/test-model', tools: [] })).id
})
after(async () => {
  await app.close()
  await modelServer.close()
})

type Run = { id: string; conversationId: string; status: string; output: string | null; behind: number }

const start = (prompt: string, more: Record<string, unknown> = {}, prefer = 'wait=20') =>
  app.request('POST', `/agents/${agentId}/run`, { body: { prompt, ...more }, headers: { prefer } })

const get = async (id: string, prefer = 'wait=20'): Promise<Run> =>
  (await app.request('GET', `/runs/${id}`, { headers: { prefer } })).body.data

/** Prompts that begin with "never" are not answered; all others are, with their own words, a "held" one when it is let. */
const echo = (until: Promise<void> = Promise.resolve()) =>
  modelServer.setScript((request): ModelBehaviour => {
    const prompt = String(request.messages.at(-1)?.content)
    if (prompt.startsWith('never')) return { kind: 'never' }
    const answer = { kind: 'answer', text: `To ${prompt}.` } as const
    if (prompt.startsWith('held')) return { kind: 'held', until, behaviour: answer }
    return prompt.startsWith('slow') ? { kind: 'slow', delayMs: 300, behaviour: answer } : answer
  })

/** A run in progress in a new conversation. */
async function begin(prompt: string, until?: Promise<void>): Promise<Run> {
  echo(until)
  const { body } = await start(prompt, {}, 'respond-async')
  await eventually('it is in progress', async () => (await get(body.data.id, 'wait=0')).status !== 'queued')
  return body.data
}

const untilRuns = (conversationId: string, count: number) =>
  eventually(`the conversation has ${count} runs`, async () => {
    const { body } = await app.request('GET', `/conversations/${conversationId}`)
    return body.data.runCount === count
  })

const readBy = (prompt: string): string[] => {
  const asked = modelServer.requests.find(({ body }) => body.messages.at(-1)?.content === prompt)
  return asked?.body.messages.map(({ content }) => String(content)) ?? []
}

test('runs that are started while another is in progress take turns in their order, and each sees the answer before it', async () => {
  const answer = Promise.withResolvers<void>()
  const first = await begin('held first', answer.promise)
  const { conversationId } = first
  const second = start('second', { conversationId })
  await untilRuns(conversationId, 2)
  const third = await start('third', { conversationId }, 'respond-async')
  assert.deepEqual([third.status, third.body.data.status, third.body.data.behind], [202, 'queued', 2])
  const last = start('fourth', { conversationId })
  await untilRuns(conversationId, 4)
  const { body: listed } = await app.request('GET', `/runs?conversationId=${conversationId}`)
  assert.deepEqual(
    listed.data.map(({ behind }: { behind: number }) => behind),
    [3, 2, 1, 0],
  )
  answer.resolve()
  const fourth = await last
  assert.deepEqual([fourth.status, fourth.body.data.output], [200, 'To fourth.'])
  assert.equal((await second).body.data.output, 'To second.')
  assert.deepEqual(readBy('fourth'), [
    'held first',
    'To held first.',
    'second',
    'To second.',
    'third',
    'To third.',
    'fourth',
  ])
})

test('the stream of a run says at once how many runs are in front of it', async () => {
  const answer = Promise.withResolvers<void>()
  const { conversationId } = await begin('held in front', answer.promise)
  const next = await start('behind it', { conversationId }, 'respond-async')
  assert.equal(next.body.data.behind, 1)
  answer.resolve()
  const { id } = next.body.data
  assert.equal((await get(id)).behind, 0)
  const origin = await app.listen()
  const stream = await openStream(`${origin}/api/v1/runs/${id}/events`, app.liveKey)
  const [queued] = await stream.rest()
  assert.deepEqual([queued?.event, queued?.data.behind], ['run.queued', 1])
})

test('of many starts at the same moment one runs at a time, and all of them run', async () => {
  echo()
  const { body } = await start('first of many')
  const { conversationId } = body.data
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, number) => start(`slow ${number} of many`, { conversationId })),
  )
  assert.deepEqual(
    replies.map(reply => [reply.status, reply.body.data.error ?? reply.body.data.status]),
    replies.map(() => [200, 'succeeded']),
  )
  const spans = replies
    .map(({ body: { data } }) => [Date.parse(data.startedAt), Date.parse(data.finishedAt)] as const)
    .toSorted(([one], [other]) => one - other)
  for (const [place, [startedAt]] of spans.entries()) {
    assert.ok(startedAt >= (spans[place - 1]?.[1] ?? 0), `${place} began before the one before it had ended`)
  }
})

test('reject answers 409 with the run that is in progress, and starts nothing', async () => {
  const first = await begin('never reject')
  const refused = await start('no', { conversationId: first.conversationId, whenBusy: 'reject' })
  assert.deepEqual([refused.status, refused.body.code], [409, 'conversation_busy'])
  assert.deepEqual(refused.body.details, { runId: first.id })
  const { body } = await app.request('GET', `/conversations/${first.conversationId}`)
  assert.equal(body.data.runCount, 1)
  await app.request('POST', `/runs/${first.id}/cancel`)
  const taken = await start('yes', { conversationId: first.conversationId, whenBusy: 'reject' })
  assert.equal(taken.body.data.output, 'To yes.')
})

test('interrupt cancels what is in progress and what waits, and begins when that has ended', async () => {
  const first = await begin('never interrupt')
  const { conversationId } = first
  const waiting = (await start('waiting', { conversationId }, 'respond-async')).body.data
  const { body } = await start('now', { conversationId, whenBusy: 'interrupt' })
  assert.deepEqual([body.data.status, body.data.output], ['succeeded', 'To now.'])
  assert.equal((await get(first.id)).status, 'cancelled')
  assert.equal((await get(waiting.id)).status, 'cancelled')
  assert.deepEqual(readBy('now'), ['now'])
  assert.equal(readBy('waiting').length, 0)
})

test('of two that interrupt at once one begins, and the other after it or not at all', async () => {
  const first = await begin('never twice')
  const { conversationId } = first
  const replies = await Promise.all(
    ['slow left', 'slow right'].map(prompt => start(prompt, { conversationId, whenBusy: 'interrupt' })),
  )
  const states = replies.map(reply => reply.body.data.status).toSorted()
  assert.ok(['cancelled,succeeded', 'succeeded,succeeded'].includes(states.join()), states.join())
  assert.equal((await get(first.id)).status, 'cancelled')
})

test('a run that waits is cancelled without holding up the ones behind it', async () => {
  const first = await begin('never hold')
  const { conversationId } = first
  const second = (await start('second to hold', { conversationId }, 'respond-async')).body.data
  const third = (await start('third to hold', { conversationId }, 'respond-async')).body.data
  const cancelled = await app.request('POST', `/runs/${second.id}/cancel`)
  assert.deepEqual([cancelled.status, cancelled.body.data.status], [200, 'cancelled'])
  assert.equal((await get(third.id, 'wait=0')).status, 'queued')
  await app.request('POST', `/runs/${first.id}/cancel`)
  assert.equal((await get(third.id)).output, 'To third to hold.')
})

test('a conversation with a run in progress is not deleted', async () => {
  const first = await begin('never delete')
  const path = `/conversations/${first.conversationId}`
  for (const query of [{}, { dryRun: 'true' }]) {
    const refused = await app.request('DELETE', path, { query })
    assert.deepEqual([refused.status, refused.body.code], [409, 'conversation_busy'])
  }
  const early = await app.request('POST', `${path}/branch`, { body: { runId: first.id } })
  assert.deepEqual([early.status, early.body.code], [409, 'run_in_progress'])
  await app.request('POST', `/runs/${first.id}/cancel`)
  assert.equal((await app.request('DELETE', path)).status, 204)
})
