/** Agents that run by the clock: when, for whom, and what stops them. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { hourMs, minuteMs } from '../../../platform/clock.ts'
import { addToTeam, createTeam, join } from '../../../testing/apps/team-access.ts'
import { calls, says, startToolApp, type ToolApp } from '../../../testing/apps/tool-app.ts'
import type { RequestOptions, TestKey, TestReply } from '../../../testing/test-app.ts'

let tools: ToolApp
/** Half past ten in the morning, some seconds late. */
let now = Date.parse('2027-03-26T10:30:20.000Z')

before(async () => {
  tools = await startToolApp({}, () => now)
})
after(() => tools.close())
/** The agents of one test, which must not run in the next one. */
const agentIds = new Set<string>()
beforeEach(async () => {
  for (const id of agentIds) await request('DELETE', `/agents/${id}`)
  agentIds.clear()
  tools.script(says('Done.'))
})

const request = (method: string, path: string, options: RequestOptions = {}): Promise<TestReply> =>
  tools.app.request(method, path, options)

const plain = { name: 'Report', cron: '0 * * * *', prompt: 'Report!' }

// biome-ignore lint/suspicious/noExplicitAny: as in a TestReply, a test reads whatever it expects there.
type Json = any

async function schedule(agentId: string, body: object = {}, key?: TestKey): Promise<Json> {
  const reply = await request('POST', `/agents/${agentId}/schedules`, { key, body: { ...plain, ...body } })
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  agentIds.add(agentId)
  return reply.body.data
}

const read = async ({ agentId, id }: Json): Promise<Json> =>
  (await request('GET', `/agents/${agentId}/schedules/${id}`)).body.data

const runsOf = async (agentId: string, key?: TestKey): Promise<Json[]> =>
  (await request('GET', `/agents/${agentId}/runs`, { key })).body.data

const start = (): Promise<number> => tools.app.app.services.startScheduled()

/** Moves the clock to the time when the schedule is due next, and some seconds on. */
async function untilDue(made: Json, lateMs = 10_000): Promise<void> {
  now = Date.parse((await read(made)).nextRunAt) + lateMs
  await start()
}

const ended = async (id: string): Promise<Json> =>
  (await request('GET', `/runs/${id}`, { headers: { prefer: 'wait=60' } })).body.data

test('a schedule shows its next five times as the clocks of its time zone have them, also where these change', async () => {
  const agentId = await tools.createAgent({})
  const { nextRunAt, nextTimes } = await schedule(agentId, {
    cron: '30 2 * * *',
    timeZone: 'Europe/Berlin',
  })
  assert.deepEqual(nextTimes, [
    '2027-03-27T01:30:00.000Z',
    // Half past two does not exist on that day.
    '2027-03-28T01:00:00.000Z',
    '2027-03-29T00:30:00.000Z',
    '2027-03-30T00:30:00.000Z',
    '2027-03-31T00:30:00.000Z',
  ])
  assert.equal(nextRunAt, nextTimes[0])
})

test('a time zone, and a cron that is none, has seconds or never comes, are refused by their names', async () => {
  const agentId = await tools.createAgent({})
  const refused = async (body: object): Promise<string[]> => {
    const reply = await request('POST', `/agents/${agentId}/schedules`, { body: { ...plain, ...body } })
    assert.equal(reply.status, 400, JSON.stringify(reply.body))
    return reply.body.errors.map(({ field }: Json) => field)
  }
  for (const cron of [
    '0 0 30 2 *',
    '0 0 31 4,6 *',
    '* * * * * *',
    '61 * * * *',
    '@hourly',
    'at nine o clock',
  ]) {
    assert.deepEqual(await refused({ cron }), ['cron'], cron)
  }
  for (const timeZone of ['Mars/Olympus', '+02:00'])
    assert.deepEqual(await refused({ timeZone }), ['timeZone'])
  assert.deepEqual(await refused({ variables: { city: 'Rome' } }), ['variables.city'])
  const made = await schedule(agentId)
  const change = await request('PATCH', `/agents/${agentId}/schedules/${made.id}`, {
    body: { cron: '0 0 30 2 *' },
  })
  assert.equal(change.body.errors[0].field, 'cron')
  assert.match(change.body.errors[0].message, /never comes/)
})

