import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpFailure } from '@atrium/connectors'
import { startScriptedApp } from '../../../testing/apps/scripted-source.ts'
import { makeDue } from '../../../testing/due-jobs.ts'
import { eventually } from '../../../testing/eventually.ts'
import { connectionSyncQueue } from './sync-job.ts'

const letters = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']

test('an item that always fails is told of, stops no other one, keeps its old document and is tried at each sync', async t => {
  const { source, connect, sync, documents, request } = await startScriptedApp(t)
  for (const id of ['a', 'b', 'c']) source.put(id, `The text of ${id}`)
  const id = await connect()
  const first = await sync(id)

  source.put('b', 'A new text of b')
  source.put('new', 'Never had')
  source.put('d', 'The text of d')
  source.put('large', 'x'.repeat(10), { fileName: 'a.bin', body: new Uint8Array([0, 1, 2, 250, 251]) })
  source.before = call => {
    if (call === 'fetch b') throw new TypeError('cannot read the page')
    if (call === 'fetch new') throw new HttpFailure('forbidden', 'scripted.example answered 403')
  }
  source.calls.length = 0
  const second = await sync(id)
  assert.equal(second.status, 'succeeded')
  assert.equal(second.failed, 3)
  assert.equal(source.calls.filter(call => call === 'fetch b').length, 3, 'a passing failure is tried again')
  assert.equal(source.calls.filter(call => call === 'fetch new').length, 1, 'a lasting one is not')
  const failed = await request('GET', `/integrations/${id}/syncs/${second.id}/items`, {
    query: { status: 'failed' },
  })
  assert.deepEqual(
    failed.body.data.map(({ externalId, error }: { externalId: string; error: { code: string } }) => [
      externalId,
      error.code,
    ]),
    [
      ['new', 'forbidden'],
      ['large', 'unsupported_media_type'],
      ['b', 'connector_fault'],
    ],
  )
  assert.match(failed.body.data[2].error.message, /cannot read the page/)
  assert.notEqual(failed.body.data[2].documentId, null)
  assert.deepEqual(await documents(first.collectionId), ['a', 'b', 'c', 'd'])

  source.before = () => undefined
  const third = await sync(id)
  assert.equal(third.changed, 1)
  assert.equal(third.added, 1)
  assert.equal(third.failed, 1)
})

test('a sync that would delete too much stops and names the number, and goes on once that is confirmed', async t => {
  const { source, connect, sync, documents } = await startScriptedApp(t)
  for (const id of letters) source.put(id, `The text of ${id}`)
  const id = await connect()
  const { collectionId } = await sync(id)
  for (const gone of letters.slice(0, 5)) source.remove(gone)
  source.put('k', 'The text of k')
  const refused = await sync(id, { full: true })
  assert.equal(refused.status, 'failed')
  assert.equal(refused.error.code, 'delete_guard')
  assert.match(refused.error.message, /5 of 11 documents/)
  assert.equal((await documents(collectionId)).length, 11, 'what is new came all the same')

  const otherNumber = await sync(id, { confirmDeletes: 4 })
  assert.equal(otherNumber.error.code, 'delete_guard')
  const confirmed = await sync(id, { confirmDeletes: 5 })
  assert.equal(confirmed.status, 'succeeded')
  assert.equal(confirmed.deleted, 5)
  assert.deepEqual(await documents(collectionId), ['f', 'g', 'h', 'i', 'j', 'k'])
})

test('what a refused sync took for gone stays if the service has it again', async t => {
  const { source, connect, sync, documents } = await startScriptedApp(t)
  for (const id of letters) source.put(id, `The text of ${id}`)
  const id = await connect()
  const { collectionId } = await sync(id)
  const lost = letters.slice(0, 5)
  source.adapt = listing => ({ ...listing, items: listing.items.filter(item => !lost.includes(item.id)) })
  const refused = await sync(id, { full: true })
  assert.equal(refused.error.code, 'delete_guard')
  source.adapt = listing => listing
  // So many that five of all are no longer too many.
  for (let number = 0; number < 20; number++) source.put(`new ${number}`, 'A new text')
  const { status, full, deleted } = await sync(id)
  assert.deepEqual({ status, full, deleted }, { status: 'succeeded', full: false, deleted: 0 })
  assert.equal((await documents(collectionId)).length, letters.length + 20)
})

test('the delete guard counts the documents that are there, not those that a person has deleted', async t => {
  const { source, connect, sync, request } = await startScriptedApp(t)
  for (const id of letters) source.put(id, `The text of ${id}`)
  const id = await connect()
  const { collectionId } = await sync(id)
  for (const letter of letters.slice(0, 2)) {
    const path = `/knowledge/collections/${collectionId}/documents/${letter}`
    assert.equal((await request('DELETE', path)).status, 204)
  }
  for (const letter of letters.slice(2, 5)) source.remove(letter)
  const refused = await sync(id, { full: true })
  assert.match(refused.error.message, new RegExp(`3 of ${letters.length - 2} documents`))
})

