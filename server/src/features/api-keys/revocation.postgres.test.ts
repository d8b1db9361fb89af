import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../testing/eventually.ts'
import { startBehindProxy } from '../../testing/servers/postgres-proxy.ts'
import { startTestApp } from '../../testing/test-app.ts'

test('a key that is revoked while another request looks it up is refused from the next request on', async t => {
  const { app, proxy } = await startBehindProxy(t, async proxy => {
    const app = await startTestApp()
    t.after(app.close)
    return { app, proxy }
  })
  const { dependencies, ownerId, request } = app
  const key = await app.createKey({ userId: ownerId, role: 'owner' })
  const reply = proxy.holdReplyTo(dependencies.keyring.keyedHash('api-key', key.key))
  const earlier = request('GET', '/agents', { key })
  await eventually('the database has read the key', () => reply.isHeld())
  assert.equal((await request('POST', `/api-keys/${key.id}/revoke`)).status, 200)
  reply.release()
  await earlier
  assert.equal((await request('GET', '/agents', { key })).status, 401)
})
