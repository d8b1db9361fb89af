/** Whose a conversation is: a person's own with its runs, shared by them alone, or the workspace's. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Role } from '../../../platform/caller.ts'
import { minuteMs } from '../../../platform/clock.ts'
import { endOfRun } from '../../../testing/apps/ended-run.ts'
import { signIn } from '../../../testing/apps/signed-in.ts'
import { addToTeam, createTeam, removeFromTeam } from '../../../testing/apps/team-access.ts'
import { calls, says, startToolApp, type ToolApp } from '../../../testing/apps/tool-app.ts'
import { openStream } from '../../../testing/event-streams.ts'
import { eventually } from '../../../testing/eventually.ts'
import { createCollection, uploadAndWait } from '../../../testing/knowledge/knowledge.ts'
import type { TestApp, TestKey, TestReply } from '../../../testing/test-app.ts'

type Person = { userId: string; memberId: string; token: () => Promise<string> }
type Said = { id: string; conversationId: string; output: string }

let tools: ToolApp
let app: TestApp
let address: string
let passedMs = 0
let agentId: string
let ada: Person
let bob: Person
let admin: Person
let viewer: Person

before(async () => {
  tools = await startToolApp({}, () => Date.now() + passedMs)
  app = tools.app
  address = await app.listen()
  agentId = await tools.createAgent({ tools: [] })
  ada = await newPerson('member')
  bob = await newPerson('member')
  admin = await newPerson('admin')
  viewer = await newPerson('viewer')
})
after(() => tools.close())

async function newPerson(role: Role): Promise<Person> {
  const userId = String((await app.createKey({ role })).caller.userId)
  const members = await app.request('GET', '/workspace/members', { query: { pageSize: 100 } })
  const { id: memberId } = members.body.data.find((one: { userId: string }) => one.userId === userId)
  const session = await signIn(app, userId)
  return { userId, memberId, token: () => session.token() }
}

type Asker = Person | TestKey

async function ask(asker: Asker, method: string, path: string, body?: object): Promise<TestReply> {
  const key = 'token' in asker ? await asker.token() : asker
  return app.request(method, path, withoutUndefined({ key, body }))
}

async function say(asker: Asker, more: object = {}, agent = agentId): Promise<Said> {
  const reply = await ask(asker, 'POST', `/agents/${agent}/run`, { prompt: 'Hello', ...more })
  assert.ok(reply.status < 300, JSON.stringify(reply.body))
  return reply.body.data
}

const idsIn = ({ body }: TestReply): string[] => body.data.map(({ id }: { id: string }) => id)

/** Whatever there is to ask of a run and its conversation. */
const asksOf = ({ id, conversationId }: Said) =>
  [
    ['GET', `/runs/${id}`],
    ['GET', `/runs/${id}/events`],
    ['GET', `/runs/${id}/comparison?with=${id}`],
    ['GET', `/conversations/${conversationId}`],
    ['GET', `/conversations/${conversationId}/runs?expand=steps,citations`],
    ['GET', `/conversations/${conversationId}/openings`],
    ['POST', `/runs/${id}/cancel`],
    ['POST', `/runs/${id}/rerun`, {}],
    ['POST', `/runs/${id}/feedback`, { rating: 'positive' }],
    ['POST', `/runs/${id}/approvals`, { decisions: [{ toolCallId: 'call_1', decision: 'approve' }] }],
    ['POST', `/runs/${id}/tool-results`, { results: [{ toolCallId: 'call_1', output: 1 }] }],
    ['DELETE', `/runs/${id}/feedback`],
    ['PATCH', `/conversations/${conversationId}`, { name: 'Mine' }],
    ['PATCH', `/conversations/${conversationId}`, { access: 'workspace' }],
    ['POST', `/conversations/${conversationId}/branch`, { runId: id }],
    ['DELETE', `/conversations/${conversationId}`],
  ] as const

const reads = (said: Said) => asksOf(said).filter(([method]) => method === 'GET')
const changes = (said: Said) => asksOf(said).filter(([method]) => method !== 'GET')

const statusesOf = async (
  asker: Asker,
  asks: readonly ReturnType<typeof asksOf>[number][],
): Promise<number[]> => {
  const statuses: number[] = []
  for (const [method, path, body] of asks) statuses.push((await ask(asker, method, path, body)).status)
  return [...new Set(statuses)]
}

