/**
 * A run acts for its author only as long as the author may. What is taken from a key or a member stops the run, and ends open
 * streams.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { endOfRun } from '../../../testing/apps/ended-run.ts'
import { signIn } from '../../../testing/apps/signed-in.ts'
import {
  addToTeam,
  keepKnowledge,
  keepTo,
  removeFromTeam,
  type WithheldKnowledge,
} from '../../../testing/apps/team-access.ts'
import { calls, says, startToolApp, type ToolApp } from '../../../testing/apps/tool-app.ts'
import { openStream } from '../../../testing/event-streams.ts'
import { eventually } from '../../../testing/eventually.ts'
import type { TestApp, TestKey } from '../../../testing/test-app.ts'

let tools: ToolApp
let app: TestApp
let known: WithheldKnowledge
let base: string

before(async () => {
  tools = await startToolApp()
  app = tools.app
  known = await keepKnowledge(app)
  base = `${await app.listen()}/api/v1`
})

after(() => tools.close())

const change = (key: TestKey, body: object) => tools.app.request('PATCH', `/api-keys/${key.id}`, { body })

for (const [what, take, said] of [
  [
    'revoked',
    (key: TestKey) => tools.app.request('POST', `/api-keys/${key.id}/revoke`),
    /revoked or has expired/,
  ],
  [
    'left without a permission that a tool needs',
    (key: TestKey) => change(key, { permissions: ['agents:run', 'agents:read'] }),
    /lost the permission knowledge:read/,
  ],
  [
    'narrowed to other collections',
    async (key: TestKey) => {
      const made = await tools.app.request('POST', '/knowledge/collections', { body: { name: 'Other' } })
      return change(key, { collectionIds: [made.body.data.id] })
    },
    /narrowed to other agents or collections/,
  ],
] as const) {
  test(`a run whose key is ${what} stops, and its model is hung up on`, async () => {
    const key = await tools.app.createKey()
    const agentId = await tools.createAgent({ tools: ['search_knowledge'] })
    tools.script({ kind: 'never' })
    const { body } = await tools.app.request('POST', `/agents/${agentId}/run`, {
      key,
      body: { prompt: 'Think!' },
      headers: { prefer: 'respond-async' },
    })
    while (tools.modelServer.requests.length === 0) await sleep(5)
    assert.equal((await take(key)).status, 200)
    const { body: ended } = await tools.app.request('GET', `/runs/${body.data.id}`, {
      headers: { prefer: 'wait=60' },
    })
    assert.deepEqual([ended.data.status, ended.data.error.code], ['failed', 'access_revoked'])
    assert.match(ended.data.error.message, said)
    while (tools.modelServer.requests[0]?.closedByClientAtMs === null) await sleep(1)
  })
}

test('a run that waited for an approval does not go on for a key that was revoked meanwhile', async () => {
  const key = await tools.app.createKey()
  const agentId = await tools.createAgent({
    tools: ['http_request'],
    approvalTools: ['http_request'],
    httpHosts: [tools.host],
  })
  tools.script({
    kind: 'tool_calls',
    calls: [{ name: 'http_request', arguments: { method: 'POST', url: `http://${tools.host}/` } }],
  })
  const { body } = await tools.app.request('POST', `/agents/${agentId}/run`, { key, body: { prompt: 'Go!' } })
  await tools.app.request('POST', `/api-keys/${key.id}/revoke`)
  const [{ toolCallId }] = body.data.pendingApprovals
  const { body: ended } = await tools.app.request('POST', `/runs/${body.data.id}/approvals`, {
    body: { decisions: [{ toolCallId, decision: 'approve' }] },
    headers: { prefer: 'wait=60' },
  })
  assert.equal(ended.data.error.code, 'access_revoked')
  assert.equal(tools.requests.length, 0)
})

const searches = calls(['search_knowledge', { query: 'vault midnight' }])

async function begin(key: TestKey | string, agentId: string, body: object = {}) {
  const reply = await app.request('POST', `/agents/${agentId}/run`, {
    key,
    body: { prompt: 'Go!', ...body },
    headers: { prefer: 'respond-async' },
  })
  assert.equal(reply.status, 202, JSON.stringify(reply.body))
  return reply.body.data as { id: string; conversationId: string }
}

const ended = async (id: string) =>
  (await app.request('GET', `/runs/${id}`, { headers: { prefer: 'wait=60' } })).body.data

const untilAsked = (count: number) =>
  eventually(`the model is asked ${count} times`, () => tools.modelServer.requests.length >= count)

const statusOf = async (key: TestKey | string, path: string) =>
  (await app.request('GET', path, { key })).status

test('a run in progress that was shown it ends once its author has left the team, with its stream', async () => {
  const { insider, teamId } = known
  const agentId = await tools.createAgent({ tools: ['search_knowledge'] })
  tools.script(searches, { kind: 'never' })
  const { id } = await begin(insider.key, agentId)
  const stream = await openStream(`${base}/runs/${id}/events`, insider.key)
  await untilAsked(2)
  assert.match(JSON.stringify(tools.modelServer.requests[1]), /xyzzy/)
  await removeFromTeam(app, teamId, insider)
  await stream.rest()
  const run = await ended(id)
  assert.deepEqual([run.status, run.error.code], ['failed', 'access_revoked'])
  assert.match(run.error.message, /kept to teams/)
  assert.equal(await statusOf(insider.key, `/runs/${id}`), 404)
  await addToTeam(app, teamId, insider)
})

test('a run in progress that was shown nothing of it goes on, and its tools reach it no more', async () => {
  const { insider, teamId } = known
  const agentId = await tools.createAgent({ tools: ['search_knowledge'] })
  const lookedUp = Promise.withResolvers<void>()
  tools.modelServer.requests.length = 0
  tools.modelServer.setScript(({ messages }, index) => {
    if (messages.at(-1)?.content === 'Never!') return { kind: 'never' }
    return index === 0 ? { kind: 'held', until: lookedUp.promise, behaviour: searches } : says('Nothing.')
  })
  const { id } = await begin(insider.key, agentId)
  await untilAsked(1)
  await removeFromTeam(app, teamId, insider)
  // The author of a run that is begun now is looked up after the author of that one.
  const later = await app.createKey()
  const { id: laterId } = await begin(later, agentId, { prompt: 'Never!' })
  await app.request('POST', `/api-keys/${later.id}/revoke`)
  assert.equal((await ended(laterId)).error.code, 'access_revoked')
  lookedUp.resolve()
  const run = await ended(id)
  assert.equal(run.status, 'succeeded')
  assert.doesNotMatch(JSON.stringify(run), /xyzzy/)
  assert.equal(await statusOf(insider.key, `/runs/${id}`), 200)
  await addToTeam(app, teamId, insider)
})

test('a run that a person began in the console ends likewise', async () => {
  const { insider, teamId } = known
  const agentId = await tools.createAgent({ tools: ['search_knowledge'] })
  const key = await (await signIn(app, insider.key.caller.userId ?? '')).token()
  tools.script(searches, { kind: 'never' })
  const { id } = await begin(key, agentId)
  await untilAsked(2)
  assert.equal(await statusOf(key, `/runs/${id}`), 200)
  await removeFromTeam(app, teamId, insider)
  const run = await endOfRun(app, id)
  assert.deepEqual([run.status, run.error.code], ['failed', 'access_revoked'])
  assert.equal(await statusOf(key, `/runs/${id}`), 404)
  await addToTeam(app, teamId, insider)
})

test('a run whose agent is kept from its author ends', async () => {
  const { outsider, teamId } = known
  const agentId = await tools.createAgent({ tools: [] })
  tools.script({ kind: 'never' })
  const { id } = await begin(outsider.key, agentId)
  await untilAsked(1)
  await keepTo(app, `/agents/${agentId}`, [teamId])
  const run = await ended(id)
  assert.deepEqual([run.status, run.error.code], ['failed', 'access_revoked'])
})

test('a run in progress is hidden from other members who lack access to some sources, and visible to members who can read all', async () => {
  const { outsider, insider } = known
  const agentId = await tools.createAgent({ tools: ['search_knowledge'] })
  tools.script({ kind: 'never' })
  const { id, conversationId } = await begin(app.liveKey, agentId)
  const own = await begin(outsider.key, agentId)
  assert.equal(await statusOf(outsider.key, `/runs/${own.id}`), 200)
  for (const path of [`/runs/${id}`, `/runs/${id}/events`]) {
    assert.equal(await statusOf(outsider.key, path), 404)
  }
  assert.equal(await statusOf(insider.key, `/runs/${id}`), 200)
  const { data, meta } = (
    await app.request('GET', `/conversations/${conversationId}/runs`, { key: outsider.key })
  ).body
  assert.deepEqual([data, meta.total], [[], 0])
  const cancelled = await app.request('POST', `/runs/${id}/cancel`, { key: outsider.key })
  assert.equal(cancelled.status, 404)
  for (const run of [id, own.id]) await app.request('POST', `/runs/${run}/cancel`)
})

test('a run that waits for another of its conversation does not remember what that was shown meanwhile', async () => {
  const { outsider } = known
  const agentId = await tools.createAgent({ tools: ['search_knowledge'] })
  tools.script(says('Hello.'))
  const { id, conversationId } = await begin(app.liveKey, agentId)
  await ended(id)
  tools.script({ kind: 'slow', delayMs: 500, behaviour: searches }, says('It is xyzzy.'), says('Never.'))
  const telling = await begin(app.liveKey, agentId, { conversationId })
  const waiting = await begin(outsider.key, agentId, { prompt: 'And?', conversationId })
  assert.match((await ended(telling.id)).output, /xyzzy/)
  const run = await ended(waiting.id)
  assert.deepEqual([run.status, run.error.code], ['failed', 'access_revoked'])
  assert.equal(tools.modelServer.requests.length, 2)
})

test('what an agent was told by another that found it counts as shown to it, and to those that it asks afterwards', async () => {
  const { outsider, insider } = known
  const finder = await tools.createAgent({
    name: 'Finder',
    instructions: 'I find.',
    tools: ['search_knowledge'],
  })
  const echo = await tools.createAgent({ name: 'Echo', instructions: 'I echo.', tools: [] })
  const asker = await tools.createAgent({
    name: 'Asker',
    instructions: 'I ask.',
    tools: ['call_agent'],
    agentIds: [finder, echo],
  })
  const asked = new Map<string, number>()
  tools.modelServer.setScript(request => {
    const who = String(request.messages[0]?.content).slice(0, 4)
    const index = asked.get(who) ?? 0
    asked.set(who, index + 1)
    // The finder cites nothing, so no passage goes with its answer.
    if (who === 'I fi') return index === 0 ? searches : says('Say xyzzy.')
    if (who === 'I ec') return says('You said xyzzy.')
    const ask = (agentId: string, prompt: string) => calls(['call_agent', { agentId, prompt }])
    return index === 0
      ? ask(finder, 'What is said?')
      : index === 1
        ? ask(echo, 'xyzzy?')
        : says('It is xyzzy.')
  })
  const { id } = await begin(app.liveKey, asker)
  const run = await ended(id)
  assert.equal(run.output, 'It is xyzzy.')
  const parts: string[] = []
  for (const agentId of [finder, echo]) {
    const { data } = (await app.request('GET', `/agents/${agentId}/runs`)).body
    parts.push(...data.map((part: { id: string }) => part.id))
  }
  assert.equal(parts.length, 2)
  for (const each of [id, ...parts]) {
    assert.equal(await statusOf(outsider.key, `/runs/${each}`), 404, each)
    assert.equal(await statusOf(insider.key, `/runs/${each}`), 200, each)
  }
})

test('an agent that is kept to a team cannot be called by way of another one', async () => {
  const { outsider, teamId } = known
  const secret = await tools.createAgent({ name: 'Secret', access: 'teams', teamIds: [teamId] })
  const asker = await tools.createAgent({ name: 'Asker', tools: ['call_agent'], agentIds: [secret] })
  tools.script(calls(['call_agent', { agentId: secret, prompt: 'Tell me!' }]), says('Nothing.'))
  const { id } = await begin(outsider.key, asker)
  const run = await ended(id)
  assert.equal(run.status, 'succeeded')
  assert.match(JSON.stringify(run.steps), /There is no agent/)
  assert.doesNotMatch(JSON.stringify(tools.modelServer.requests[0]), /Secret/)
  const history = await app.request('GET', `/agents/${secret}/runs`)
  assert.equal(history.body.meta.total, 0)
})
