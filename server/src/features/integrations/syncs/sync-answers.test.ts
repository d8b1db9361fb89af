/** What is said of a sync: how it ended, what it waits for, what it would remove, and when its documents are there. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpFailure } from '@atrium/connectors'
import { startScriptedApp } from '../../../testing/apps/scripted-source.ts'
import { eventually } from '../../../testing/eventually.ts'

test('a sync of which no item could be had has failed, removes nothing, and is told of by the connection until one succeeds', async t => {
  const { source, connect, sync, documents, request } = await startScriptedApp(t)
  const lastError = async () => (await request('GET', `/integrations/${id}`)).body.data.lastError
  for (const name of ['a', 'b']) source.put(name, `The text of ${name}`)
  const id = await connect()
  const refuse = () => {
    source.before = call => {
      if (call.startsWith('fetch')) throw new HttpFailure('forbidden', 'scripted.example answered 403')
    }
  }
  refuse()
  const first = await sync(id)
  assert.deepEqual([first.status, first.error.code, first.failed], ['failed', 'all_items_failed', 2])
  assert.match(first.error.message, /All 2 items .* first \(a\) with: scripted\.example answered 403/)
  const { code, message, at } = await lastError()
  assert.deepEqual({ code, message }, first.error)
  assert.equal(at, first.finishedAt)
  assert.equal((await sync(id)).status, 'failed', 'as long as it has brought nothing')

  source.before = () => undefined
  assert.equal((await sync(id)).status, 'succeeded')
  assert.equal(await lastError(), null)

  source.put('a', 'Another text of a')
  source.remove('b')
  refuse()
  const third = await sync(id, { full: true })
  assert.deepEqual([third.status, third.error.code, third.deleted], ['failed', 'all_items_failed', 0])
  assert.match(third.error.message, /^The only item that was tried failed/)
  assert.deepEqual(await documents(third.collectionId), ['a', 'b'], 'what stands stays')
  const quiet = await sync(id, { full: true })
  assert.deepEqual([quiet.status, quiet.failed, quiet.deleted], ['succeeded', 1, 1], 'no news is no failure')
  assert.deepEqual(await documents(third.collectionId), ['a'])
})

test('a sync that fails says nothing over an access that is not open', async t => {
  const { app, source, connect, sync, request } = await startScriptedApp(t)
  source.put('a', 'The text of a')
  const id = await connect()
  const error = { code: 'invalid_grant', message: 'The service does not accept it any more', at: Date.now() }
  source.before = async () => {
    const change = { status: 'needs_reauth', last_error: JSON.stringify(error) } as const
    await app.dependencies.database.write(tx =>
      tx.updateTable('connections').set(change).where('id', '=', id).execute(),
    )
    throw new HttpFailure('forbidden', 'scripted.example answered 403')
  }
  assert.equal((await sync(id)).error.code, 'forbidden')
  const { body } = await request('GET', `/integrations/${id}`)
  assert.deepEqual([body.data.status, body.data.lastError.code], ['needs_reauth', 'invalid_grant'])
})

test('a request that waits for a sync finds its documents ready, and one that does not wait is answered at once', async t => {
  const { source, connect, sync, request } = await startScriptedApp(t)
  for (let number = 0; number < 12; number++)
    source.put(`page-${number}`, `The text of page ${number}. `.repeat(200))
  const id = await connect()
  const statuses = async (collectionId: string) => {
    const query = { collectionId, pageSize: 100 }
    const { body } = await request('GET', '/knowledge/documents', { query })
    return body.data.map(({ status }: { status: string }) => status)
  }
  const { collectionId } = await sync(id)
  assert.deepEqual(
    await statuses(collectionId),
    Array.from({ length: 12 }, () => 'ready'),
  )

  source.put('page-3', 'Another text. '.repeat(2_000))
  const begun = await request('POST', `/integrations/${id}/sync`, { body: {} })
  assert.equal(begun.status, 202)
  const place = `/integrations/${id}/syncs/${begun.body.data.id}`
  const { body } = await request('GET', place, { headers: { prefer: 'wait=30' } })
  assert.deepEqual([body.data.status, body.data.changed, body.data.phase], ['succeeded', 1, null])
  assert.deepEqual(
    await statuses(collectionId),
    Array.from({ length: 12 }, () => 'ready'),
  )
})

test('what the delete guard holds back is listed by its title and document until it is gone', async t => {
  const { source, connect, sync, request } = await startScriptedApp(t)
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  for (const name of names) source.put(name, `The text of ${name}`)
  const id = await connect()
  await sync(id)
  for (const name of names.slice(0, 4)) source.remove(name)
  source.put('g', 'The text of g')
  const refused = await sync(id, { full: true })
  assert.deepEqual([refused.error.code, refused.phase], ['delete_guard', null])
  const items = async (syncId: string, status: string) => {
    const path = `/integrations/${id}/syncs/${syncId}/items`
    const reply = await request('GET', path, { query: { status } })
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
    return reply.body.data
  }
  const gone = await items(refused.id, 'gone')
  assert.deepEqual(
    gone.map((item: Record<string, unknown>) => [item.externalId, item.title, item.status]),
    ['d', 'c', 'b', 'a'].map(name => [name, `Item ${name}`, 'gone']),
  )
  for (const { documentId } of gone) {
    assert.equal((await request('GET', `/knowledge/documents/${documentId}`)).status, 200)
  }
  const synced = await items(refused.id, 'synced')
  assert.deepEqual(
    synced.map(({ externalId }: { externalId: string }) => externalId),
    ['g'],
  )
  const confirmed = await sync(id, { confirmDeletes: gone.length })
  assert.deepEqual([confirmed.status, confirmed.deleted], ['succeeded', 4])
  assert.deepEqual(await items(confirmed.id, 'gone'), [])
})

test('a sync that pauses says what it waits for, and forgets it when it goes on', async t => {
  const { source, connect, request } = await startScriptedApp(t)
  source.put('a', 'The text of a')
  const id = await connect()
  let outages = 1
  source.before = () => {
    if (outages-- > 0) throw new HttpFailure('unavailable', 'scripted.example did not answer')
  }
  const begun = await request('POST', `/integrations/${id}/sync`, { body: {} })
  const place = `/integrations/${id}/syncs/${begun.body.data.id}`
  await eventually('it waits', async () => (await request('GET', place)).body.data.waitingUntil !== null)
  const waiting = (await request('GET', place)).body.data
  assert.deepEqual(
    [waiting.status, waiting.phase, waiting.error],
    ['running', 'listing', { code: 'integration_unreachable', message: 'scripted.example did not answer' }],
  )
  const ended = (await request('GET', place, { headers: { prefer: 'wait=20' } })).body.data
  assert.deepEqual([ended.status, ended.error, ended.phase], ['succeeded', null, null])
})

test('a connection whose config names nothing to list is neither synchronized nor scheduled, and makes no collection', async t => {
  const { app, request } = await startScriptedApp(t)
  const key = app.testKey
  const list = { path: '/articles' }
  const connected = await request('POST', '/integrations/connect', {
    key,
    body: { integrationId: 'http', config: { baseUrl: 'https://api.example' } },
  })
  const place = `/integrations/${connected.body.data.id}`
  const fieldOf = async (method: 'POST' | 'PATCH', path: string, body: object) => {
    const reply = await request(method, path, { body, key })
    assert.equal(reply.status, 400, JSON.stringify(reply.body))
    return reply.body.errors[0].field
  }
  assert.equal(await fieldOf('POST', `${place}/sync`, {}), 'config.list')
  assert.equal(await fieldOf('PATCH', place, { sync: { everyMinutes: 60 } }), 'config.list')
  const { body } = await request('GET', '/knowledge/collections', { key })
  assert.deepEqual(body.data, [])

  const config = { baseUrl: 'https://api.example', list }
  const both = await request('PATCH', place, { key, body: { config, sync: { everyMinutes: 60 } } })
  assert.equal(both.status, 200, JSON.stringify(both.body))
  assert.equal(await fieldOf('PATCH', place, { config: { baseUrl: config.baseUrl } }), 'config.list')
  assert.equal((await request('POST', `${place}/sync`, { key, body: {} })).status, 202)
  const stopped = await request('PATCH', place, {
    key,
    body: { name: 'Calls only', sync: { everyMinutes: null } },
  })
  assert.equal(stopped.status, 200)
})

test('of several connections that are set to one collection at once, one gets it and the others hear of the conflict', async t => {
  const { connect, request } = await startScriptedApp(t)
  const ids = await Promise.all(Array.from({ length: 6 }, () => connect()))
  for (let round = 0; round < 5; round++) {
    const made = await request('POST', '/knowledge/collections', { body: { name: `Shared ${round}` } })
    const body = { sync: { collectionId: made.body.data.id } }
    const replies = await Promise.all(ids.map(id => request('PATCH', `/integrations/${id}`, { body })))
    const statuses = replies.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [200, 409, 409, 409, 409, 409])
  }
})
