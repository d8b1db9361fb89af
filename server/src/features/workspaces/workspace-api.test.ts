import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { exampleId } from '../../platform/schemas.ts'
import { startTestApp, type TestApp, type TestKey } from '../../testing/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.close())

test('a key of a member who is removed is dead at once, and the preview named it', async () => {
  const theirs = await app.createKey({ role: 'member' })
  const path = `/workspace/members/${await memberIdOf(theirs)}`
  const preview = await app.request('DELETE', path, { query: { dryRun: 'true' } })
  assert.deepEqual(preview.body.data.effects[1], {
    effect: 'revoked',
    resource: 'api_key',
    count: 1,
    ids: [theirs.id],
  })
  assert.equal((await app.request('GET', '/workspace', { key: theirs })).status, 200)
  assert.equal((await app.request('DELETE', path)).status, 204)
  assert.equal((await app.request('GET', '/workspace', { key: theirs })).status, 401)
  assert.equal((await app.request('GET', path)).status, 404)
})

test('a demoted member loses what the new role does not allow at once', async () => {
  const theirs = await app.createKey({ role: 'admin' })
  assert.equal((await app.request('GET', '/audit-log', { key: theirs })).status, 200)
  const path = `/workspace/members/${await memberIdOf(theirs)}`
  const changed = await app.request('PATCH', path, { body: { role: 'viewer' } })
  assert.deepEqual([changed.status, changed.body.data.role], [200, 'viewer'])
  assert.equal((await app.request('GET', '/audit-log', { key: theirs })).status, 403)
})

test('the last owner gets a 409 with the code last_owner, and an admin a 403 for an owner', async () => {
  const workspace = await app.createWorkspace()
  const owner = await app.createKey({ ...workspace, userId: workspace.ownerId, role: 'owner' })
  const admin = await app.createKey({ workspaceId: workspace.workspaceId, role: 'admin' })
  const path = `/workspace/members/${await memberIdOf(owner)}`
  const demoted = await app.request('PATCH', path, { key: owner, body: { role: 'admin' } })
  assert.deepEqual([demoted.status, demoted.body.code], [409, 'last_owner'])
  assert.equal((await app.request('DELETE', path, { key: owner })).body.code, 'last_owner')
  assert.equal((await app.request('DELETE', path, { key: admin })).body.code, 'permission_missing')
})

test('a test key reads members and teams, and changes neither', async () => {
  const key = app.testKey
  const { body } = await app.request('GET', '/workspace/members', { key })
  assert.ok(body.meta.total >= 1)
  assert.equal((await app.request('GET', '/workspace/teams', { key })).status, 200)
  const id = body.data[0].id
  const team = exampleId('team')
  const writes: [string, string, unknown?][] = [
    ['PATCH', `/workspace/members/${id}`, { role: 'viewer' }],
    ['DELETE', `/workspace/members/${id}`],
    ['POST', '/workspace/teams', { name: 'Sandbox' }],
    ['PATCH', `/workspace/teams/${team}`, { name: 'Sandbox' }],
    ['DELETE', `/workspace/teams/${team}`],
    ['PUT', `/workspace/teams/${team}/members/${id}`],
    ['DELETE', `/workspace/teams/${team}/members/${id}`],
  ]
  for (const [method, path, sent] of writes) {
    const reply = await app.request(method, path, { key, body: sent })
    assert.deepEqual([reply.status, reply.body.code], [403, 'sandbox_forbidden'], `${method} ${path}`)
  }
})

