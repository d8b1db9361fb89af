import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpFailure } from '@atrium/connectors'
import { startScriptedApp } from '../../../testing/apps/scripted-source.ts'
import { eventually } from '../../../testing/eventually.ts'
import { untilNoJobs } from '../../../testing/knowledge/knowledge.ts'

const minuteMs = 60_000

test('a connection is synchronized by its schedule, and everything is listed once a day', async t => {
  const { app, source, connect, request, pass } = await startScriptedApp(t)
  source.put('a', 'The text of a')
  const id = await connect()
  const set = await request('PATCH', `/integrations/${id}`, { body: { sync: { everyMinutes: 30 } } })
  assert.equal(set.status, 200)
  assert.equal(set.body.data.sync.everyMinutes, 30)
  assert.equal(await app.app.services.sweepSchedules(), 1, 'at once, since it was never synchronized')
  assert.equal(await app.app.services.sweepSchedules(), 0)
  const ended = async () => {
    const { body } = await request('GET', `/integrations/${id}/syncs`)
    return body.data.filter(({ finishedAt }: { finishedAt: string | null }) => finishedAt !== null)
  }
  await eventually('the first sync has ended', async () => (await ended()).length === 1)
  const shown = await request('GET', `/integrations/${id}`)
  const waitMs = Date.parse(shown.body.data.sync.nextSyncAt) - Date.now()
  assert.ok(waitMs > 26 * minuteMs && waitMs < 34 * minuteMs, `in about half an hour: ${waitMs} ms`)
  pass(34 * minuteMs)
  assert.equal(await app.app.services.sweepSchedules(), 1)
  await eventually('the second sync has ended', async () => (await ended()).length === 2)
  pass(24 * 60 * minuteMs)
  await app.app.services.sweepSchedules()
  await eventually('the third sync has ended', async () => (await ended()).length === 3)
  const syncs = await ended()
  assert.deepEqual(
    syncs.map(({ full, startedBy }: { full: boolean; startedBy: string }) => [full, startedBy]),
    [
      [true, 'schedule'],
      [false, 'schedule'],
      [true, 'schedule'],
    ],
  )
  const stopped = await request('PATCH', `/integrations/${id}`, { body: { sync: { everyMinutes: null } } })
  assert.deepEqual(stopped.body.data.sync, {
    ...set.body.data.sync,
    ...stopped.body.data.sync,
    nextSyncAt: null,
  })
  pass(24 * 60 * minuteMs)
  assert.equal(await app.app.services.sweepSchedules(), 0)
})

test('a change names the field that is at fault, and two connections never share a collection', async t => {
  const { connect, request, sync, source, app } = await startScriptedApp(t)
  source.put('a', 'The text of a')
  const [one, two] = [await connect(), await connect()]
  const { collectionId } = await sync(one)
  const patch = (body: object, headers: Record<string, string> = {}) =>
    request('PATCH', `/integrations/${two}`, { body, headers })
  const faultOf = async (body: object) => {
    const reply = await patch(body)
    assert.equal(reply.status, 400, JSON.stringify(reply.body))
    return reply.body.errors[0].field
  }
  assert.equal(await faultOf({ sync: { everyMinutes: 14 } }), 'sync.everyMinutes')
  assert.equal(await faultOf({ config: { folder: 7 } }), 'config.folder')
  assert.equal(await faultOf({ config: { unknown: 'x' } }), 'config.unknown')
  assert.equal(
    await faultOf({ sync: { collectionId: 'col_01kajz4v7qf3x8m2c9t5b6n0rw' } }),
    'sync.collectionId',
  )
  assert.equal(await faultOf({}), 'body')
  const taken = await patch({ sync: { collectionId } })
  assert.equal(taken.status, 409)
  assert.match(taken.body.message, new RegExp(one))
  assert.equal((await patch({ name: 'x' }, { 'if-match': '"old"' })).status, 412)
  const named = await patch({ name: 'Second', config: { folder: 'inbox' } })
  assert.equal(named.body.data.name, 'Second')
  const page = await request('POST', '/integrations/connect', {
    body: { integrationId: 'http', config: { baseUrl: 'https://api.example' }, credentials: { apiKey: 'x' } },
    key: app.testKey,
  })
  assert.equal(
    (await request('PATCH', `/integrations/${page.body.data.id}`, { body: { name: 'x' } })).status,
    404,
  )
})

