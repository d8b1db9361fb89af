import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startScriptedApp } from '../../../testing/apps/scripted-source.ts'

const countsOf = ({ added, changed, unchanged, deleted, failed }: Record<string, number>) => ({
  added,
  changed,
  unchanged,
  deleted,
  failed,
})

test('what a service holds becomes documents, and later syncs bring only what is new, changed and gone', async t => {
  const { source, connect, sync, documents, request } = await startScriptedApp(t)
  for (const id of ['a', 'b', 'c', 'd', 'e/1']) source.put(id, `The text of ${id}`)
  const id = await connect()

  const first = await sync(id)
  assert.equal(first.status, 'succeeded')
  assert.equal(first.full, true)
  assert.deepEqual(countsOf(first), { added: 5, changed: 0, unchanged: 0, deleted: 0, failed: 0 })
  assert.deepEqual(await documents(first.collectionId), ['a', 'b', 'c', 'd', 'e/1'])
  const { body } = await request(
    'GET',
    `/knowledge/collections/${first.collectionId}/documents/${encodeURIComponent('e/1')}`,
  )
  assert.equal(body.data.title, 'Item e/1')
  assert.deepEqual(body.data.metadata, {
    url: 'https://scripted.example/e/1',
    author: 'ada',
    readers: ['user:ada@example.com'],
    source: 'scripted',
    connectionId: id,
  })

  source.calls.length = 0
  source.put('b', 'Another text of b')
  source.put('f', 'The text of f')
  const second = await sync(id)
  assert.equal(second.full, false)
  assert.deepEqual(countsOf(second), { added: 1, changed: 1, unchanged: 0, deleted: 0, failed: 0 })
  assert.deepEqual(source.calls, ['list 5 null', 'fetch b', 'fetch f'])

  source.remove('a')
  const third = await sync(id, { full: true })
  assert.equal(third.status, 'succeeded')
  assert.deepEqual(countsOf(third), { added: 0, changed: 0, unchanged: 5, deleted: 1, failed: 0 })
  assert.deepEqual(await documents(first.collectionId), ['b', 'c', 'd', 'e/1', 'f'])
  const connection = await request('GET', `/integrations/${id}`)
  assert.equal(connection.body.data.lastSyncAt, third.finishedAt)
})

test('what an unsure listing lacks is asked for, and goes only where it is gone', async t => {
  const { source, connect, sync, documents } = await startScriptedApp(t, { removals: 'asked' })
  for (const id of ['a', 'b', 'c']) source.put(id, `The text of ${id}`)
  const id = await connect()
  const { collectionId } = await sync(id)
  source.remove('b')
  source.adapt = listing => ({ ...listing, items: listing.items.filter(item => item.id !== 'a') })
  source.calls.length = 0
  const second = await sync(id, { full: true })
  assert.deepEqual(countsOf(second), { added: 0, changed: 0, unchanged: 2, deleted: 1, failed: 0 })
  assert.deepEqual(source.calls, ['list null null', 'fetch a', 'fetch b'])
  assert.deepEqual(await documents(collectionId), ['a', 'c'])
})

test('documents of others in the collection are never touched', async t => {
  const { source, connect, sync, documents, request } = await startScriptedApp(t)
  const made = await request('POST', '/knowledge/collections', { body: { name: 'Shared' } })
  const collectionId = made.body.data.id
  const form = new FormData()
  form.set('file', new Blob(['Written by hand']), 'own.txt')
  await request('PUT', `/knowledge/collections/${collectionId}/documents/own`, { form })
  const id = await connect()
  await request('PATCH', `/integrations/${id}`, { body: { sync: { collectionId } } })
  for (const name of ['a', 'b', 'own']) source.put(name, name)
  const { added, failed } = await sync(id)
  assert.deepEqual({ added, failed }, { added: 2, failed: 1 })
  const own = await request('GET', `/knowledge/collections/${collectionId}/documents/own`)
  assert.deepEqual([own.body.data.version, own.body.data.metadata], [1, {}])
  source.remove('a')
  source.remove('own')
  const { deleted } = await sync(id, { full: true })
  assert.equal(deleted, 1)
  assert.deepEqual(await documents(collectionId), ['b', 'own'])
})