test('a team is made, filled, listed, changed under If-Match and deleted over HTTP', async () => {
  const made = await app.request('POST', '/workspace/teams', { body: { name: 'Support' } })
  assert.equal(made.status, 201)
  const path = `/workspace/teams/${made.body.data.id}`
  assert.equal(made.headers.location, `/api/v1${path}`)
  const again = await app.request('POST', '/workspace/teams', { body: { name: 'Support' } })
  assert.deepEqual([again.status, again.body.code], [409, 'already_exists'])
  assert.deepEqual(again.body.details, { resource: 'team', field: 'name', id: made.body.data.id })

  const memberId = await memberIdOf(app.liveKey)
  const joined = await app.request('PUT', `${path}/members/${memberId}`)
  assert.deepEqual(joined.body.data.teamIds, [made.body.data.id])
  assert.equal((await app.request('GET', `${path}/members`)).body.meta.total, 1)
  const filtered = await app.request('GET', '/workspace/members', { query: { teamId: made.body.data.id } })
  assert.deepEqual(filtered.body.data, [joined.body.data])
  const foreign = await app.request('GET', '/workspace/members', { query: { teamId: exampleId('team') } })
  assert.deepEqual([foreign.status, foreign.body.errors[0].field], [400, 'teamId'])

  const renamed = { body: { name: 'Help' }, headers: { 'if-match': String(made.headers.etag) } }
  assert.equal((await app.request('PATCH', path, renamed)).status, 412)
  const { headers } = await app.request('GET', path)
  const current = { body: { name: 'Help' }, headers: { 'if-match': String(headers.etag) } }
  assert.equal((await app.request('PATCH', path, current)).body.data.name, 'Help')
  assert.equal((await app.request('PATCH', path, { body: {} })).status, 400)
  assert.equal((await app.request('PATCH', path, { body: { name: '  ' } })).body.errors[0].field, 'name')

  const stale = { headers: { 'if-match': `"${memberId}.1"` } }
  for (const method of ['PUT', 'DELETE']) {
    assert.equal((await app.request(method, `${path}/members/${memberId}`, stale)).status, 412, method)
  }
  assert.equal((await app.request('DELETE', `${path}/members/${memberId}`)).status, 204)
  const preview = await app.request('DELETE', path, { query: { dryRun: 'true' } })
  assert.deepEqual(
    preview.body.data.effects.map(({ effect, count }: { effect: string; count: number }) => [effect, count]),
    [
      ['deleted', 1],
      ['detached', 0],
    ],
  )
  assert.equal((await app.request('DELETE', path)).status, 204)
  assert.equal((await app.request('GET', path)).status, 404)
})

test('an invitation goes from the API to the page and back: invite, open, accept, member', async () => {
  const invited = await app.request('POST', '/workspace/members/invite', {
    body: { email: 'Grace@Example.com', message: 'Hi <script>alert(1)</script>' },
    headers: { 'idempotency-key': 'invite-grace' },
  })
  assert.equal(invited.status, 201)
  const { id, acceptUrl, ...rest } = invited.body.data
  assert.deepEqual([rest.email, rest.role, rest.status], ['grace@example.com', 'member', 'pending'])
  const path = new URL(acceptUrl).pathname
  assert.match(path, /^\/invitations\/[0-9A-Za-z]{43}$/)

  const repeated = await app.request('POST', '/workspace/members/invite', {
    body: { email: 'Grace@Example.com', message: 'Hi <script>alert(1)</script>' },
    headers: { 'idempotency-key': 'invite-grace' },
  })
  assert.equal(repeated.headers['idempotency-replayed'], 'true')
  assert.ok(!JSON.stringify(repeated.body).includes(acceptUrl), 'a repeated reply holds no link')
  assert.ok(
    !JSON.stringify((await app.request('GET', `/workspace/invitations/${id}`)).body).includes(
      '/invitations/',
    ),
  )

  const page = await app.app.server.inject({ method: 'GET', url: path })
  assert.equal(page.statusCode, 200)
  assert.match(String(page.headers['content-type']), /^text\/html/)
  assert.match(String(page.headers['content-security-policy']), /default-src 'none'/)
  assert.doesNotMatch(page.body, /<script/)
  const answer = (form: string) =>
    app.app.server.inject({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: form,
    })
  assert.equal((await answer('decision=accept')).statusCode, 400)
  assert.equal((await answer('decision=accept&name=Grace+Hopper')).statusCode, 400)
  const joined = await answer('decision=accept&name=Grace+Hopper&password=correct+horse+battery')
  assert.deepEqual([joined.statusCode, joined.headers.location], [303, '/'])
  assert.match((await answer('decision=accept&name=Grace+Hopper')).body, /accepted/)

  const members = await app.request('GET', '/workspace/members')
  const grace = members.body.data.find(({ email }: { email: string }) => email === 'grace@example.com')
  assert.deepEqual([grace.name, grace.role], ['Grace Hopper', 'member'])
  const listed = await app.request('GET', '/workspace/invitations', { query: { status: 'accepted' } })
  assert.deepEqual(
    listed.body.data.map((item: { id: string }) => item.id),
    [id],
  )
})

