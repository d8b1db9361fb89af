/** Persons in the API: a token for minutes, worth what the role is worth now, and nothing once the session has ended. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Role, rolePermissions, roles } from '../../platform/caller.ts'
import { minuteMs, secondMs } from '../../platform/clock.ts'
import { fromPage, signIn } from '../../testing/apps/signed-in.ts'
import { startTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let now = Date.now()

before(async () => {
  app = await startTestApp({ clock: () => now, settings: { ATRIUM_ANONYMOUS_RATE: '10000' } })
})
after(() => app.close())

const person = async (role: Role = 'owner') =>
  signIn(app, String((await app.createKey({ role })).caller.userId))

const ask = (token: string, method = 'GET', path = '/workspace', body?: unknown) =>
  app.request(method, path, { key: token, body })

test('a visitor who is not signed in learns what the sign-in page has to know, and nothing of any person', async () => {
  const reply = await fromPage(app, 'GET', '/console/session')
  assert.equal(reply.status, 200)
  const { person, workspaces, ...entrance } = reply.body.data
  assert.deepEqual([person, workspaces], [null, []])
  assert.deepEqual(Object.keys(entrance).sort(), [
    'mailConfigured',
    'setupRequired',
    'signUpOpen',
    'singleSignOn',
  ])
})

test('a session shows the person and each of their workspaces with their role in it', async () => {
  const ada = await person('member')
  const { body } = await ada.request('GET', '/console/session')
  assert.equal(body.data.person.id, ada.userId)
  assert.deepEqual(
    body.data.workspaces.map(({ id, role, deletesAt }: Record<string, unknown>) => ({ id, role, deletesAt })),
    [{ id: app.workspaceId, role: 'member', deletesAt: null }],
  )
})

test('a token says what it is good for, and acts for the person in that workspace and environment', async () => {
  const ada = await person('admin')
  const wanted = { workspaceId: app.workspaceId, environment: 'test' }
  const reply = await ada.request('POST', '/console/token', { body: wanted })
  assert.equal(reply.status, 200)
  const { token, expiresAt, ...said } = reply.body.data
  assert.equal(expiresAt, new Date(now + 10 * minuteMs).toISOString())
  assert.deepEqual(said, { ...wanted, role: 'admin', permissions: [...rolePermissions.admin] })
  const agent = await ask(token, 'POST', '/agents', { name: 'Made by a person' })
  assert.equal(agent.status, 201)
  assert.equal((await app.request('GET', `/agents/${agent.body.data.id}`)).status, 404)
  assert.equal((await app.request('GET', `/agents/${agent.body.data.id}`, { key: app.testKey })).status, 200)
  const [entry] = (await ask(token, 'GET', `/audit-log?resourceId=${agent.body.data.id}`)).body.data
  assert.deepEqual([entry.actor, entry.userId, entry.keyId], ['person', ada.userId, null])
})

for (const role of roles) {
  test(`a person with the role ${role} may exactly what the role allows`, async () => {
    const token = await (await person(role)).token()
    const reads = [
      ['/agents', 'agents:read'],
      ['/api-keys', 'keys:read'],
      ['/audit-log', 'audit:read'],
      ['/usage', 'usage:read'],
      ['/workspace/members', 'members:read'],
    ] as const
    for (const [path, permission] of reads) {
      const reply = await ask(token, 'GET', path)
      assert.equal(reply.status, rolePermissions[role].includes(permission) ? 200 : 403, path)
      if (reply.status === 403)
        assert.match(reply.body.message, new RegExp(`Your role, ${role}, .*${permission}`))
    }
  })
}

test('a token ends with its ten minutes, and a changed one was never one', async () => {
  const ada = await person()
  const token = await ada.token()
  assert.equal((await ask(token)).status, 200)
  assert.equal((await ask(`${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`)).status, 401)
  now += 10 * minuteMs - 1
  assert.equal((await ask(token)).status, 200)
  now += 1
  const late = await ask(token)
  assert.deepEqual([late.status, late.body.code], [401, 'unauthenticated'])
})

test('a token is refused at once after the session was ended in this process, and within five seconds elsewhere', async () => {
  const ada = await person()
  const token = await ada.token()
  assert.equal((await ask(token)).status, 200)
  await app.app.services.sessions.end(ada.userId, ada.sessionId)
  assert.equal((await ask(token)).status, 401)
  assert.equal((await ada.request('GET', '/console/session')).body.data.person, null)

  const again = await signIn(app, ada.userId)
  const second = await again.token()
  assert.equal((await ask(second)).status, 200)
  await app.dependencies.database.write(tx =>
    tx.deleteFrom('sessions').where('id', '=', again.sessionId).execute(),
  )
  now += 5 * secondMs
  assert.equal((await ask(second)).status, 401)
})

test('a token is worth less at once after a demotion, and nothing after the removal', async () => {
  const ada = await person('admin')
  const token = await ada.token()
  const members = await app.request('GET', '/workspace/members?pageSize=100')
  const { id } = members.body.data.find(({ userId }: { userId: string }) => userId === ada.userId)
  assert.equal((await ask(token, 'GET', '/api-keys')).status, 200)
  await app.request('PATCH', `/workspace/members/${id}`, { body: { role: 'viewer' } })
  assert.equal((await ask(token, 'GET', '/api-keys')).status, 403)
  assert.equal((await ask(token, 'GET', '/agents')).status, 200)
  await app.request('DELETE', `/workspace/members/${id}`)
  assert.equal((await ask(token, 'GET', '/agents')).status, 401)
  const none = await ada.request('POST', '/console/token', {
    body: { workspaceId: app.workspaceId, environment: 'live' },
  })
  assert.deepEqual([none.status, none.body.errors[0].field], [400, 'workspaceId'])
})

test('a token for a workspace says nothing in another, and no person gets one for a workspace of others', async () => {
  const neighbour = await app.createWorkspace()
  const there = await signIn(app, neighbour.ownerId)
  const refused = await there.request('POST', '/console/token', {
    body: { workspaceId: app.workspaceId, environment: 'live' },
  })
  const unknown = await there.request('POST', '/console/token', {
    body: { workspaceId: `${app.workspaceId.slice(0, -4)}0000`, environment: 'live' },
  })
  assert.equal(refused.status, 400)
  assert.deepEqual({ ...refused.body, requestId: '' }, { ...unknown.body, requestId: '' })
  const agent = await app.request('POST', '/agents', { body: { name: 'Ours' } })
  const token = await there.token({ workspaceId: neighbour.workspaceId })
  assert.equal((await ask(token, 'GET', `/agents/${agent.body.data.id}`)).status, 404)
})

test('what changes something on the word of a cookie must come from a page of this server', async () => {
  const ada = await person()
  const body = { workspaceId: app.workspaceId, environment: 'live' }
  for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:1']) {
    const reply = await ada.request('POST', '/console/token', { body, headers: { origin } })
    assert.deepEqual([reply.status, reply.body.code], [403, 'origin_forbidden'], origin)
  }
  const without = await ada.request('POST', '/console/token', { body, headers: { origin: undefined } })
  assert.equal(without.body.code, 'origin_forbidden')
  const unknown = await fromPage(app, 'POST', '/console/token', { body })
  assert.deepEqual([unknown.status, unknown.body.code], [401, 'sign_in_required'])
})

test('every faulty field of a request for a token is named, and a body that no request needs is refused', async () => {
  const ada = await person()
  const faulty = await ada.request('POST', '/console/token', { body: { workspaceId: 'x', enviroment: 'y' } })
  assert.deepEqual(faulty.body.errors.map(({ field }: { field: string }) => field).sort(), [
    'enviroment',
    'environment',
    'workspaceId',
  ])
  const huge = await ada.request('POST', '/console/token', { body: { workspaceId: 'x'.repeat(20_000) } })
  assert.deepEqual([huge.status, huge.body.code], [413, 'payload_too_large'])
  assert.match(String(huge.headers['x-ratelimit-limit']), /^\d+$/)
})

test('a plan without an API does not stop persons', async () => {
  const { workspaceId, ownerId } = await app.createWorkspace('free')
  const token = await (await signIn(app, ownerId)).token({ workspaceId })
  assert.equal((await ask(token)).status, 200)
})

test('an Idempotency-Key of a person belongs to the workspace and environment that it was sent to', async () => {
  const ada = await person()
  const headers = { 'idempotency-key': 'the same everywhere' }
  const ids = new Set<string>()
  for (const environment of ['live', 'test', 'live'] as const) {
    const key = await ada.token({ environment })
    const reply = await app.request('POST', '/agents', { key, headers, body: { name: 'Once' } })
    assert.equal(reply.status, 201)
    ids.add(reply.body.data.id)
  }
  assert.equal(ids.size, 2)
})

test('nothing that is logged shows a token, and nothing that is stored does', async () => {
  const ada = await person()
  const token = await ada.token()
  app.dependencies.log.info('A line that names it', { token, header: `Bearer ${token}` })
  await ask(token, 'POST', '/agents', { name: 'Quiet' })
  assert.ok(!app.logLines.join('').includes(token.slice(0, 60)))
  const { database } = app.dependencies
  for (const table of ['sessions', 'audit_log', 'idempotency'] as const) {
    assert.ok(!JSON.stringify(await database.read.selectFrom(table).selectAll().execute()).includes(token))
  }
})

test('a person has a limit of their own in each workspace, and the keys keep theirs', async () => {
  const small = await startTestApp({ settings: { ATRIUM_PERSON_RATE: '3' } })
  try {
    const ada = await signIn(small, small.ownerId)
    const token = await ada.token()
    const replies = []
    for (let i = 0; i < 4; i++) replies.push(await small.request('GET', '/workspace', { key: token }))
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200, 200, 429],
    )
    assert.equal((await small.request('GET', '/workspace')).status, 200)
    const { workspaceId, ownerId } = await small.createWorkspace()
    const elsewhere = await (await signIn(small, ownerId)).token({ workspaceId })
    assert.equal((await small.request('GET', '/workspace', { key: elsewhere })).status, 200)
  } finally {
    await small.close()
  }
})

test('a client with ended tokens is counted by its address, and locks out no person who is signed in', async () => {
  const small = await startTestApp({ settings: { ATRIUM_ANONYMOUS_RATE: '3' } })
  try {
    const ada = await signIn(small, small.ownerId)
    const gone = await signIn(small, small.ownerId)
    const [token, ended] = [await ada.token(), await gone.token()]
    assert.equal((await small.request('GET', '/workspace', { key: token })).status, 200)
    await small.app.services.sessions.end(gone.userId, gone.sessionId)
    const statuses = []
    for (let i = 0; i < 5; i++) {
      statuses.push((await small.request('GET', '/workspace', { key: ended })).status)
    }
    assert.deepEqual(statuses, [401, 401, 401, 429, 429])
    assert.equal((await small.request('GET', '/workspace', { key: token })).status, 200)
    assert.equal((await ada.request('GET', '/console/session')).status, 200)
  } finally {
    await small.close()
  }
})

test('when a person was last active is what the members’ list shows', async () => {
  const ada = await person('member')
  await ask(await ada.token())
  await app.app.services.authenticator.flush()
  const members = await app.request('GET', '/workspace/members?pageSize=100')
  const shown = members.body.data.find(({ userId }: { userId: string }) => userId === ada.userId)
  assert.equal(shown.lastActiveAt, new Date(now).toISOString())
})
