import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../testing/eventually.ts'
import { createInstallation } from '../../../testing/operator.ts'
import { startUploads, wordsOf } from '../../../testing/servers/outages.ts'
import { startTcpProxy } from '../../../testing/servers/tcp-proxy.ts'

test('a database that is gone for a while is a 503, and what was in progress goes on when it is back', async t => {
  const installation = await createInstallation(t, {
    engine: 'postgres',
    environment: { ATRIUM_LOG_LEVEL: 'silent' },
  })
  const address = new URL(installation.environment.DATABASE_URL ?? '')
  const proxy = await startTcpProxy({ host: address.hostname, port: Number(address.port) })
  t.after(() => proxy.close())
  address.hostname = '127.0.0.1'
  address.port = String(proxy.port)
  const server = await installation.startServer({ DATABASE_URL: address.href })
  const { upload, isReady } = await startUploads(installation, server)
  const ids: string[] = []
  for (let i = 0; i < 20; i++) {
    const reply = await upload(`Document ${i}. ${wordsOf(i)}`)
    assert.equal(reply?.status, 201)
    ids.push(reply.body.data.id)
  }

  await proxy.cut()
  const reply = await upload('No server stores this.')
  assert.deepEqual([reply?.status, reply?.body.code], [503, 'unavailable'])
  assert.ok(Number(reply?.headers.get('retry-after')) > 0)
  assert.equal((await fetch(`${server.origin}/readyz`)).status, 503)
  assert.equal((await fetch(`${server.origin}/healthz`)).status, 200)

  await proxy.restore()
  await eventually('it is ready again', async () => (await fetch(`${server.origin}/readyz`)).status === 200)
  const after = await upload('The database is back.')
  assert.equal(after?.status, 201, JSON.stringify(after?.body))
  for (const id of [...ids, after.body.data.id]) {
    await eventually(`${id} is ready`, () => isReady(id))
  }
  await server.stop()
})