const share = async (said: Said, change: object, owner: Person = ada): Promise<void> => {
  const reply = await ask(owner, 'PATCH', `/conversations/${said.conversationId}`, change)
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
}

const open = (asker: Asker, { conversationId }: Said, reason = 'A complaint'): Promise<TestReply> =>
  ask(asker, 'POST', `/conversations/${conversationId}/openings`, { reason })

test('a conversation of a person does not exist for other members, for admins and for keys, nor do its runs', async () => {
  const said = await say(ada)
  assert.deepEqual(await statusesOf(ada, reads(said)), [200])
  const shown = (await ask(ada, 'GET', `/conversations/${said.conversationId}`)).body.data
  assert.deepEqual([shown.ownerId, shown.access, shown.teamIds], [ada.userId, 'private', []])
  const adasKey = await app.createKey({ userId: ada.userId, role: 'member' })
  for (const asker of [bob, admin, app.liveKey, app.testKey, adasKey]) {
    assert.deepEqual(await statusesOf(asker, asksOf(said)), [404])
    const body = { prompt: 'Go on', conversationId: said.conversationId }
    const goneOn = await ask(asker, 'POST', `/agents/${agentId}/run`, body)
    assert.ok(goneOn.status === 400 || asker === app.testKey, JSON.stringify(goneOn.body))
  }
  for (const [method, path, body] of changes(said)) {
    const reply = await ask(viewer, method, path, body)
    assert.equal(reply.status, 404, `${method} ${path}`)
  }
  assert.equal((await ask(ada, 'GET', `/runs/${said.id}`)).body.data.feedback, null)
})

test('lists and their totals leave other persons out, and a filter does not bring them back', async () => {
  const agent = await tools.createAgent({ tools: [] })
  const ofKey = await say(app.liveKey, { endUserId: 'eve' }, agent)
  const ofAda = await say(ada, { endUserId: 'eve' }, agent)
  const ofBob = await say(bob, { endUserId: 'eve' }, agent)
  const expected: [Asker, Said[]][] = [
    [app.liveKey, [ofKey]],
    [ada, [ofAda, ofKey]],
    [bob, [ofBob, ofKey]],
    [admin, [ofKey]],
  ]
  for (const [asker, own] of expected) {
    const runIds = own.map(({ id }) => id)
    const conversationIds = own.map(({ conversationId }) => conversationId)
    for (const query of ['', '?endUserId=eve', '?pageSize=1', '?status=succeeded']) {
      const runs = await ask(asker, 'GET', `/agents/${agent}/runs${query}`)
      assert.deepEqual(idsIn(runs), query === '?pageSize=1' ? runIds.slice(0, 1) : runIds)
      assert.equal(runs.body.meta.total, runIds.length)
    }
    for (const query of ['', '&endUserId=eve', '&pageSize=1']) {
      const found = await ask(asker, 'GET', `/conversations?agentId=${agent}${query}`)
      assert.deepEqual(idsIn(found), query === '&pageSize=1' ? conversationIds.slice(0, 1) : conversationIds)
      assert.equal(found.body.meta.total, conversationIds.length)
    }
    const last = (await ask(asker, 'GET', '/agents/last-runs?pageSize=100')).body.data
    const ofAgent = last.find((one: { agentId: string }) => one.agentId === agent)
    assert.equal(ofAgent.run.id, runIds[0])
  }
  const byName = await ask(bob, 'GET', `/agents/${agent}/runs?conversationId=${ofAda.conversationId}`)
  assert.deepEqual([byName.status, byName.body.errors[0].field], [400, 'conversationId'])
  const behind = await ask(bob, 'GET', `/agents/${agent}/runs?after=${ofAda.id}`)
  assert.deepEqual([behind.status, behind.body.errors[0].field], [400, 'after'])
})

test('what a key begins is the workspace’s: members read it and go on with it, and it stays so', async () => {
  const begun = await say(app.liveKey)
  const next = await say(ada, { conversationId: begun.conversationId })
  for (const asker of [bob, admin, app.liveKey]) {
    const run = (await ask(asker, 'GET', `/runs/${next.id}`)).body.data
    assert.equal(run.ownerId, null)
  }
  const kept = await ask(ada, 'PATCH', `/conversations/${begun.conversationId}`, { access: 'private' })
  assert.deepEqual([kept.status, kept.body.errors[0].field], [400, 'access'])
  assert.deepEqual(await statusesOf(viewer, reads(begun)), [200])
  assert.deepEqual(await statusesOf(viewer, changes(begun)), [403])
})