test('stored credentials are never sent to an address that they were not given for', async t => {
  const { connect, request } = await startScriptedApp(t, { hasKey: true })
  const id = await connect()
  const moved = await request('PATCH', `/integrations/${id}`, { body: { config: { folder: 'evil' } } })
  assert.equal(moved.status, 400)
  assert.match(moved.body.errors[0].message, /https:\/\/evil\.scripted\.example/)
  const same = await request('PATCH', `/integrations/${id}`, { body: { config: { folder: 'main' } } })
  assert.equal(same.status, 200)
})

test('a key that is revoked in the middle of a sync ends it, and the connection needs its person', async t => {
  const { app, source, connect, sync, request } = await startScriptedApp(t, { hasKey: true })
  for (const name of ['a', 'b', 'c', 'd', 'e']) source.put(name, name)
  const id = await connect()
  let isRevoked = false
  source.before = call => {
    if (call === 'fetch d' || (isRevoked && call === 'check'))
      throw new HttpFailure('not_authorized', 'scripted.example does not accept the key')
  }
  // Where the service still knows the key, this one call is refused, and no more.
  assert.equal((await sync(id)).error.code, 'forbidden')
  assert.equal((await request('GET', `/integrations/${id}`)).body.data.status, 'active')
  isRevoked = true
  const ended = await sync(id)
  assert.equal(ended.status, 'failed')
  assert.equal(ended.error.code, 'needs_reauth')
  const connection = await request('GET', `/integrations/${id}`)
  assert.equal(connection.body.data.status, 'needs_reauth')
  const again = await request('POST', `/integrations/${id}/sync`, { body: {} })
  assert.equal(again.body.code, 'connection_not_active')
  const { body } = await request('GET', '/events', { query: { pageSize: 100 } })
  const types = body.data.map(({ type }: { type: string }) => type)
  assert.ok(types.includes('connection.needs_reauth') && types.includes('connection.sync_failed'))
  const audit = await request('GET', '/audit-log', { query: { pageSize: 100 } })
  const actions = audit.body.data.map(({ action }: { action: string }) => action)
  assert.ok(actions.includes('integration.sync') && actions.includes('integration.sync_end'))
  assert.equal(
    app.logLines.some(line => line.includes('a-key')),
    false,
  )
})

test('in the sandbox no service is called, and three documents come, always the same', async t => {
  const { app, source, connect, sync, documents } = await startScriptedApp(t)
  source.put('a', 'The text of a')
  const id = await connect(app.testKey)
  const first = await sync(id, {}, app.testKey)
  assert.equal(first.added, 3)
  const second = await sync(id, { full: true }, app.testKey)
  assert.deepEqual([second.added, second.unchanged], [0, 3])
  assert.deepEqual(await documents(first.collectionId, app.testKey), [
    'sandbox/leave-policy',
    'sandbox/printer',
    'sandbox/welcome',
  ])
  assert.deepEqual(source.calls, [])
})

