import assert from 'node:assert/strict'
import { test } from 'node:test'
import { add, ask, startVectorApp } from '../../../testing/apps/vector-app.ts'

const beyond = { ATRIUM_VECTOR_SCAN_LIMIT: '2' }

test('beyond the scan limit, without pgvector, the refusal says what is missing', async t => {
  const { app, collectionId } = await startVectorApp(t, beyond)
  for (const i of [1, 2, 3]) await add(app, collectionId, `Herons, number ${i}.`, `${i}.txt`)
  await app.app.services.sweepVectors()
  const refused = await ask(app, { query: 'heronry', mode: 'vector' })
  assert.equal(refused.status, 422)
  assert.equal(refused.body.code, 'vector_unavailable')
  assert.match(refused.body.message, /no pgvector.*ATRIUM_VECTOR_SCAN_LIMIT/)
})