test('what a person branches or runs again is their own', async () => {
  const begun = await say(app.liveKey)
  const branch = await ask(ada, 'POST', `/conversations/${begun.conversationId}/branch`, { runId: begun.id })
  const again = await ask(ada, 'POST', `/runs/${begun.id}/rerun`, {})
  assert.deepEqual([branch.body.data.ownerId, again.body.data.ownerId], [ada.userId, ada.userId])
  assert.equal((await ask(app.liveKey, 'GET', `/runs/${again.body.data.id}`)).status, 404)
  const path = `/conversations/${begun.conversationId}`
  const preview = await app.request('DELETE', path, { query: { dryRun: 'true' } })
  const [, , detached] = preview.body.data.effects
  assert.deepEqual(detached.ids, [], 'other persons’ branches are not named')
})

test('a conversation that is shared with the workspace is read by its people, and changed by its owner alone', async () => {
  const said = await say(ada)
  await share(said, { access: 'workspace' })
  for (const asker of [bob, admin, viewer]) {
    assert.deepEqual(await statusesOf(asker, reads(said)), [200])
    assert.deepEqual(await statusesOf(asker, changes(said)), [403])
    assert.ok(idsIn(await ask(asker, 'GET', '/conversations')).includes(said.conversationId))
    assert.ok(idsIn(await ask(asker, 'GET', `/agents/${agentId}/runs`)).includes(said.id))
  }
  const goneOn = await ask(bob, 'POST', `/agents/${agentId}/run`, {
    prompt: 'Go on',
    conversationId: said.conversationId,
  })
  assert.deepEqual([goneOn.status, goneOn.body.errors[0].field], [400, 'conversationId'])
  assert.deepEqual(await statusesOf(app.liveKey, asksOf(said)), [404])
  await share(said, { access: 'private' })
  assert.deepEqual(await statusesOf(bob, asksOf(said)), [404])
})

test('a conversation that is shared with a team is read by those who are in it, for as long as they are', async () => {
  const teamId = await createTeam(app, 'Readers')
  const otherId = await createTeam(app, 'Others')
  const inTeam = (one: Person) => ({ memberId: one.memberId, key: app.liveKey })
  await addToTeam(app, teamId, inTeam(ada))
  await addToTeam(app, teamId, inTeam(bob))
  const said = await say(ada)
  await share(said, { access: 'teams', teamIds: [teamId] })
  const shown = (await ask(bob, 'GET', `/conversations/${said.conversationId}`)).body.data
  assert.deepEqual([shown.access, shown.teamIds], ['teams', [teamId]])
  assert.deepEqual(await statusesOf(bob, reads(said)), [200])
  for (const asker of [admin, viewer, app.liveKey]) {
    assert.deepEqual(await statusesOf(asker, reads(said)), [404])
  }
  for (const [change, field] of [
    [{ access: 'teams', teamIds: [otherId] }, 'teamIds.0'],
    [{ access: 'teams', teamIds: [] }, 'teamIds'],
    [{ access: 'workspace', teamIds: [teamId] }, 'teamIds'],
  ] as const) {
    const refused = await ask(ada, 'PATCH', `/conversations/${said.conversationId}`, change)
    assert.deepEqual([refused.status, refused.body.errors[0].field], [400, field])
  }
  await removeFromTeam(app, teamId, inTeam(bob))
  assert.deepEqual(await statusesOf(bob, reads(said)), [404])
  await addToTeam(app, teamId, inTeam(bob))
  await app.request('DELETE', `/workspace/teams/${teamId}`)
  assert.deepEqual(await statusesOf(bob, reads(said)), [404])
})

