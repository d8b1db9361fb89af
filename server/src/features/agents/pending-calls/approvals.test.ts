/** Calls that wait for an approval: the run rests, and goes on as it was decided, once. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hourMs } from '../../../platform/clock.ts'
import { calls, says, startToolApp, type ToolApp, toldBy } from '../../../testing/apps/tool-app.ts'
import { openStream } from '../../../testing/event-streams.ts'
import { eventually } from '../../../testing/eventually.ts'
import { updateRun } from '../records/run-store.ts'

let tools: ToolApp
let agentId: string
let origin: string
let skippedMs = 0

before(async () => {
  tools = await startToolApp({}, () => Date.now() + skippedMs)
  origin = await tools.app.listen()
  agentId = await tools.createAgent({
    tools: ['calculator', 'http_request'],
    approvalTools: ['http_request'],
    httpHosts: [tools.host],
  })
})

after(() => tools.close())

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there, and fails where it is not.
type Json = any

const post = (path: string): [string, unknown] => [
  'http_request',
  { method: 'POST', url: `http://${tools.host}/${path}` },
]

const start = (id = agentId, headers: Record<string, string> = {}) =>
  tools.app.request('POST', `/agents/${id}/run`, { body: { prompt: 'Go!' }, headers })

const decide = (runId: string, decisions: Json[], headers: Record<string, string> = {}) =>
  tools.app.request('POST', `/runs/${runId}/approvals`, { body: { decisions }, headers })

const wait = { prefer: 'wait=20' }

async function startWaiting(...wanted: [string, unknown][]): Promise<Json> {
  tools.requests.length = 0
  tools.script(calls(...wanted), says('Done.'))
  const { status, body } = await start()
  assert.equal(status, 202)
  assert.equal(body.data.status, 'waiting')
  return body.data
}

test('a run with `callbackUrl` calls back when it begins to wait, and when it ends', async () => {
  await tools.app.request('POST', '/callbacks/secret/rotate', { body: {} })
  const callbackUrl = `http://${tools.host}/callback`
  tools.requests.length = 0
  tools.script(calls(post('orders')), says('Done.'))
  const body = { prompt: 'Go!', callbackUrl, metadata: { ticket: '4711' } }
  const run = (await tools.app.request('POST', `/agents/${agentId}/run`, { body })).body.data
  await tools.approveAll(run)
  const told = () =>
    tools.requests.filter(({ url }) => url === '/callback').map(({ body }) => JSON.parse(body))
  await eventually('both have come', () => told().length === 2)
  const byType = Object.fromEntries(told().map(({ type, data }) => [type, data]))
  assert.deepEqual([byType['run.waiting'].output, byType['run.waiting'].metadata], [null, { ticket: '4711' }])
  assert.equal(byType['run.succeeded'].output, 'Done.')
})

test('a call that needs an approval rests the run at once, holds no worker, and is made after it', async () => {
  const { app } = tools
  const slow = await app.request('POST', '/agents', { key: app.testKey, body: { name: 'Slow', tools: [] } })
  // Another client asks for half of the minute that is usual, and is kept waiting for all of it.
  const other = app.request('POST', `/agents/${slow.body.data.id}/run`, {
    key: app.testKey,
    body: { prompt: 'sim:slow=600s' },
    headers: { prefer: 'wait=30' },
  })
  const slowRuns = async () =>
    (await app.request('GET', `/agents/${slow.body.data.id}/runs`, { key: app.testKey })).body.data
  await eventually('the slow run has begun', async () => (await slowRuns()).length === 1)
  const waiting = startWaiting(['calculator', { expression: '1+1' }], post('orders'))
  const first = await Promise.race([waiting.then(() => 'rests'), other.then(() => 'is kept waiting')])
  assert.equal(first, 'rests')
  const run = await waiting
  const [{ id: slowRunId }] = await slowRuns()
  await app.request('POST', `/runs/${slowRunId}/cancel`, { key: app.testKey })
  await other
  assert.deepEqual(
    run.pendingApprovals.map((pending: Json) => [pending.runId, pending.name, pending.input]),
    [[run.id, ...post('orders')]],
  )
  const [{ toolCallId, requestedAt, expiresAt }] = run.pendingApprovals
  assert.equal(Date.parse(expiresAt) - Date.parse(requestedAt), 7 * 86_400_000)
  assert.deepEqual(
    run.steps.map(({ name }: Json) => name),
    ['openai/test-model', 'calculator'],
  )
  assert.deepEqual([tools.requests.length, tools.app.app.services.worker.running()], [0, 0])

  const decided = await decide(run.id, [{ toolCallId, decision: 'approve', reason: 'Fine.' }], wait)
  assert.equal(decided.status, 200)
  const { data } = decided.body
  assert.equal(data.status, 'succeeded')
  assert.deepEqual(data.pendingApprovals, [])
  assert.equal(tools.requests.length, 1)
  const step = data.steps.find(({ name }: Json) => name === 'http_request')
  assert.equal(step.output.content.status, 200)
  assert.deepEqual(
    [step.approval.decision, step.approval.reason, step.approval.decidedBy],
    ['approve', 'Fine.', { userId: tools.app.ownerId, keyId: tools.app.liveKey.id }],
  )
})

test('a call that is rejected is not made, and the model is told why', async () => {
  const run = await startWaiting(post('a'), post('b'))
  const [first, second] = run.pendingApprovals.map((pending: Json) => pending.toolCallId)
  const partial = await decide(run.id, [{ toolCallId: first, decision: 'reject', reason: 'Too dear.' }])
  assert.equal(partial.status, 202)
  assert.equal(partial.body.data.status, 'waiting')
  assert.deepEqual(
    partial.body.data.pendingApprovals.map((pending: Json) => pending.toolCallId),
    [second],
  )
  assert.notEqual(partial.headers.etag, run.etag)
  const { body } = await decide(run.id, [{ toolCallId: second, decision: 'approve' }], wait)
  assert.equal(body.data.status, 'succeeded')
  assert.deepEqual(
    tools.requests.map(({ url }) => url),
    ['/b'],
  )
  const told = toldBy(tools.modelServer.requests[1]?.body as Json)
  assert.match(told.get(first) ?? '', /rejected this call.*Too dear\./)
  assert.match(told.get(second) ?? '', /"status":200/)
  const rejected = body.data.steps.find((step: Json) => step.toolCallId === first)
  assert.equal(rejected.approval.decision, 'reject')
  assert.equal(rejected.output.error.message, told.get(first))
})

test('what is unknown, decided, doubled or over is refused by name, and nothing is decided by it', async () => {
  const run = await startWaiting(post('a'), post('b'))
  const [first, second] = run.pendingApprovals.map((pending: Json) => pending.toolCallId)
  const unknown = await decide(run.id, [
    { toolCallId: first, decision: 'approve' },
    { toolCallId: 'call_99', decision: 'approve' },
    { toolCallId: first, decision: 'reject' },
  ])
  assert.equal(unknown.status, 400)
  assert.deepEqual(
    unknown.body.errors.map(({ field }: Json) => field),
    ['decisions.1.toolCallId', 'decisions.2.toolCallId'],
  )
  for (const decisions of [[], [{ toolCallId: first, decision: 'perhaps' }], [{ decision: 'approve' }]]) {
    assert.equal((await decide(run.id, decisions)).status, 400)
  }
  assert.equal((await decide(run.id, [{ toolCallId: first, decision: 'approve' }])).status, 202)
  const again = await decide(run.id, [{ toolCallId: first, decision: 'approve' }])
  assert.equal(again.status, 400)
  assert.match(again.body.errors[0].message, /decided already: approved/)
  await decide(run.id, [{ toolCallId: second, decision: 'approve' }], wait)
  const late = await decide(run.id, [{ toolCallId: second, decision: 'approve' }])
  assert.deepEqual([late.status, late.body.code], [409, 'run_ended'])
  const missingRun = await decide(`run_${'0'.repeat(26)}`, [{ toolCallId: first, decision: 'approve' }])
  assert.equal(missingRun.status, 404)
  const reader = await tools.app.createKey({ permissions: ['agents:read'] })
  const refused = await tools.app.request('POST', `/runs/${run.id}/approvals`, {
    key: reader,
    body: { decisions: [{ toolCallId: first, decision: 'approve' }] },
  })
  assert.deepEqual([refused.status, refused.body.code], [403, 'permission_missing'])
  assert.equal(tools.requests.length, 2)
})

test('of two approvals at the same moment one counts, and the call is made once', async () => {
  const run = await startWaiting(post('a'))
  const [{ toolCallId }] = run.pendingApprovals
  const replies = await Promise.all(
    ['approve', 'approve', 'reject'].map(decision => decide(run.id, [{ toolCallId, decision }], wait)),
  )
  assert.equal(replies.filter(({ status }) => status < 300).length, 1)
  assert.ok(replies.every(({ status }) => [200, 202, 400, 409].includes(status)))
  const { body } = await tools.app.request('GET', `/runs/${run.id}`, { headers: wait })
  assert.equal(body.data.status, 'succeeded')
  const approved = body.data.steps[1].approval.decision === 'approve'
  assert.equal(tools.requests.length, approved ? 1 : 0)
})

test('two decisions about two calls at the same moment let the run go on', async () => {
  const run = await startWaiting(post('a'), post('b'))
  await Promise.all(
    run.pendingApprovals.map(({ toolCallId }: Json) => decide(run.id, [{ toolCallId, decision: 'approve' }])),
  )
  const { body } = await tools.app.request('GET', `/runs/${run.id}`, { headers: wait })
  assert.equal(body.data.status, 'succeeded')
  assert.equal(tools.requests.length, 2)
})

test('each of two decisions at the same moment changes the ETag of a run that goes on waiting', async () => {
  const run = await startWaiting(post('one'), post('two'), post('three'))
  const [one, two, three] = run.pendingApprovals.map(({ toolCallId }: Json) => ({
    toolCallId,
    decision: 'reject',
  }))
  const { database } = tools.app.dependencies
  const countOf = async () =>
    (
      await database.read
        .selectFrom('runs')
        .select('change_count')
        .where('id', '=', run.id)
        .executeTakeFirstOrThrow()
    ).change_count
  const before = await countOf()
  const replies = await Promise.all([one, two].map(each => decide(run.id, [each])))
  assert.deepEqual(
    replies.map(({ body }) => body.data.status),
    ['waiting', 'waiting'],
  )
  assert.equal(await countOf(), before + 2)
  assert.equal((await decide(run.id, [three], wait)).body.data.status, 'succeeded')
})

test('a run that waits can be cancelled, and can then not be approved', async () => {
  const run = await startWaiting(post('a'))
  const cancelled = await tools.app.request('POST', `/runs/${run.id}/cancel`)
  assert.deepEqual([cancelled.status, cancelled.body.data.status], [200, 'cancelled'])
  const late = await decide(run.id, [{ toolCallId: run.pendingApprovals[0].toolCallId, decision: 'approve' }])
  assert.deepEqual([late.status, late.body.code], [409, 'run_ended'])
  assert.equal(tools.requests.length, 0)
})

test('an idempotency key makes a decision that is sent twice one decision', async () => {
  const run = await startWaiting(post('a'))
  const decisions = [{ toolCallId: run.pendingApprovals[0].toolCallId, decision: 'approve' }]
  const key = { 'idempotency-key': `approve-${run.id}` }
  const first = await decide(run.id, decisions, { ...key, ...wait })
  const second = await decide(run.id, decisions, { ...key, ...wait })
  assert.deepEqual([first.status, second.status], [200, 200])
  assert.equal(second.headers['idempotency-replayed'], 'true')
})

test('runs that wait are listed as such and do not count against the plan', async () => {
  const run = await startWaiting(post('a'))
  const listed = await tools.app.request('GET', `/agents/${agentId}/runs`, { query: { status: 'waiting' } })
  const mine = listed.body.data.find(({ id }: Json) => id === run.id)
  assert.equal(mine.pendingApprovals.length, 1)
  const usage = await tools.app.request('GET', '/usage')
  assert.equal(usage.body.data.runsAtOnce.used, 0)
  await tools.app.request('POST', `/runs/${run.id}/cancel`)
})

test('the time that a run waits does not count for its deadline', async () => {
  tools.requests.length = 0
  tools.script(calls(post('a')), says('Done.'))
  const { body } = await tools.app.request('POST', `/agents/${agentId}/run`, {
    body: { prompt: 'Go!', limits: { timeoutSeconds: 2 } },
  })
  skippedMs += hourMs
  const decided = await decide(
    body.data.id,
    [{ toolCallId: body.data.pendingApprovals[0].toolCallId, decision: 'approve' }],
    wait,
  )
  assert.equal(decided.body.data.status, 'succeeded')
})

test('a run without a decision in time fails with approval_expired', async t => {
  let now = Date.now()
  const late = await startToolApp({ ATRIUM_APPROVAL_DAYS: '1' }, () => now)
  t.after(() => late.close())
  const id = await late.createAgent({
    tools: ['http_request'],
    approvalTools: ['http_request'],
    httpHosts: [late.host],
  })
  late.script(calls(['http_request', { method: 'GET', url: `http://${late.host}/` }]), says('Done.'))
  const { body } = await late.app.request('POST', `/agents/${id}/run`, { body: { prompt: 'Go!' } })
  const { pendingCalls } = late.app.app.services
  assert.equal(await pendingCalls.expire(), 0)
  now += 86_400_000
  const [{ toolCallId }] = body.data.pendingApprovals
  const refused = await late.app.request('POST', `/runs/${body.data.id}/approvals`, {
    body: { decisions: [{ toolCallId, decision: 'approve' }] },
  })
  assert.deepEqual([refused.status, refused.body.code], [409, 'run_ended'])
  assert.equal(await pendingCalls.expire(), 1)
  const { data } = (await late.app.request('GET', `/runs/${body.data.id}`)).body
  assert.deepEqual([data.status, data.error.code], ['failed', 'approval_expired'])
  assert.equal(await pendingCalls.expire(), 0)
})

test('a run fails once an approval is late, although the part that asked for it has ended', async t => {
  let now = Date.now()
  const late = await startToolApp({ ATRIUM_APPROVAL_DAYS: '1' }, () => now)
  t.after(() => late.close())
  const helper = await late.createAgent({
    tools: ['http_request'],
    approvalTools: ['http_request'],
    httpHosts: [late.host],
  })
  const boss = await late.createAgent({ tools: ['call_agent'], agentIds: [helper] })
  late.script(
    calls(['call_agent', { agentId: helper, prompt: 'Send it!' }]),
    calls(['http_request', { method: 'POST', url: `http://${late.host}/` }]),
  )
  const run = (await late.app.request('POST', `/agents/${boss}/run`, { body: { prompt: 'Go!' } })).body.data
  const [{ runId }] = run.pendingApprovals
  // Earlier versions let a run of the part's conversation end the part alone.
  await late.app.dependencies.database.write(tx =>
    updateRun(tx, runId, { status: 'cancelled', finished_at: now }),
  )
  now += 86_400_000
  assert.equal(await late.app.app.services.pendingCalls.expire(), 1)
  const { data } = (await late.app.request('GET', `/runs/${run.id}`)).body
  assert.deepEqual([data.status, data.error.code], ['failed', 'approval_expired'])
})

test('a stream ends where the run begins to wait, and goes on behind that', async () => {
  tools.requests.length = 0
  tools.script(calls(post('a')), says('Done.'))
  const events = async (
    path: string,
    init: RequestInit,
  ): Promise<{ id: string; type: string; data: Json }[]> => {
    const reply = await fetch(`${origin}/api/v1${path}`, {
      ...init,
      headers: {
        authorization: `Bearer ${tools.app.liveKey.key}`,
        accept: 'text/event-stream',
        'content-type': 'application/json',
        ...init.headers,
      },
    })
    const frames = (await reply.text()).split('\n\n').filter(frame => frame.includes('event:'))
    return frames.map(frame => ({
      id: /^id: ?(.*)$/m.exec(frame)?.[1] ?? '',
      type: /^event: ?(.*)$/m.exec(frame)?.[1] ?? '',
      data: JSON.parse(/^data: ?(.*)$/m.exec(frame)?.[1] ?? 'null'),
    }))
  }
  const first = await events(`/agents/${agentId}/run`, { method: 'POST', body: '{"prompt":"Go!"}' })
  const waiting = first.at(-1)
  assert.equal(waiting?.type, 'run.waiting')
  const { run } = waiting?.data ?? {}
  assert.equal(run.pendingApprovals.length, 1)
  const { toolCallId } = run.pendingApprovals[0]
  const following = events(`/runs/${run.id}/events`, { headers: { 'last-event-id': waiting?.id ?? '' } })
  await decide(run.id, [{ toolCallId, decision: 'approve' }])
  const second = await following
  assert.deepEqual(second.map(({ type }) => type).slice(0, 2), ['run.queued', 'run.started'])
  assert.equal(second.at(-1)?.type, 'run.succeeded')
  const whole = await events(`/runs/${run.id}/events`, {})
  assert.deepEqual(
    whole.map(({ id }) => id),
    [...first, ...second].map(({ id }) => id),
  )
})

test('a stream from the beginning goes on to the last wait of a run that waits again', async () => {
  const address = `${origin}/api/v1`
  const { key } = tools.app.liveKey
  tools.script(calls(post('a')), calls(post('b')), says('Done.'))
  const begin = { body: { prompt: 'Go!' }, headers: { 'idempotency-key': 'waits-twice' } }
  const first = await (await openStream(`${address}/agents/${agentId}/run`, { key }, begin)).rest()
  const { id: lastEventId = '', data } = first.at(-1) ?? {}
  const run: Json = data?.run
  const [{ toolCallId }] = run.pendingApprovals
  assert.equal(
    (await decide(run.id, [{ toolCallId, decision: 'approve' }], wait)).body.data.status,
    'waiting',
  )
  const follow = `${address}/runs/${run.id}/events`
  const second = await (await openStream(follow, { key }, { lastEventId })).rest()
  assert.equal(second.at(-1)?.event, 'run.waiting')
  const told = [...first, ...second].map(({ id, event }) => [id, event])
  for (const whole of [
    await openStream(follow, { key }),
    await openStream(`${address}/agents/${agentId}/run`, { key }, begin),
  ]) {
    assert.deepEqual(
      (await whole.rest()).map(({ id, event }) => [id, event]),
      told,
    )
  }
  await tools.app.request('POST', `/runs/${run.id}/cancel`)
})
