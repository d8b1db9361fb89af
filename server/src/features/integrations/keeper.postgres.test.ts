import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hourMs } from '../../platform/clock.ts'
import { testPostgresUrl } from '../../testing/database.ts'
import { startIntegrationApp } from '../../testing/integration-app.ts'
import { startTcpProxy } from '../../testing/tcp-proxy.ts'

test('a refresh token that was rotated while the database is away is written when it is back', async t => {
  const address = new URL(testPostgresUrl() ?? '')
  const proxy = await startTcpProxy({ host: address.hostname, port: Number(address.port || 5432) })
  address.hostname = '127.0.0.1'
  address.port = String(proxy.port)
  const { ATRIUM_TEST_POSTGRES_URL: before } = process.env
  process.env.ATRIUM_TEST_POSTGRES_URL = address.href
  let isAway = false
  let pauses = 0
  const { app, oauth, pass, connected } = await startIntegrationApp(t, {
    adapt: dependencies => ({
      ...dependencies,
      sleep: async () => {
        if (!isAway) return
        pauses += 1
        // The database comes back while the third attempt at writing is waited for.
        if (pauses < 2) return
        isAway = false
        await proxy.restore()
      },
    }),
  }).finally(() => {
    if (before === undefined) delete process.env.ATRIUM_TEST_POSTGRES_URL
    else process.env.ATRIUM_TEST_POSTGRES_URL = before
  })
  t.after(() => proxy.close())
  const id = await connected('google-drive')
  const check = async () => {
    const { status, body } = await app.request('POST', `/integrations/${id}/test`)
    return status === 200 ? body.data.ok : body.message
  }
  const refreshes = () => oauth.tokenRequests.filter(type => type === 'refresh_token').length

  oauth.mood.beforeToken = async () => {
    oauth.mood.beforeToken = async () => undefined
    isAway = true
    await proxy.cut()
  }
  pass(hourMs)
  assert.equal(await check(), true)
  assert.equal(pauses, 2)
  assert.equal(refreshes(), 1)
  pass(hourMs)
  assert.equal(await check(), true)
  assert.equal(refreshes(), 2)
})
