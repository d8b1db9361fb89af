/** Workspaces that people make by themselves: as many as one may own, on the operator's plan, furnished like the first. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fromPage, type SignedIn, signIn } from '../../testing/apps/signed-in.ts'
import { startTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp

before(async () => {
  app = await startTestApp({
    settings: { ATRIUM_NEW_WORKSPACE_PLAN: 'starter', ATRIUM_OWNED_WORKSPACES: '3' },
  })
})
after(() => app.close())

const person = async (): Promise<SignedIn> =>
  signIn(app, String((await app.createKey({ role: 'viewer' })).caller.userId))

const make = (ada: SignedIn, name: string) => ada.request('POST', '/console/workspaces', { body: { name } })

test('a person makes a workspace, owns it, and finds an agent and a sandbox that answers in it', async () => {
  const ada = await person()
  const reply = await make(ada, ' Heron Works ')
  assert.equal(reply.status, 201)
  const { id: workspaceId, ...rest } = reply.body.data
  const { plan, role, name, slug, deletesAt } = rest
  assert.deepEqual([plan, role, name, deletesAt], ['starter', 'owner', 'Heron Works', null])
  assert.equal(slug, 'heron-works')
  const live = await ada.token({ workspaceId })
  assert.equal((await app.request('GET', '/agents', { key: live })).body.meta.total, 1)
  const test = await ada.token({ workspaceId, environment: 'test' })
  const collections = await app.request('GET', '/knowledge/collections', { key: test })
  assert.equal(collections.body.meta.total, 1)
  const log = await app.request('GET', '/audit-log?action=workspace.create', { key: live })
  assert.deepEqual([log.body.data[0].actor, log.body.data[0].userId], ['person', ada.userId])
})

test('two workspaces of one name have slugs of their own, also when they are made at once', async () => {
  const people = await Promise.all([person(), person(), person()])
  const replies = await Promise.all(people.map(ada => make(ada, 'Twins')))
  assert.deepEqual(
    replies.map(({ status }) => status),
    [201, 201, 201],
  )
  assert.equal(new Set(replies.map(({ body }) => body.data.slug)).size, 3)
})

test('one person makes no more than the setting allows, whatever they ask at once, and deleting makes no room', async () => {
  const ada = await person()
  const names = ['A', 'B', 'C', 'D', 'E']
  // On PostgreSQL, a request that finds no open connection comes when the others are done.
  await Promise.all(names.map(() => app.dependencies.database.write(() => sleep(20))))
  const replies = await Promise.all(names.map(name => make(ada, name)))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 201, 201, 403, 403])
  const refused = replies.find(({ status }) => status === 403)
  assert.equal(refused?.body.code, 'workspace_limit')
  const { id: workspaceId, slug } = replies.find(({ status }) => status === 201)?.body.data ?? {}
  const key = await ada.token({ workspaceId })
  const deleted = await app.request('DELETE', '/workspace', { key, body: { confirm: slug } })
  assert.equal(deleted.status, 200)
  assert.equal((await make(ada, 'F')).body.code, 'workspace_limit')
  const path = `/console/workspaces/${workspaceId}/restore`
  assert.equal((await ada.request('POST', path)).status, 200)
  // Again changes nothing.
  assert.equal((await ada.request('POST', path)).status, 200)
})

test('a workspace is made neither without a session, nor from another page, nor without a name', async () => {
  const ada = await person()
  const body = { name: 'Nothing' }
  assert.equal((await fromPage(app, 'POST', '/console/workspaces', { body })).body.code, 'sign_in_required')
  const headers = { origin: 'https://evil.example' }
  const foreign = await ada.request('POST', '/console/workspaces', { body, headers })
  assert.equal(foreign.body.code, 'origin_forbidden')
  for (const name of ['', ' ', 'x'.repeat(101), 'a\0b', 7]) {
    const reply = await ada.request('POST', '/console/workspaces', { body: { name } })
    assert.deepEqual([reply.status, reply.body.errors[0].field], [400, 'name'], JSON.stringify(name))
  }
  for (const id of ['x', '%00', 'wsp_01kajz4v7qf3x8m2c9t5b6n0rw']) {
    assert.equal((await ada.request('POST', `/console/workspaces/${id}/restore`)).status, 404)
  }
})