test('a connection that is kept elsewhere now neither tells of nor takes along what it brought before', async t => {
  const { app, source, connect, sync, documents, request } = await startScriptedApp(t)
  source.put('a', 'The text of a')
  const id = await connect()
  const first = await sync(id)
  const made = await request('POST', '/knowledge/collections', { body: { name: 'Other' } })
  const other = made.body.data.id
  await request('PATCH', `/integrations/${id}`, { body: { sync: { collectionId: other } } })
  const preview = await request('DELETE', `/integrations/${id}`, {
    query: { documents: 'trash', dryRun: 'true' },
  })
  const counts = preview.body.data.effects.map(({ count }: { count: number }) => count)
  assert.deepEqual(counts, [1, 0])
  source.put('b', 'A secret of the other collection')
  await sync(id)
  const reader = await app.createKey({ userId: app.ownerId, collectionIds: [first.collectionId] })
  const items = await request('GET', `/integrations/${id}/syncs/${first.id}/items`, { key: reader })
  assert.doesNotMatch(JSON.stringify(items.body), /"b"/)
  await request('DELETE', `/integrations/${id}`, { query: { documents: 'trash' } })
  await eventually('its documents are gone', async () => (await documents(other)).length === 0)
  assert.deepEqual(await documents(first.collectionId), ['a'])
})

test('a workspace that is deleted and restored goes on with its schedules', async t => {
  const { app, source, connect, request } = await startScriptedApp(t)
  source.put('a', 'The text of a')
  const id = await connect()
  await request('PATCH', `/integrations/${id}`, { body: { sync: { everyMinutes: 30 } } })
  const { database } = app.dependencies
  const setEnd = (deletes_at: number | null) =>
    database.write(tx =>
      tx.updateTable('workspaces').set({ deletes_at }).where('id', '=', app.workspaceId).execute(),
    )
  await setEnd(Date.now() + 1_000_000)
  assert.equal(await app.app.services.sweepSchedules(), 0)
  await setEnd(null)
  assert.equal(await app.app.services.sweepSchedules(), 1)
})

test('a schedule whose maker has left stops, and the connection says so', async t => {
  const { app, source, connect, request } = await startScriptedApp(t)
  source.put('a', 'The text of a')
  const id = await connect()
  const admin = await app.createKey({ role: 'admin' })
  await request('PATCH', `/integrations/${id}`, { body: { sync: { everyMinutes: 30 } }, key: admin })
  await app.dependencies.database.write(tx =>
    tx
      .deleteFrom('members')
      .where('user_id', '=', admin.caller.userId ?? '')
      .execute(),
  )
  assert.equal(await app.app.services.sweepSchedules(), 0)
  const shown = await request('GET', `/integrations/${id}`)
  assert.equal(shown.body.data.sync.nextSyncAt, null)
  assert.equal(shown.body.data.lastError.code, 'creator_gone')
})

test('a disconnected connection leaves its documents, or takes them to the trash, and its sync stops', async t => {
  const { app, source, connect, sync, documents, request } = await startScriptedApp(t)
  for (const name of ['a', 'b', 'c']) source.put(name, name)
  const [kept, trashed] = [await connect(), await connect()]
  const first = await sync(kept)
  const second = await sync(trashed)
  assert.equal((await request('DELETE', `/integrations/${kept}`)).status, 204)
  assert.deepEqual(await documents(first.collectionId), ['a', 'b', 'c'])
  const query = { documents: 'trash' }
  const preview = await request('DELETE', `/integrations/${trashed}`, { query: { ...query, dryRun: 'true' } })
  assert.deepEqual(
    preview.body.data.effects.map(({ resource, count }: { resource: string; count: number }) => [
      resource,
      count,
    ]),
    [
      ['connection', 1],
      ['document', 3],
    ],
  )
  const reached = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  source.put('d', 'd')
  source.before = async call => {
    if (call !== 'fetch d') return
    reached.resolve()
    await held.promise
  }
  await request('POST', `/integrations/${trashed}/sync`, { body: {} })
  await reached.promise
  assert.equal((await request('DELETE', `/integrations/${trashed}`, { query })).status, 204)
  held.resolve()
  await eventually('the documents are gone', async () => (await documents(second.collectionId)).length === 0)
  await untilNoJobs(app)
  assert.deepEqual(await documents(second.collectionId), [], 'what was in progress does not come after all')
})