test('what the service itself tells to be gone goes without a listing of everything', async t => {
  const { source, connect, sync, documents } = await startScriptedApp(t, { removals: 'told' })
  for (const id of letters) source.put(id, `The text of ${id}`)
  const id = await connect()
  const { collectionId } = await sync(id)
  source.remove('c')
  source.calls.length = 0
  const { full, deleted } = await sync(id)
  assert.deepEqual({ full, deleted }, { full: false, deleted: 1 })
  assert.deepEqual(source.calls, ['list 10 null'])
  assert.equal((await documents(collectionId)).includes('c'), false)
})

test('a service that asks for patience is asked again after it, from the same page on', async t => {
  const { app, source, connect, request, untilWaiting } = await startScriptedApp(t)
  for (const id of letters) source.put(id, `The text of ${id}`)
  const id = await connect()
  let refusals = 1
  source.before = call => {
    if (call !== 'list null 3' || refusals-- <= 0) return
    throw new HttpFailure('rate_limited', 'scripted.example answered 429', { retryAfterSeconds: 45 })
  }
  const started = await request('POST', `/integrations/${id}/sync`, { body: {} })
  assert.equal(started.status, 202)
  const place = `/integrations/${id}/syncs/${started.body.data.id}`
  assert.equal(started.headers.location, `/api/v1${place}`)
  await untilWaiting(id)
  const waiting = await request('GET', place)
  assert.equal(waiting.body.data.status, 'running')
  assert.equal(await makeDue(app, connectionSyncQueue), 45_000)
  const ended = await request('GET', place, { headers: { prefer: 'wait=20' } })
  assert.equal(ended.body.data.status, 'succeeded')
  assert.equal(ended.body.data.added, 10)
  assert.deepEqual(
    source.calls.filter(call => call.startsWith('list')),
    ['list null null', 'list null 3', 'list null 3', 'list null 6', 'list null 9'],
  )
})

test('a service that is not there for a moment costs a pause, one that stays away fails the sync', async t => {
  const { app, source, connect, sync, request, untilWaiting } = await startScriptedApp(t)
  source.put('a', 'The text of a')
  const id = await connect()
  let outages = 1
  source.before = () => {
    if (outages-- > 0) throw new HttpFailure('unavailable', 'scripted.example did not answer')
  }
  const passing = sync(id)
  await untilWaiting(id)
  assert.equal(await makeDue(app, connectionSyncQueue), 2_000)
  assert.equal((await passing).status, 'succeeded')

  outages = Number.POSITIVE_INFINITY
  const started = await request('POST', `/integrations/${id}/sync`, { body: {} })
  const place = `/integrations/${id}/syncs/${started.body.data.id}`
  await untilWaiting(id)
  // As if it had been away for as long as it is waited for.
  await app.dependencies.database.write(tx =>
    tx.updateTable('connection_syncs').set({ setbacks: 9 }).where('id', '=', started.body.data.id).execute(),
  )
  await makeDue(app, connectionSyncQueue)
  const failed = await request('GET', place, { headers: { prefer: 'wait=20' } })
  assert.equal(failed.body.data.status, 'failed')
  assert.equal(failed.body.data.error.code, 'integration_unreachable')
})

test('a list that has no end, or a connector that breaks its promises, fails the sync with the reason', async t => {
  const { source, connect, sync } = await startScriptedApp(t)
  for (const name of letters) source.put(name, name)
  const id = await connect()
  source.adapt = listing => ({ ...listing, nextPage: '3' })
  assert.equal((await sync(id)).error.code, 'endless_paging')
  let turn = 0
  source.adapt = listing => ({ ...listing, nextPage: ['1', '2', '3'][turn++ % 3] ?? null })
  assert.equal((await sync(id)).error.code, 'endless_paging', 'in a circle of three pages')
  source.adapt = listing => ({ ...listing, items: [{ id: 'x'.repeat(401), version: '1' }] })
  const tooLong = await sync(id)
  assert.equal(tooLong.error.code, 'connector_fault')
  assert.match(tooLong.error.message, /400 characters/)
  source.adapt = () => {
    throw new TypeError('undefined is not a page')
  }
  assert.match((await sync(id)).error.message, /undefined is not a page/)
})

test('a service that has forgotten the mark of the last sync has everything listed again', async t => {
  const { source, connect, sync } = await startScriptedApp(t)
  for (const name of ['a', 'b', 'c', 'd']) source.put(name, name)
  const id = await connect()
  await sync(id)
  source.calls.length = 0
  let forgets = 1
  source.adapt = listing => (forgets-- > 0 ? { items: [], nextPage: null, startOver: true } : listing)
  const again = await sync(id)
  assert.equal(again.full, true)
  assert.equal(again.unchanged, 4)
  assert.deepEqual(source.calls, ['list 4 null', 'list null null', 'list null 3'])
})

