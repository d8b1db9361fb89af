/** A kept reply is repeated only to a caller whose access is still what it was, and only while its record is there. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startScriptedApp } from '../../testing/apps/scripted-source.ts'
import { addToTeam, createTeam, join, keepTo, removeFromTeam } from '../../testing/apps/team-access.ts'
import { eventually } from '../../testing/eventually.ts'
import { createCollection } from '../../testing/knowledge/knowledge.ts'
import { startTestApp, type TestApp, type TestKey, type TestReply } from '../../testing/test-app.ts'
import { exampleUrlOf } from '../../testing/walked-routes.ts'
import { isRead, type Route } from '../route.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ settings: { ATRIUM_PLAN_ENTERPRISE: 'requestsPerMinute=100000' } })
})
const closing: (() => Promise<void>)[] = []
after(async () => {
  await app.close()
  for (const close of closing) await close()
})

const isReplayed = (reply: TestReply): boolean => reply.headers['idempotency-replayed'] === 'true'

const assertRefused = (reply: TestReply): void => {
  assert.equal(reply.status, 409, JSON.stringify(reply.body))
  assert.equal(reply.body.code, 'idempotency_interrupted')
  assert.equal(reply.body.data, undefined)
}

const narrow = async (key: TestKey, body: object): Promise<void> => {
  const reply = await app.request('PATCH', `/api-keys/${key.id}`, { body })
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
}

const createDocument = (key: TestKey, collectionId: string, idempotencyKey: string) => {
  const form = new FormData()
  form.set('collectionId', collectionId)
  form.set('file', new File(['The vault opens at midnight.'], 'vault.txt', { type: 'text/plain' }))
  return app.request('POST', '/knowledge/documents', {
    key,
    form,
    headers: { 'idempotency-key': idempotencyKey },
  })
}

test('no write of any route is repeated to a key that has been narrowed since', async () => {
  const key = await app.createKey({ environment: 'test' })
  const collectionId = await createCollection(app, app.testKey, 'narrowing')
  const trashed = await createCollection(app, app.testKey, 'in the trash')
  await app.request('DELETE', `/knowledge/collections/${trashed}`, { key: app.testKey })
  const writes = app.app.routes.filter(
    route => !isRead(route) && !route.liveOnly && !route.upload && !route.streamedBody,
  )
  const send = (route: Route) =>
    app.request(route.method, exampleUrlOf(route), {
      key,
      headers: { 'idempotency-key': route.operationId },
      body: route.bodyExample,
    })
  const replayed: Route[] = []
  for (const route of writes) {
    await send(route)
    if (isReplayed(await send(route))) replayed.push(route)
  }
  assert.ok(replayed.length > writes.length / 2, `${replayed.length} of ${writes.length}`)
  await narrow(key, { collectionIds: [collectionId] })
  for (const route of replayed) {
    const reply = await send(route)
    assert.ok(!isReplayed(reply), route.operationId)
    // What belongs to the whole workspace is closed to a narrowed key, whatever it asked for before.
    if (route.wholeWorkspace) assert.equal(reply.body.details.needs, 'whole_workspace')
    else assertRefused(reply)
  }
})

test('a reply is not repeated to a key that has lost a permission, be it another one than the route’s', async () => {
  const key = await app.createKey()
  const collectionId = await createCollection(app, app.liveKey, 'permissions')
  assert.equal((await createDocument(key, collectionId, 'p1')).status, 201)
  assert.ok(isReplayed(await createDocument(key, collectionId, 'p1')))
  await narrow(key, { permissions: ['knowledge:write'] })
  assertRefused(await createDocument(key, collectionId, 'p1'))
  await narrow(key, { permissions: ['knowledge:read'] })
  assert.equal((await createDocument(key, collectionId, 'p1')).status, 403)
})

test('a reply is not repeated to a member from whom a team keeps something since, and is again once they are in it', async () => {
  const teamId = await createTeam(app, 'Guards')
  const member = await join(app)
  const collectionId = await createCollection(app, app.liveKey, 'vault')
  const send = () => createDocument(member.key, collectionId, 't1')
  assert.equal((await send()).status, 201)
  await keepTo(app, `/knowledge/collections/${collectionId}`, [teamId])
  assertRefused(await send())
  await addToTeam(app, teamId, member)
  assert.ok(isReplayed(await send()))
  await removeFromTeam(app, teamId, member)
  assertRefused(await send())
})

test('what is made and kept to a team afterwards takes no reply from a member', async () => {
  const teamId = await createTeam(app, 'Others')
  const member = await join(app)
  const collectionId = await createCollection(app, app.liveKey, 'open')
  const send = () => createDocument(member.key, collectionId, 't2')
  assert.equal((await send()).status, 201)
  const later = await createCollection(app, app.liveKey, 'made later')
  await keepTo(app, `/knowledge/collections/${later}`, [teamId])
  assert.ok(isReplayed(await send()))
})

test('a reply is not repeated once its record is deleted, but that of the deletion is', async () => {
  const { collectionId, document } = await withDocument('deletion')
  const send = () => createDocument(app.liveKey, collectionId, 'd1')
  const path = `/knowledge/documents/${document}`
  const headers = { 'idempotency-key': 'd2' }
  assert.equal((await app.request('DELETE', path, { headers })).status, 204)
  assertRefused(await send())
  const again = await app.request('DELETE', path, { headers })
  assert.equal(again.status, 204)
  assert.ok(isReplayed(again))
})

async function withDocument(name: string): Promise<{ collectionId: string; document: string }> {
  const collectionId = await createCollection(app, app.liveKey, name)
  const reply = await createDocument(app.liveKey, collectionId, 'd1')
  assert.equal(reply.status, 201)
  return { collectionId, document: reply.body.data.id }
}

test('the reply to an upload of many files is not repeated once any of them is erased', async () => {
  const collectionId = await createCollection(app, app.liveKey, 'many')
  const send = () => {
    const form = new FormData()
    form.set('collectionId', collectionId)
    for (const name of ['a.txt', 'b.txt']) form.append('file', new File([name], name, { type: 'text/plain' }))
    return app.request('POST', '/knowledge/documents/batch', { form, headers: { 'idempotency-key': 'm1' } })
  }
  const { data } = (await send()).body
  const path = `/knowledge/documents/${data.files[1].document.id}`
  assert.equal((await app.request('DELETE', path, { query: { erase: 'true' } })).status, 204)
  await eventually('the reply is dropped', async () => !isReplayed(await send()))
  assertRefused(await send())
})

test('the reply to an upload is not repeated while its collection is in the trash', async () => {
  const collectionId = await createCollection(app, app.liveKey, 'to the trash')
  const send = () => createDocument(app.liveKey, collectionId, 'c1')
  assert.equal((await send()).status, 201)
  const path = `/knowledge/collections/${collectionId}`
  assert.equal((await app.request('DELETE', path)).status, 204)
  assertRefused(await send())
  const restored = await app.request('POST', `/knowledge/collections/${collectionId}/restore`)
  assert.equal(restored.status, 200, JSON.stringify(restored.body))
  assert.ok(isReplayed(await send()))
})

test('a key that was narrowed and widened again is repeated no reply of what went beyond its reach meanwhile', async () => {
  const { app: scripted, source, connect } = await startScriptedApp({ after: close => closing.push(close) })
  source.put('a', 'The text of a')
  const [open, kept] = [
    await createCollection(scripted, scripted.liveKey, 'open'),
    await createCollection(scripted, scripted.liveKey, 'kept'),
  ]
  const connection = await connect()
  const point = (collectionId: string) =>
    scripted.request('PATCH', `/integrations/${connection}`, { body: { sync: { collectionId } } })
  assert.equal((await point(open)).status, 200)
  const key = await scripted.createKey({ collectionIds: [open], userId: scripted.ownerId })
  const send = () =>
    scripted.request('PATCH', `/integrations/${connection}`, {
      key,
      body: { name: 'Renamed' },
      headers: { 'idempotency-key': 'n1' },
    })
  assert.equal((await send()).status, 200)
  assert.ok(isReplayed(await send()))
  const narrowTo = (collectionIds: string[]) =>
    scripted.request('PATCH', `/api-keys/${key.id}`, { body: { collectionIds } })
  assert.equal((await narrowTo([open, kept])).status, 200)
  assertRefused(await send())
  assert.equal((await narrowTo([open])).status, 200)
  assert.ok(isReplayed(await send()))
  assert.equal((await point(kept)).status, 200)
  assertRefused(await send())
})