test('an admin opens a conversation with a reason, reads it for an hour, and its owner and the audit log tell so', async () => {
  const said = await say(ada)
  const opened = await open(admin, said, 'A customer complains')
  assert.equal(opened.status, 201, JSON.stringify(opened.body))
  assert.deepEqual(await statusesOf(admin, reads(said)), [200])
  assert.deepEqual(await statusesOf(admin, changes(said)), [403])
  assert.deepEqual(await statusesOf(bob, reads(said)), [404])
  const otherAdmin = await newPerson('admin')
  assert.deepEqual(await statusesOf(otherAdmin, reads(said)), [404])
  assert.ok(!idsIn(await ask(admin, 'GET', '/conversations')).includes(said.conversationId))
  assert.ok(!idsIn(await ask(admin, 'GET', `/agents/${agentId}/runs`)).includes(said.id))
  const seen = await ask(ada, 'GET', `/conversations/${said.conversationId}/openings`)
  assert.deepEqual(
    seen.body.data.map((one: Record<string, string>) => [one.openedBy, one.reason, one.expiresAt]),
    [[admin.userId, 'A customer complains', opened.body.data.expiresAt]],
  )
  const log = await app.request('GET', `/audit-log?resourceId=${said.conversationId}`)
  const [entry] = log.body.data
  assert.deepEqual(
    [entry.action, entry.userId, entry.details.reason, entry.details.ownerId],
    ['conversation.open', admin.userId, 'A customer complains', ada.userId],
  )
  passedMs += 61 * minuteMs
  assert.deepEqual(await statusesOf(admin, asksOf(said)), [404])
})

test('members and keys cannot open a conversation, and one that is not there is a 404', async () => {
  const said = await say(ada)
  const ofKey = await say(app.liveKey)
  for (const [asker, opened] of [
    [bob, said],
    [viewer, said],
    [app.liveKey, ofKey],
  ] as const) {
    const refused = await open(asker, opened)
    assert.deepEqual([refused.status, refused.body.code], [403, 'permission_missing'])
  }
  assert.equal((await open(app.liveKey, said)).status, 404)
  assert.equal((await open(admin, { ...said, conversationId: `cnv_${'0'.repeat(26)}` })).status, 404)
  const { workspaceId, ownerId } = await app.createWorkspace()
  const abroad = await signIn(app, ownerId)
  const foreign = { userId: ownerId, memberId: '', token: () => abroad.token({ workspaceId }) }
  assert.equal((await open(foreign, said)).status, 404)
  const inTest = {
    ...foreign,
    token: async () => (await signIn(app, admin.userId)).token({ environment: 'test' }),
  }
  assert.equal((await open(inTest, said)).status, 404)
  const blank = await open(admin, said, ' ')
  assert.deepEqual([blank.status, blank.body.errors[0].field], [400, 'reason'])
})

test('an opening ends when its admin becomes a member', async () => {
  const chief = await newPerson('admin')
  const said = await say(ada)
  await open(chief, said)
  assert.deepEqual(await statusesOf(chief, reads(said)), [200])
  await app.request('PATCH', `/workspace/members/${chief.memberId}`, { body: { role: 'member' } })
  assert.deepEqual(await statusesOf(chief, reads(said)), [404])
})

test('a conversation of a person who left is read through an opening alone, and is theirs when they come back', async () => {
  const eve = await newPerson('member')
  const said = await say(eve)
  await app.request('DELETE', `/workspace/members/${eve.memberId}`)
  for (const asker of [bob, admin, app.liveKey]) {
    assert.deepEqual(await statusesOf(asker, reads(said)), [404])
  }
  await open(admin, said)
  assert.deepEqual(await statusesOf(admin, reads(said)), [200])
})

test('a stream of a shared run ends for its readers once it is not shared any more', async () => {
  tools.script({ kind: 'never' })
  const begun = await app.request('POST', `/agents/${agentId}/run`, {
    key: await ada.token(),
    body: { prompt: 'Think!' },
    headers: { prefer: 'respond-async' },
  })
  const said: Said = begun.body.data
  await eventually('the model is asked', () => tools.modelServer.requests.length > 0)
  await share(said, { access: 'workspace' })
  const follow = async (asker: Person) =>
    openStream(`${address}/api/v1/runs/${said.id}/events`, { key: await asker.token() })
  const [ofBob, ofAda] = [await follow(bob), await follow(ada)]
  await Promise.all([ofBob.take(1), ofAda.take(1)])
  await share(said, { access: 'private' })
  assert.deepEqual(
    (await ofBob.rest()).filter(({ data }) => 'run' in data),
    [],
  )
  assert.equal((await ask(ada, 'POST', `/runs/${said.id}/cancel`)).status, 200)
  assert.equal((await ofAda.rest()).at(-1)?.event, 'run.cancelled')
  tools.script(says('Done.'))
})