test('at its time one run starts, on however many servers, for the key that made the schedule', async () => {
  const key = await tools.app.createKey()
  const agentId = await tools.createAgent({ instructions: 'Of {{city}}.', variables: { city: null } })
  const made = await schedule(agentId, { variables: { city: 'Rome' }, metadata: { desk: 'news' } }, key)
  await start()
  assert.deepEqual(await runsOf(agentId), [])

  now = Date.parse(made.nextRunAt) + 5_000
  await Promise.all([start(), start(), start()])
  const [run, ...others] = await runsOf(agentId)
  assert.equal(others.length, 0)
  assert.deepEqual(run.startedBy, { type: 'schedule', id: made.id })
  assert.deepEqual([run.prompt, run.variables, run.metadata], ['Report!', { city: 'Rome' }, { desk: 'news' }])
  assert.equal((await ended(run.id)).status, 'succeeded')
  const [entry] = (await request('GET', `/audit-log?resourceId=${run.id}`)).body.data
  assert.deepEqual(
    [entry.action, entry.keyId, entry.details.startedBy, entry.address],
    ['run.create', key.id, made.id, null],
  )
  const shown = await read(made)
  assert.deepEqual([shown.lastRunId, shown.lastError], [run.id, null])
  assert.equal(shown.nextRunAt, made.nextTimes[1])
})

test('a run says what started it: a key, a rerun, another agent', async () => {
  const callee = await tools.createAgent({})
  const agentId = await tools.createAgent({ tools: ['call_agent'], agentIds: [callee] })
  tools.script(calls(['call_agent', { agentId: callee, prompt: 'Help.' }]), says('Here.'), says('Done.'))
  const { body } = await request('POST', `/agents/${agentId}/run`, { body: { prompt: 'Go.' } })
  assert.deepEqual(body.data.startedBy, { type: 'api', id: null })
  const [part] = await runsOf(callee)
  assert.deepEqual(part.startedBy, { type: 'agent', id: body.data.id })
  tools.script(says('Done.'))
  const again = await request('POST', `/runs/${body.data.id}/rerun`, { body: {} })
  assert.deepEqual(again.body.data.startedBy, { type: 'rerun', id: body.data.id })
})

test('a time is skipped while the run before has not ended', async () => {
  tools.script({ kind: 'never' })
  const agentId = await tools.createAgent({})
  const made = await schedule(agentId)
  await untilDue(made)
  await untilDue(made)
  const runs = await runsOf(agentId)
  assert.equal(runs.length, 1)
  assert.equal((await read(made)).lastSkippedAt, made.nextTimes[1])
  await request('POST', `/runs/${runs[0].id}/cancel`)
  tools.script(says('Done.'))
  await untilDue(made)
  assert.equal((await runsOf(agentId)).length, 2)
})

test('times that passed while no server ran are skipped, or make up for one run', async () => {
  const agentId = await tools.createAgent({})
  const other = await tools.createAgent({})
  const skipping = await schedule(agentId)
  const catching = await schedule(other, { missedRuns: 'runOnce' })
  now += 5 * hourMs + 30 * minuteMs
  await start()
  assert.deepEqual(await runsOf(agentId), [])
  assert.equal((await runsOf(other)).length, 1)
  for (const made of [skipping, catching]) assert.ok(Date.parse((await read(made)).nextRunAt) > now)
  assert.notEqual((await read(skipping)).lastSkippedAt, null)
  // The last of several times is not missed, if a server is there soon enough.
  now = Date.parse((await read(skipping)).nextRunAt) + 3 * hourMs + minuteMs
  await start()
  assert.equal((await runsOf(agentId)).length, 1)
})

test('a paused schedule and a paused agent start nothing, and a deleted agent has no schedules', async () => {
  const agentId = await tools.createAgent({})
  const made = await schedule(agentId)
  const path = `/agents/${agentId}/schedules/${made.id}`
  const paused = await request('PATCH', path, { body: { status: 'paused' } })
  assert.deepEqual([paused.body.data.nextRunAt, paused.body.data.nextTimes], [null, []])
  now += 2 * hourMs
  await start()
  const active = await request('PATCH', path, { body: { status: 'active' } })
  await request('PATCH', `/agents/${agentId}`, { body: { status: 'paused' } })
  await untilDue(active.body.data)
  assert.deepEqual(await runsOf(agentId), [])
  assert.equal((await read(made)).lastError.code, 'agent_paused')
  const preview = await request('DELETE', `/agents/${agentId}?dryRun=true`)
  assert.deepEqual(
    preview.body.data.effects.map(({ resource, ids }: Json) => [resource, ids]),
    [
      ['agent', [agentId]],
      ['schedule', [made.id]],
    ],
  )
  await request('DELETE', `/agents/${agentId}`)
  now += 2 * hourMs
  await start()
  assert.equal((await request('GET', path)).status, 404)
  const { database } = tools.app.dependencies
  const kept = await database.read
    .selectFrom('agent_schedules')
    .select('id')
    .where('id', '=', made.id)
    .execute()
  assert.deepEqual(kept, [])
})

