/** Who may keep a collection or an agent to teams, to which, and where it shows. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAgentIn } from '../../../testing/apps/agent-app.ts'
import { addToTeam, createTeam, join, keepTo, type Person } from '../../../testing/apps/team-access.ts'
import { startTestApp, type TestApp, type TestKey } from '../../../testing/test-app.ts'

let app: TestApp
let teamId: string
let otherTeamId: string
let member: Person

before(async () => {
  app = await startTestApp()
  teamId = await createTeam(app, 'Guards')
  otherTeamId = await createTeam(app, 'Cooks')
  member = await join(app)
  await addToTeam(app, teamId, member)
})

after(() => app.close())

const collections = '/knowledge/collections'
const post = (path: string, body: object, key: TestKey = app.liveKey) =>
  app.request('POST', path, { body, key })
const patch = (path: string, body: object, key: TestKey = app.liveKey, ifMatch?: string) =>
  app.request('PATCH', path, {
    body,
    key,
    headers: ifMatch !== undefined ? { 'if-match': ifMatch } : undefined,
  })
const team = (key: TestKey = app.liveKey, id = teamId) =>
  app.request('GET', `/workspace/teams/${id}`, { key })

test('access is everybody’s unless it is given, shows on the record, and changes its ETag', async () => {
  const made = await post(collections, { name: 'Handbook' })
  const { id } = made.body.data
  assert.deepEqual([made.body.data.access, made.body.data.teamIds], ['workspace', []])
  const kept = await patch(`${collections}/${id}`, { access: 'teams', teamIds: [otherTeamId, teamId] })
  assert.deepEqual([kept.body.data.access, kept.body.data.teamIds], ['teams', [teamId, otherTeamId].sort()])
  assert.notEqual(kept.headers.etag, made.headers.etag)
  const stale = await patch(`${collections}/${id}`, { teamIds: [] }, app.liveKey, String(made.headers.etag))
  assert.equal(stale.status, 412)
  const read = await app.request('GET', `${collections}/${id}`)
  assert.deepEqual(read.body, kept.body)
  const fewer = await patch(`${collections}/${id}`, { teamIds: [teamId] })
  assert.deepEqual(fewer.body.data.teamIds, [teamId])
  const renamed = await patch(`${collections}/${id}`, { name: 'Handbook 2' })
  assert.deepEqual([renamed.body.data.access, renamed.body.data.teamIds], ['teams', [teamId]])
  const opened = await patch(`${collections}/${id}`, { access: 'workspace' })
  assert.deepEqual([opened.body.data.access, opened.body.data.teamIds], ['workspace', []])
})

test('an agent is kept to teams without a new revision, and published as it was', async () => {
  const agent = await createAgentIn(app, { access: 'teams', teamIds: [teamId] })
  const read = await app.request('GET', `/agents/${agent.id}`)
  assert.deepEqual([read.body.data.access, read.body.data.teamIds], ['teams', [teamId]])
  const changed = await patch(`/agents/${agent.id}`, { teamIds: [otherTeamId] })
  assert.deepEqual([changed.body.data.teamIds, changed.body.data.revision], [[otherTeamId], 1])
  assert.notEqual(changed.headers.etag, read.headers.etag)
  const both = await patch(`/agents/${agent.id}`, { access: 'workspace', instructions: 'Be kind.' })
  assert.deepEqual([both.body.data.access, both.body.data.revision], ['workspace', 2])
  const stale = await patch(
    `/agents/${agent.id}`,
    { access: 'teams' },
    app.liveKey,
    String(read.headers.etag),
  )
  assert.equal(stale.status, 412)
  assert.equal((await app.request('GET', `/agents/${agent.id}`)).body.data.access, 'workspace')
})

test('teams that there are not, or teams without `access`, are refused by their field', async () => {
  const workspace = await app.createWorkspace()
  const key = await app.createKey({ workspaceId: workspace.workspaceId, userId: workspace.ownerId })
  const foreign = (await post('/workspace/teams', { name: 'Theirs' }, key)).body.data.id
  for (const [path, body] of [
    [collections, { name: 'A' }],
    ['/agents', { name: 'A' }],
  ] as const) {
    const absent = await post(path, { ...body, access: 'teams', teamIds: [teamId, foreign] })
    assert.deepEqual([absent.status, absent.body.errors[0].field], [400, 'teamIds.1'])
    const open = await post(path, { ...body, teamIds: [teamId] })
    assert.deepEqual([open.status, open.body.errors[0].field], [400, 'teamIds'])
    const wrong = await post(path, { ...body, access: 'none' })
    assert.deepEqual([wrong.status, wrong.body.errors[0].field], [400, 'access'])
  }
})

test('a member keeps a new collection to teams of their own, and changes no access afterwards', async () => {
  const make = (body: object) => post(collections, { name: 'Mine', ...body }, member.key)
  const own = await make({ access: 'teams', teamIds: [teamId] })
  assert.equal(own.status, 201)
  const path = `${collections}/${own.body.data.id}`
  assert.equal((await app.request('GET', path, { key: member.key })).status, 200)
  const others = await make({ access: 'teams', teamIds: [teamId, otherTeamId] })
  assert.deepEqual([others.status, others.body.errors[0].field], [400, 'teamIds.1'])
  const ofNoTeam = await make({ access: 'teams' })
  assert.deepEqual([ofNoTeam.status, ofNoTeam.body.errors[0].field], [400, 'teamIds'])
  const opened = await patch(path, { access: 'workspace' }, member.key)
  assert.deepEqual([opened.status, opened.body.code], [403, 'permission_missing'])
  assert.equal((await patch(path, { name: 'Renamed' }, member.key)).status, 200)
  const open = await make({})
  assert.equal(open.status, 201)
  assert.equal(
    (await app.request('GET', `${collections}/${open.body.data.id}`, { key: member.key })).status,
    200,
  )
  const closed = await patch(
    `${collections}/${open.body.data.id}`,
    { access: 'teams', teamIds: [teamId] },
    member.key,
  )
  assert.equal(closed.status, 403)
})

test('a team shows what it reaches, as far as who asks reaches it, in the environment of the key', async () => {
  const id = await createTeam(app, 'Pilots')
  const outsider = await join(app)
  const before = await team(app.liveKey, id)
  assert.deepEqual([before.body.data.collectionIds, before.body.data.agentIds], [[], []])
  const collection = (await post(collections, { name: 'Charts' })).body.data.id
  await keepTo(app, `${collections}/${collection}`, [id])
  const agent = await createAgentIn(app, { access: 'teams', teamIds: [id] })
  const sandbox = await post(collections, { name: 'Sandbox', access: 'teams', teamIds: [id] }, app.testKey)
  const after = await team(app.liveKey, id)
  assert.deepEqual([after.body.data.collectionIds, after.body.data.agentIds], [[collection], [agent.id]])
  assert.notEqual(after.headers.etag, before.headers.etag)
  assert.deepEqual((await team(app.testKey, id)).body.data.collectionIds, [sandbox.body.data.id])
  const hidden = await team(outsider.key, id)
  assert.deepEqual([hidden.body.data.collectionIds, hidden.body.data.agentIds], [[], []])
  await addToTeam(app, id, outsider)
  assert.deepEqual((await team(outsider.key, id)).body.data.collectionIds, [collection])
  const listed = (await app.request('GET', '/workspace/teams', { key: outsider.key })).body.data
  assert.deepEqual(listed.find((row: { id: string }) => row.id === id).agentIds, [agent.id])

  const etag = (await app.request('GET', `${collections}/${collection}`)).headers.etag
  assert.equal((await app.request('DELETE', `/workspace/teams/${id}`)).status, 204)
  const left = await app.request('GET', `${collections}/${collection}`)
  assert.deepEqual([left.body.data.access, left.body.data.teamIds], ['teams', []])
  assert.notEqual(left.headers.etag, etag)
  const gone = await app.request('GET', `${collections}/${collection}`, { key: outsider.key })
  assert.equal(gone.status, 404)
})

test('a viewer is kept out as a member is, an admin is not, and a key of the sandbox alike', async () => {
  const viewer = await join(app, { role: 'viewer', environment: 'test' })
  const admin = await join(app, { role: 'admin', environment: 'test' })
  const made = await post(collections, { name: 'Kept', access: 'teams' }, app.testKey)
  const status = async ({ key }: Person) =>
    (await app.request('GET', `${collections}/${made.body.data.id}`, { key })).status
  assert.deepEqual([await status(viewer), await status(admin)], [404, 200])
})

test('every change of access leaves an audit row that says which', async () => {
  const made = await post(collections, { name: 'Audited' })
  await keepTo(app, `${collections}/${made.body.data.id}`, [teamId])
  const { data } = (await app.request('GET', '/audit-log', { query: { resourceId: made.body.data.id } })).body
  assert.deepEqual(
    [data[0].action, data[0].details],
    ['collection.update', { access: 'teams', teamIds: [teamId] }],
  )
})