test('a stream of an opened run ends with the hour of the opening', async () => {
  tools.script({ kind: 'never' })
  const begun = await app.request('POST', `/agents/${agentId}/run`, {
    key: await ada.token(),
    body: { prompt: 'Think!' },
    headers: { prefer: 'respond-async' },
  })
  const said: Said = begun.body.data
  await open(admin, said)
  const stream = await openStream(`${address}/api/v1/runs/${said.id}/events`, { key: await admin.token() })
  await stream.take(1)
  passedMs += 61 * minuteMs
  assert.deepEqual(
    (await stream.rest()).filter(({ data }) => 'run' in data),
    [],
  )
  assert.equal((await ask(ada, 'POST', `/runs/${said.id}/cancel`)).status, 200)
  tools.script(says('Done.'))
})

test('a person has at most a hundred conversations open', async () => {
  const chief = await newPerson('admin')
  const said = await say(ada)
  const statuses = []
  for (let count = 0; count <= 100; count++) statuses.push((await open(chief, said)).status)
  assert.deepEqual([statuses.indexOf(409), statuses.at(99)], [100, 201])
})

test('a call that waits is decided by the owner of the run alone', async () => {
  const agent = await tools.createAgent({ tools: ['calculator'], approvalTools: ['calculator'] })
  tools.script(calls(['calculator', { expression: '1+1' }]), says('Two.'))
  const waiting = await say(ada, {}, agent)
  await share(waiting, { access: 'workspace' })
  await open(admin, waiting)
  const { pendingApprovals } = (await ask(ada, 'GET', `/runs/${waiting.id}`)).body.data
  const decisions = [{ toolCallId: pendingApprovals[0].toolCallId, decision: 'approve' }]
  for (const asker of [bob, admin]) {
    assert.equal((await ask(asker, 'POST', `/runs/${waiting.id}/approvals`, { decisions })).status, 403)
  }
  assert.equal((await ask(app.liveKey, 'POST', `/runs/${waiting.id}/approvals`, { decisions })).status, 404)
  const decided = await ask(ada, 'POST', `/runs/${waiting.id}/approvals`, { decisions })
  assert.equal(decided.status, 202, JSON.stringify(decided.body))
  assert.equal((await endOfRun(app, waiting.id)).status, 'succeeded')
  tools.script(says('Done.'))
})

test('an agent that another agent calls answers in a conversation of the same person', async () => {
  const helper = await tools.createAgent({ tools: [], instructions: 'I help.' })
  const agent = await tools.createAgent({ tools: ['call_agent'], agentIds: [helper] })
  tools.script(calls(['call_agent', { agentId: helper, prompt: 'Help!' }]), says('Helped.'), says('Done.'))
  await say(ada, {}, agent)
  const [part] = (await ask(ada, 'GET', `/agents/${helper}/runs`)).body.data
  assert.equal(part.ownerId, ada.userId)
  assert.deepEqual((await ask(app.liveKey, 'GET', `/agents/${helper}/runs`)).body.meta.total, 0)
  assert.equal((await ask(bob, 'GET', `/conversations/${part.conversationId}`)).status, 404)
  const [whole] = (await ask(ada, 'GET', `/agents/${agent}/runs`)).body.data
  assert.equal((await ask(ada, 'DELETE', `/conversations/${whole.conversationId}`)).status, 204)
  assert.equal((await ask(ada, 'GET', `/runs/${part.id}`)).status, 404)
  tools.script(says('Done.'))
})

test('the event of a person’s run tells programs and other people neither its metadata nor its answer', async () => {
  tools.script(says('A secret.'))
  const said = await say(ada, { metadata: { ticket: 7 } })
  await share(said, { access: 'workspace' })
  const eventsFor = async (asker: Asker) => {
    const { data } = (await ask(asker, 'GET', '/events?type=run.succeeded')).body
    return data.find((event: { data: { id: string } }) => event.data.id === said.id)
  }
  const told = await eventsFor(app.liveKey)
  assert.deepEqual([told.data.metadata, told.data.output, told.data.truncated], [null, null, false])
  assert.equal((await eventsFor(admin)).data.output, 'A secret.')
  await share(said, { access: 'private' })
  assert.equal((await eventsFor(admin)).data.output, null)
  tools.script(says('Done.'))
})

test('citations of a person’s run are read by that person alone', async () => {
  const collectionId = await createCollection(app, app.liveKey)
  const content = 'Geese pay two euros a day.'
  await uploadAndWait(app, { collectionId, key: app.liveKey, name: 'geese.txt', content })
  const agent = await tools.createAgent({ model: 'extractive', collectionIds: [collectionId] })
  const said = await say(ada, { prompt: 'What do geese pay?' }, agent)
  const path = `/agents/${agent}/runs?expand=citations,steps`
  const [own] = (await ask(ada, 'GET', path)).body.data
  assert.deepEqual([own.id, own.citations.length], [said.id, 1])
  for (const asker of [bob, app.liveKey]) assert.deepEqual((await ask(asker, 'GET', path)).body.data, [])
})