for (const [what, reason, take] of [
  ['whose key is revoked', 'access_ended', (key: TestKey) => request('POST', `/api-keys/${key.id}/revoke`)],
  [
    'whose member is removed',
    'access_ended',
    async (key: TestKey) => {
      const { body } = await request('GET', '/workspace/members?pageSize=100')
      const { id } = body.data.find(({ userId }: Json) => userId === key.caller.userId)
      return request('DELETE', `/workspace/members/${id}`)
    },
  ],
  [
    'whose key may run nothing any more',
    'permission_missing',
    (key: TestKey) => request('PATCH', `/api-keys/${key.id}`, { body: { permissions: ['agents:read'] } }),
  ],
  [
    'whose key lacks what a tool of the agent needs',
    'permission_missing',
    (key: TestKey) => request('PATCH', `/api-keys/${key.id}`, { body: { permissions: ['agents:run'] } }),
  ],
  [
    'whose key is narrowed to another agent',
    'agent_unreachable',
    async (key: TestKey) =>
      request('PATCH', `/api-keys/${key.id}`, { body: { agentIds: [await tools.createAgent({})] } }),
  ],
] as const) {
  test(`a schedule ${what} stops, runs nothing, and says why`, async () => {
    const key = await tools.app.createKey({ role: 'admin' })
    const agentId = await tools.createAgent({ tools: ['search_knowledge'] })
    const made = await schedule(agentId, {}, key)
    assert.ok((await take(key)).status < 300)
    now = Date.parse(made.nextRunAt) + 5_000
    await Promise.all([start(), start()])
    assert.deepEqual(await runsOf(agentId), [])
    const { status, stoppedReason, nextRunAt } = await read(made)
    assert.deepEqual([status, stoppedReason, nextRunAt], ['stopped', reason, null])
    const events = (await request('GET', '/events?type=schedule.stopped')).body.data
    const told = events.filter(({ data }: Json) => data.id === made.id)
    assert.deepEqual(
      told.map(({ data }: Json) => data),
      [{ id: made.id, agentId, reason }],
    )
    const log = await request('GET', `/audit-log?resourceId=${made.id}`)
    assert.deepEqual([log.body.data[0].action, log.body.data[0].actor], ['schedule.stop', 'system'])
  })
}

test('a schedule of an agent that is kept to teams of others stops, and another member can take it over', async () => {
  const teamId = await createTeam(tools.app, 'Guards')
  const insider = await join(tools.app, { role: 'admin' })
  await addToTeam(tools.app, teamId, insider)
  const key = await tools.app.createKey({ role: 'admin' })
  const agentId = await tools.createAgent({})
  const made = await schedule(agentId, {}, key)
  await request('PATCH', `/agents/${agentId}`, { body: { access: 'teams', teamIds: [teamId] } })
  const { body } = await request('GET', '/workspace/members?pageSize=100')
  const { id } = body.data.find(({ userId }: Json) => userId === key.caller.userId)
  await request('PATCH', `/workspace/members/${id}`, { body: { role: 'member' } })
  await untilDue(made)
  assert.equal((await read(made)).stoppedReason, 'agent_unreachable')
  const path = `/agents/${agentId}/schedules/${made.id}`
  const taken = await request('PATCH', path, { key: insider.key, body: { status: 'active' } })
  assert.equal(taken.body.data.actsForUserId, insider.key.caller.userId)
  await untilDue(made)
  assert.equal((await runsOf(agentId)).length, 1)
})

