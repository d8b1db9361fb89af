/** A key that is narrowed to collections reads nothing of the others through the runs of other keys. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../testing/test-app.ts'

test('runs and conversations of a key that reached further are not there for a narrowed key', async () => {
  const app = await startTestApp()
  const open = await app.request('POST', '/knowledge/collections', { body: { name: 'Open' } })
  const secret = await app.request('POST', '/knowledge/collections', { body: { name: 'Secret' } })
  for (const [collection, text] of [
    [open, 'The canteen opens at nine.'],
    [secret, 'The vault opens at midnight.'],
  ] as const) {
    const form = new FormData()
    form.set('collectionId', collection.body.data.id)
    form.set('file', new File([text], 'note.txt'))
    const headers = { prefer: 'wait=20' }
    await app.request('POST', '/knowledge/documents', { form, headers })
  }
  const agent = await app.request('POST', '/agents', {
    body: { name: 'Doorman', tools: ['search_knowledge'] },
  })
  const path = `/agents/${agent.body.data.id}/run`
  const wide = await app.request('POST', path, { body: { prompt: 'When does the vault open?' } })
  assert.match(wide.body.data.output, /midnight/)

  const key = await app.createKey({ collectionIds: [open.body.data.id] })
  assert.equal((await app.request('GET', `/runs/${wide.body.data.id}`, { key })).status, 404)
  const before = await app.request('GET', `${path}s`, { key })
  assert.deepEqual([before.body.data, before.body.meta.total], [[], 0])
  const continued = await app.request('POST', path, {
    key,
    body: { prompt: 'And again?', conversationId: wide.body.data.conversationId },
  })
  assert.equal(continued.status, 400)
  assert.equal(continued.body.errors[0].field, 'conversationId')

  const own = await app.request('POST', path, { key, body: { prompt: 'When does the canteen open?' } })
  assert.match(own.body.data.output, /nine/)
  const after = await app.request('GET', `${path}s`, { key })
  assert.equal(after.body.meta.total, 1)
  const same = await app.createKey({ collectionIds: [open.body.data.id] })
  assert.equal((await app.request('GET', `/runs/${own.body.data.id}`, { key: same })).status, 200)
  assert.equal((await app.request('GET', `${path}s`)).body.meta.total, 2)
  await app.close()
})