test('a viewer runs an agent that lets viewers, in conversations of their own, and no other', async () => {
  const helper = await tools.createAgent({ tools: [], instructions: 'I help.' })
  const body = { tools: ['calculator', 'call_agent'], agentIds: [helper], viewersMayRun: true }
  const agent = await tools.createAgent(body)
  tools.script(says('Yes.'))
  const said = await say(viewer, {}, agent)
  const goneOn = await say(viewer, { conversationId: said.conversationId }, agent)
  assert.equal((await ask(viewer, 'POST', `/runs/${goneOn.id}/feedback`, { rating: 'positive' })).status, 200)
  assert.equal((await ask(viewer, 'POST', `/runs/${goneOn.id}/rerun`, {})).status, 200)
  await share(said, { name: 'Mine', access: 'workspace' }, viewer)
  assert.deepEqual(await statusesOf(bob, reads(said)), [200])

  const refused = await ask(viewer, 'POST', `/agents/${agentId}/run`, { prompt: 'Hello' })
  assert.deepEqual([refused.status, refused.body.details.permission], [403, 'agents:run'])
  const viewersKey = await app.createKey({ userId: viewer.userId, role: 'viewer' })
  const byKey = await ask(viewersKey, 'POST', `/agents/${agent}/run`, { prompt: 'Hello' })
  assert.equal(byKey.body.code, 'permission_missing')
  const ofKey = await say(app.liveKey, {}, agent)
  const continued = await ask(viewer, 'POST', `/agents/${agent}/run`, {
    prompt: 'Hello',
    conversationId: ofKey.conversationId,
  })
  assert.deepEqual([continued.status, continued.body.errors[0].field], [400, 'conversationId'])
  assert.deepEqual(await statusesOf(viewer, changes(ofKey)), [403])

  tools.script(calls(['call_agent', { agentId: helper, prompt: 'Help!' }]), says('Done.'))
  await say(viewer, {}, agent)
  assert.match(
    JSON.stringify(tools.modelServer.requests.at(-1)?.body.messages),
    /may not run|cannot be called/,
  )

  await app.request('PATCH', `/agents/${agent}`, { body: { viewersMayRun: false } })
  assert.equal((await ask(viewer, 'POST', `/agents/${agent}/run`, { prompt: 'Hello' })).status, 403)
  assert.equal((await ask(viewer, 'POST', `/runs/${said.id}/rerun`, {})).status, 403)
  assert.equal((await ask(viewer, 'DELETE', `/conversations/${said.conversationId}`)).status, 204)
  tools.script(says('Done.'))
})

test('a run of a viewer stops once its agent no longer lets viewers', async () => {
  const agent = await tools.createAgent({ tools: ['calculator'], viewersMayRun: true })
  tools.script({ kind: 'never' })
  const begun = await app.request('POST', `/agents/${agent}/run`, {
    key: await viewer.token(),
    body: { prompt: 'Think!' },
    headers: { prefer: 'respond-async' },
  })
  await eventually('the model is asked', () => tools.modelServer.requests.length > 0)
  await app.request('PATCH', `/agents/${agent}`, { body: { viewersMayRun: false } })
  assert.equal((await endOfRun(app, begun.body.data.id)).error.code, 'access_revoked')
  tools.script(says('Done.'))
})

test('a reply that is kept for repetition is given to the person alone whose request it was', async () => {
  const headers = { 'idempotency-key': 'ownership-1' }
  const body = { prompt: 'Hello' }
  const begin = async (key: string | TestKey) =>
    app.request('POST', `/agents/${agentId}/run`, { key, body, headers })
  const first = await begin(await ada.token())
  const again = await begin(await ada.token())
  assert.deepEqual([again.body.data.id, again.headers['idempotency-replayed']], [first.body.data.id, 'true'])
  const adasKey = await app.createKey({ userId: ada.userId, role: 'member' })
  for (const other of [await bob.token(), adasKey]) {
    const reply = await begin(other)
    assert.notEqual(reply.body.data.id, first.body.data.id)
  }
})