test('a revocation can be tried dry: it tells what would end, and ends nothing', async () => {
  const invited = await app.request('POST', '/workspace/members/invite', {
    body: { email: 'dry@example.com' },
  })
  const { id } = invited.body.data
  const path = `/workspace/invitations/${id}/revoke`
  const effectOf = async () =>
    (await app.request('POST', path, { query: { dryRun: 'true' } })).body.data.effects
  assert.deepEqual(await effectOf(), [{ effect: 'revoked', resource: 'invitation', count: 1, ids: [id] }])
  assert.equal((await app.request('POST', path)).body.data.status, 'revoked')
  assert.deepEqual(await effectOf(), [{ effect: 'revoked', resource: 'invitation', count: 0, ids: [] }])
})

test('a new person whom two workspaces invite can accept both at the same moment', async () => {
  const neighbour = await app.createWorkspace()
  const keys = [
    app.liveKey,
    await app.createKey({ workspaceId: neighbour.workspaceId, userId: neighbour.ownerId }),
  ]
  const accepted = await Promise.all(
    keys.map(async key => {
      const body = { email: 'wanted@example.com' }
      const invited = await app.request('POST', '/workspace/members/invite', { key, body })
      const token = new URL(invited.body.data.acceptUrl).pathname.split('/').at(-1)
      return { key, token }
    }),
  )
  const replies = await Promise.all(
    accepted.map(({ key, token }) =>
      app.request('POST', '/workspace/invitations/accept', { key, body: { token, name: 'Wanted' } }),
    ),
  )
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200],
  )
})

test('an application accepts with the token, and bad input is named field by field', async () => {
  const { body } = await app.request('POST', '/workspace/members/invite', {
    body: { email: 'api@example.com' },
  })
  const token = new URL(body.data.acceptUrl).pathname.split('/').at(-1)
  const nameless = await app.request('POST', '/workspace/invitations/accept', { body: { token } })
  assert.deepEqual([nameless.status, nameless.body.errors[0].field], [400, 'name'])
  const accepted = await app.request('POST', '/workspace/invitations/accept', {
    body: { token, name: 'Api' },
  })
  assert.match(accepted.body.data.memberId, /^mem_/)
  const twice = await app.request('POST', '/workspace/invitations/accept', { body: { token, name: 'Api' } })
  assert.equal(twice.status, 409)

  const faulty = await app.request('POST', '/workspace/members/invite', {
    body: { email: 'no address', role: 'king', teamIds: ['nonsense'], message: 'x'.repeat(1001), extra: 1 },
  })
  const fields = faulty.body.errors.map(({ field }: { field: string }) => field).sort()
  assert.deepEqual(fields, ['email', 'extra', 'message', 'role', 'teamIds.0'])
  const unknown = await app.request('POST', '/workspace/members/invite', {
    body: { email: 'address@example.com', teamIds: [exampleId('team')], message: 'fine' },
  })
  assert.deepEqual(
    unknown.body.errors.map(({ field }: { field: string }) => field),
    ['teamIds.0'],
  )
})

test('text that a database cannot hold is a 400, not a 500', async () => {
  for (const body of [{ name: 'nul\u0000' }, { name: 'fine', description: 'lone \ud800 surrogate\u0000' }]) {
    assert.equal((await app.request('POST', '/workspace/teams', { body })).status, 400)
  }
})

test("a test key's invitation is accepted without making a member", async () => {
  const key = app.testKey
  const { body } = await app.request('POST', '/workspace/members/invite', {
    key,
    body: { email: 'sim@example.com' },
  })
  assert.deepEqual([body.data.delivery, body.data.status], ['simulated', 'pending'])
  assert.equal((await app.request('GET', `/workspace/invitations/${body.data.id}`)).status, 404)
  const token = new URL(body.data.acceptUrl).pathname.split('/').at(-1)
  const accepted = await app.request('POST', '/workspace/invitations/accept', { key, body: { token } })
  assert.deepEqual([accepted.body.data.status, accepted.body.data.memberId], ['accepted', null])
  const members = await app.request('GET', '/workspace/members', { query: { pageSize: 100 } })
  assert.ok(!JSON.stringify(members.body).includes('sim@example.com'))
})

async function memberIdOf({ caller }: TestKey): Promise<string> {
  const { id } = await app.dependencies.database.read
    .selectFrom('members')
    .select('id')
    .where('workspace_id', '=', caller.scope.workspaceId)
    .where('user_id', '=', caller.userId ?? '')
    .executeTakeFirstOrThrow()
  return id
}
