/** The life of a workspace: renamed, left, handed over, deleted, restored, and erased without a trace. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dayMs, secondMs } from '../../platform/clock.ts'
import { type SignedIn, signIn } from '../../testing/apps/signed-in.ts'
import { startTestApp, type TestApp, type TestKey } from '../../testing/test-app.ts'

let app: TestApp
let now = Date.now()

before(async () => {
  app = await startTestApp({ clock: () => now })
})
after(() => app.close())

type TestWorkspace = {
  workspaceId: string
  ownerId: string
  key: TestKey
  ada: SignedIn
  token: string
  slug: string
}

const newPlace = async (): Promise<TestWorkspace> => {
  const { workspaceId, ownerId } = await app.createWorkspace()
  const key = await app.createKey({ workspaceId, userId: ownerId })
  const ada = await signIn(app, ownerId)
  const token = await ada.token({ workspaceId })
  const { slug } = (await app.request('GET', '/workspace', { key })).body.data
  return { workspaceId, ownerId, key, ada, token, slug }
}

const memberOf = async (place: TestWorkspace, userId: string) =>
  (await app.request('GET', '/workspace/members?pageSize=100', { key: place.key })).body.data.find(
    (member: { userId: string }) => member.userId === userId,
  )

test('a workspace gets another name and keeps its slug', async () => {
  const { token, slug } = await newPlace()
  const reply = await app.request('PATCH', '/workspace', { key: token, body: { name: '  Heron & Sons ' } })
  assert.equal(reply.status, 200)
  assert.deepEqual([reply.body.data.name, reply.body.data.slug], ['Heron & Sons', slug])
  const blank = await app.request('PATCH', '/workspace', { key: token, body: { name: ' ' } })
  assert.deepEqual(blank.body.errors, [{ field: 'name', message: 'must not be blank', rule: 'pattern' }])
})

test('only an owner deletes a workspace, and only by its slug', async () => {
  const place = await newPlace()
  const admin = await app.createKey({ workspaceId: place.workspaceId, role: 'admin' })
  const byAdmin = await app.request('DELETE', '/workspace', { key: admin, body: { confirm: place.slug } })
  assert.deepEqual([byAdmin.status, byAdmin.body.code], [403, 'permission_missing'])
  for (const body of [undefined, {}, { confirm: 'another' }]) {
    const reply = await app.request('DELETE', '/workspace', {
      key: place.token,
      body,
    })
    assert.deepEqual([reply.status, reply.body.errors[0].field], [400, 'confirm'])
    assert.ok(reply.body.errors[0].message.includes(place.slug))
  }
  const dry = await app.request('DELETE', '/workspace?dryRun=true', { key: place.token })
  assert.deepEqual(dry.body.data.effects[0], {
    effect: 'deleted',
    resource: 'workspace',
    count: 1,
    ids: [place.workspaceId],
  })
  const keys = dry.body.data.effects.find(({ resource }: { resource: string }) => resource === 'api_key')
  assert.deepEqual([keys.count, keys.ids.includes(place.key.id)], [2, true])
  const dryAsAdmin = await app.request('DELETE', '/workspace?dryRun=true', { key: admin })
  assert.equal(dryAsAdmin.status, 403)
  const test = await place.ada.token({ workspaceId: place.workspaceId, environment: 'test' })
  const sandboxed = await app.request('DELETE', '/workspace', { key: test, body: { confirm: place.slug } })
  assert.equal(sandboxed.body.code, 'sandbox_forbidden')
  assert.equal((await app.request('GET', '/workspace', { key: place.token })).status, 200)
})

test('a deleted workspace refuses everybody at once with workspace_deleted, and an owner can restore it', async () => {
  const place = await newPlace()
  const viewer = await app.createKey({ workspaceId: place.workspaceId, role: 'viewer' })
  const reply = await app.request('DELETE', '/workspace', { key: place.token, body: { confirm: place.slug } })
  assert.equal(reply.status, 200)
  const deletesAt = new Date(now + 30 * dayMs).toISOString()
  assert.equal(reply.body.data.deletesAt, deletesAt)
  for (const key of [place.token, place.key, viewer]) {
    const refused = await app.request('GET', '/agents', { key })
    assert.deepEqual([refused.status, refused.body.code], [403, 'workspace_deleted'])
  }
  const wanted = { workspaceId: place.workspaceId, environment: 'live' }
  assert.equal(
    (await place.ada.request('POST', '/console/token', { body: wanted })).body.code,
    'workspace_deleted',
  )
  const session = await place.ada.request('GET', '/console/session')
  assert.equal(session.body.data.workspaces[0].deletesAt, deletesAt)

  const path = `/console/workspaces/${place.workspaceId}/restore`
  const stranger = await signIn(app, app.ownerId)
  assert.equal((await stranger.request('POST', path)).status, 404)
  const lesser = await signIn(app, String(viewer.caller.userId))
  assert.equal((await lesser.request('POST', path)).status, 403)
  const restored = await place.ada.request('POST', path)
  assert.deepEqual([restored.status, restored.body.data.deletesAt], [200, null])
  for (const key of [place.token, place.key, viewer]) {
    assert.equal((await app.request('GET', '/agents', { key })).status, 200)
  }
  const log = await app.request('GET', `/audit-log?resourceId=${place.workspaceId}`, { key: place.key })
  assert.deepEqual(
    log.body.data.map(({ action, actor }: Record<string, string>) => [action, actor]),
    [
      ['workspace.restore', 'person'],
      ['workspace.delete', 'person'],
    ],
  )
})

test('within ten seconds another server refuses a workspace that was deleted elsewhere', async () => {
  const place = await newPlace()
  assert.equal((await app.request('GET', '/agents', { key: place.key })).status, 200)
  await app.dependencies.database.write(tx =>
    tx
      .updateTable('workspaces')
      .set({ deletes_at: now + dayMs })
      .where('id', '=', place.workspaceId)
      .execute(),
  )
  now += 5 * secondMs
  for (const key of [place.key, place.token]) {
    assert.equal((await app.request('GET', '/agents', { key })).body.code, 'workspace_deleted')
  }
})

test('a person leaves with their keys; the last owner stays, and a key cannot leave for anybody', async () => {
  const place = await newPlace()
  const guest = await app.createKey({ workspaceId: place.workspaceId, role: 'member' })
  const bob = await signIn(app, String(guest.caller.userId))
  const token = await bob.token({ workspaceId: place.workspaceId })
  const byKey = await app.request('POST', '/workspace/leave', { key: guest })
  assert.deepEqual([byKey.status, byKey.body.code], [403, 'permission_missing'])
  const dry = await app.request('POST', '/workspace/leave?dryRun=true', { key: token })
  assert.deepEqual(dry.body.data.effects[1], {
    effect: 'revoked',
    resource: 'api_key',
    count: 1,
    ids: [guest.id],
  })
  assert.equal((await app.request('POST', '/workspace/leave', { key: token })).status, 204)
  assert.equal((await app.request('GET', '/agents', { key: guest })).status, 401)
  assert.equal((await app.request('GET', '/agents', { key: token })).status, 401)
  const last = await app.request('POST', '/workspace/leave', { key: place.token })
  assert.deepEqual([last.status, last.body.code], [409, 'last_owner'])
})

test('an owner hands the workspace over and is an admin from then on', async () => {
  const place = await newPlace()
  const heir = await app.createKey({ workspaceId: place.workspaceId, role: 'viewer' })
  const { id: memberId } = await memberOf(place, String(heir.caller.userId))
  const invitation = await app.request('POST', '/workspace/members/invite', {
    key: place.token,
    body: { email: 'another.owner@example.com', role: 'owner' },
  })
  const own = await memberOf(place, place.ownerId)
  const toSelf = await app.request('POST', '/workspace/transfer', {
    key: place.token,
    body: { memberId: own.id },
  })
  assert.deepEqual([toSelf.status, toSelf.body.errors[0].field], [400, 'memberId'])
  const reply = await app.request('POST', '/workspace/transfer', { key: place.token, body: { memberId } })
  assert.deepEqual([reply.status, reply.body.data.role], [200, 'owner'])
  assert.equal((await memberOf(place, place.ownerId)).role, 'admin')
  const pending = await app.request('GET', `/workspace/invitations/${invitation.body.data.id}`, {
    key: place.key,
  })
  assert.equal(pending.body.data.status, 'revoked')
  const again = await app.request('POST', '/workspace/transfer', { key: place.token, body: { memberId } })
  assert.deepEqual([again.status, again.body.code], [403, 'permission_missing'])
  const neighbour = await newPlace()
  const foreign = await app.request('POST', '/workspace/transfer', {
    key: neighbour.token,
    body: { memberId },
  })
  assert.deepEqual([foreign.status, foreign.body.errors[0].field], [400, 'memberId'])
})

test('whatever owners do at once, one of them stays an owner', async () => {
  for (let round = 0; round < 5; round++) {
    const place = await newPlace()
    const other = await app.createKey({ workspaceId: place.workspaceId, role: 'owner' })
    const bob = await signIn(app, String(other.caller.userId))
    const token = await bob.token({ workspaceId: place.workspaceId })
    const [own, others] = [
      await memberOf(place, place.ownerId),
      await memberOf(place, String(other.caller.userId)),
    ]
    const replies = await Promise.all([
      app.request('POST', '/workspace/leave', { key: place.token }),
      app.request('POST', '/workspace/leave', { key: token }),
      app.request('PATCH', `/workspace/members/${own.id}`, { key: token, body: { role: 'viewer' } }),
      app.request('PATCH', `/workspace/members/${others.id}`, { key: place.token, body: { role: 'viewer' } }),
      app.request('POST', '/workspace/transfer', { key: token, body: { memberId: own.id } }),
      app.request('DELETE', `/workspace/members/${own.id}`, { key: token }),
    ])
    assert.ok(replies.every(({ status }) => status < 500))
    const owners = await app.dependencies.database.read
      .selectFrom('members')
      .select('id')
      .where('workspace_id', '=', place.workspaceId)
      .where('role', '=', 'owner')
      .execute()
    assert.ok(owners.length >= 1, JSON.stringify(replies.map(({ status, body }) => [status, body?.code])))
  }
})

test('a service account’s keys outlive the member who made them, and it neither owns nor exceeds anything', async () => {
  const place = await newPlace()
  const admin = await app.createKey({ workspaceId: place.workspaceId, role: 'admin' })
  const owner = await app.request('POST', '/workspace/members', {
    key: admin,
    body: { name: 'Robot', role: 'owner' },
  })
  assert.deepEqual([owner.status, owner.body.errors[0].field], [400, 'role'])
  const made = await app.request('POST', '/workspace/members', {
    key: admin,
    body: { name: 'Robot', role: 'member' },
  })
  assert.equal(made.status, 201)
  const { id: memberId, kind, userId } = made.body.data
  assert.equal(kind, 'service')
  const more = await app.request('POST', '/api-keys', {
    key: admin,
    body: { name: 'Robot', permissions: ['agents:read', 'audit:read'], memberId },
  })
  assert.deepEqual([more.status, more.body.errors[0].field], [400, 'permissions.1'])
  const key = await app.request('POST', '/api-keys', {
    key: admin,
    body: { name: 'Robot', permissions: ['agents:read'], memberId },
  })
  assert.deepEqual([key.status, key.body.data.userId], [201, userId])
  const { id: adminMember } = await memberOf(place, String(admin.caller.userId))
  await app.request('DELETE', `/workspace/members/${adminMember}`, { key: place.key })
  assert.equal((await app.request('GET', '/agents', { key: admin })).status, 401)
  assert.equal((await app.request('GET', '/agents', { key: key.body.data.key })).status, 200)

  for (const [path, method, body] of [
    [`/workspace/members/${memberId}`, 'PATCH', { role: 'owner' }],
    ['/workspace/transfer', 'POST', { memberId }],
  ] as const) {
    assert.equal((await app.request(method, path, { key: place.token, body })).status, 400)
  }
  await app.request('DELETE', `/workspace/members/${memberId}`, { key: place.key })
  assert.equal((await app.request('GET', '/agents', { key: key.body.data.key })).status, 401)
})

test('a key is made neither for a person, nor for another workspace’s account, nor for one above the maker’s role', async () => {
  const place = await newPlace()
  const neighbour = await newPlace()
  const wanted = { name: 'Robot', permissions: ['agents:read'] }
  const account = async (of: TestWorkspace, role: string) =>
    (await app.request('POST', '/workspace/members', { key: of.key, body: { name: 'Robot', role } })).body
      .data
  const own = await memberOf(place, place.ownerId)
  for (const { id } of [own, await account(neighbour, 'member')]) {
    const reply = await app.request('POST', '/api-keys', {
      key: place.key,
      body: { ...wanted, memberId: id },
    })
    assert.deepEqual([reply.status, reply.body.errors[0].field], [400, 'memberId'])
  }
})