test('two syncs of one connection never run at once, and a cancelled one leaves what it wrote', async t => {
  const { source, connect, sync, documents, request } = await startScriptedApp(t)
  for (const name of letters) source.put(name, name)
  const id = await connect()
  const reached = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  source.before = async call => {
    if (call !== 'fetch e') return
    reached.resolve()
    await held.promise
  }
  const started = await request('POST', `/integrations/${id}/sync`, { body: {} })
  await reached.promise
  const second = await request('POST', `/integrations/${id}/sync`, { body: {} })
  assert.equal(second.status, 409)
  assert.match(second.body.message, new RegExp(started.body.data.id))
  const place = `/integrations/${id}/syncs/${started.body.data.id}`
  const cancelled = await request('POST', `${place}/cancel`)
  assert.equal(cancelled.body.data.status, 'cancelled')
  held.resolve()
  source.before = () => undefined
  const whole = await sync(id)
  assert.equal(whole.status, 'succeeded')
  assert.deepEqual(await documents(whole.collectionId), letters)
  const after = await request('GET', place)
  assert.deepEqual(after.body.data, cancelled.body.data, 'nothing is written for it any more')
  assert.equal((await request('POST', `${place}/cancel`)).body.data.status, 'cancelled')
})

test('a content that breaks off, or is none, fails its item alone', async t => {
  const { source, connect, sync, documents, request } = await startScriptedApp(t)
  const broken = () =>
    new ReadableStream({
      pull(controller) {
        controller.enqueue(Buffer.from('The first half'))
        controller.error(new TypeError('terminated'))
      },
    })
  source.put('whole', '', { body: new Response('A whole text in a stream').body ?? '' })
  source.put('broken', '', { body: broken() })
  source.put('none', '', { body: 7 as unknown as string })
  const id = await connect()
  const ended = await sync(id)
  assert.equal(ended.status, 'succeeded')
  assert.deepEqual([ended.added, ended.failed], [1, 2])
  assert.deepEqual(await documents(ended.collectionId), ['whole'])
  const { body } = await request('GET', `/integrations/${id}/syncs/${ended.id}/items`, {
    query: { status: 'failed' },
  })
  assert.match(body.data[0].error.message, /neither text nor bytes/)
  assert.match(body.data[1].error.message, /broke off|locked|disturbed/)
})

test('a sync that waits can be cancelled, and one whose member has left meanwhile does not go on', async t => {
  const { app, source, connect, request, untilWaiting } = await startScriptedApp(t)
  source.put('a', 'The text of a')
  const id = await connect()
  source.before = () => {
    throw new HttpFailure('rate_limited', 'scripted.example answered 429', { retryAfterSeconds: 45 })
  }
  const admin = await app.createKey({ role: 'admin' })
  const startAndWait = async () => {
    const { body } = await request('POST', `/integrations/${id}/sync`, { body: {}, key: admin })
    const place = `/integrations/${id}/syncs/${body.data.id}`
    await untilWaiting(id)
    return place
  }
  const cancelled = await request('POST', `${await startAndWait()}/cancel`)
  assert.deepEqual([cancelled.body.data.status, cancelled.body.data.waitingUntil], ['cancelled', null])
  const place = await startAndWait()
  source.before = () => undefined
  await app.dependencies.database.write(tx =>
    tx
      .deleteFrom('members')
      .where('user_id', '=', admin.caller.userId ?? '')
      .execute(),
  )
  await makeDue(app, connectionSyncQueue)
  const ended = await request('GET', place, { headers: { prefer: 'wait=20' } })
  assert.equal(ended.body.data.error.code, 'creator_gone')
})

test('an attempt that wakes up after another one has taken over writes nothing any more', async t => {
  const { app, source, connect, documents, request } = await startScriptedApp(t)
  source.put('a', 'The text of a')
  const id = await connect()
  const reached = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  source.before = async call => {
    if (call !== 'fetch a') return
    reached.resolve()
    await held.promise
  }
  const started = await request('POST', `/integrations/${id}/sync`, { body: {} })
  const { id: syncId, collectionId } = started.body.data
  await reached.promise
  const { database } = app.dependencies
  await database.write(tx =>
    tx.updateTable('connection_syncs').set({ claim: 'another' }).where('id', '=', syncId).execute(),
  )
  const before = await request('GET', `/integrations/${id}/syncs/${syncId}`)
  held.resolve()
  await eventually('the attempt has ended', async () => {
    const jobs = await database.read
      .selectFrom('jobs')
      .select('state')
      .where('queue', '=', 'integration.sync')
      .execute()
    return jobs.every(({ state }) => state === 'done')
  })
  assert.deepEqual(await documents(collectionId), [])
  assert.deepEqual((await request('GET', `/integrations/${id}/syncs/${syncId}`)).body, before.body)
})