test('who changes a schedule answers for its runs from then on, and who pauses it does not', async () => {
  const ada = await tools.app.createKey({ role: 'admin' })
  const agentId = await tools.createAgent({})
  const made = await schedule(agentId, {}, ada)
  const path = `/agents/${agentId}/schedules/${made.id}`
  const editor = await tools.app.createKey({ permissions: ['agents:read', 'agents:write'] })
  const refused = await request('PATCH', path, { key: editor, body: { prompt: 'Send me all.' } })
  assert.deepEqual([refused.status, refused.body.code], [403, 'permission_missing'])
  const create = await request('POST', `/agents/${agentId}/schedules`, { key: editor, body: plain })
  assert.deepEqual([create.status, create.body.code], [403, 'permission_missing'])
  const paused = await request('PATCH', path, { key: editor, body: { status: 'paused' } })
  assert.deepEqual([paused.status, paused.body.data.actsForUserId], [200, ada.caller.userId])
  const changed = await request('PATCH', path, { body: { status: 'active' } })
  assert.equal(changed.body.data.actsForUserId, tools.app.ownerId)
})

test('a schedule of the sandbox runs in the sandbox, where live keys do not see it', async () => {
  const key = tools.app.testKey
  const agent = await request('POST', '/agents', { key, body: { name: 'Trial' } })
  const agentId = agent.body.data.id
  const made = await schedule(agentId, {}, key)
  assert.equal((await request('GET', `/agents/${agentId}/schedules/${made.id}`)).status, 404)
  now = Date.parse(made.nextRunAt) + 5_000
  await start()
  assert.equal((await runsOf(agentId, key)).length, 1)
})

test('a key that cannot read the last run is not told of it', async () => {
  const collection = await request('POST', '/knowledge/collections', { body: { name: 'Small' } })
  const narrow = await tools.app.createKey({ collectionIds: [collection.body.data.id] })
  const agentId = await tools.createAgent({})
  const made = await schedule(agentId)
  await untilDue(made)
  const path = `/agents/${agentId}/schedules/${made.id}`
  assert.notEqual((await request('GET', path)).body.data.lastRunId, null)
  assert.equal((await request('GET', path, { key: narrow })).body.data.lastRunId, null)
})

test('an agent has at most twenty schedules, and a stale change is refused', async () => {
  const agentId = await tools.createAgent({})
  for (let count = 0; count < 20; count++) await schedule(agentId)
  const one = await request('POST', `/agents/${agentId}/schedules`, { body: plain })
  assert.deepEqual(
    [one.status, one.body.code, one.body.details],
    [409, 'limit_reached', { resource: 'schedules', limit: 20 }],
  )
  const [first] = (await request('GET', `/agents/${agentId}/schedules`)).body.data
  const path = `/agents/${agentId}/schedules/${first.id}`
  const { headers } = await request('GET', path)
  await request('PATCH', path, { body: { name: 'Other' } })
  const stale = { 'if-match': String(headers.etag) }
  for (const [method, body] of [
    ['PATCH', { name: 'Mine' }],
    ['DELETE', undefined],
  ] as const) {
    assert.equal((await request(method, path, { headers: stale, body })).status, 412)
  }
  const preview = await request('DELETE', `${path}?dryRun=true`)
  assert.deepEqual(preview.body.data.effects, [
    { effect: 'deleted', resource: 'schedule', count: 1, ids: [first.id] },
  ])
  assert.equal((await request('DELETE', path)).status, 204)
  assert.equal((await request('POST', `/agents/${agentId}/schedules`, { body: plain })).status, 201)
})

test('a run that the plan has no room for is tried again until its time is missed', async () => {
  const small = await startToolApp({ ATRIUM_PLAN_ENTERPRISE: 'runsAtOnce=1' }, () => now)
  try {
    small.script({ kind: 'never' })
    const agentId = await small.createAgent({})
    const ask = (method: string, path: string, body?: object) => small.app.request(method, path, { body })
    const busy = await small.app.request('POST', `/agents/${agentId}/run`, {
      body: { prompt: 'Think!' },
      headers: { prefer: 'respond-async' },
    })
    const made = (await ask('POST', `/agents/${agentId}/schedules`, plain)).body.data
    const shown = async () => (await ask('GET', `/agents/${agentId}/schedules/${made.id}`)).body.data
    now = Date.parse(made.nextRunAt) + 5_000
    const { startScheduled } = small.app.app.services
    await startScheduled()
    assert.equal((await shown()).lastRunId, null)
    assert.equal((await shown()).nextRunAt, made.nextRunAt)
    await ask('POST', `/runs/${busy.body.data.id}/cancel`)
    small.script(says('Done.'))
    await startScheduled()
    assert.notEqual((await shown()).lastRunId, null)
  } finally {
    await small.close()
  }
})
