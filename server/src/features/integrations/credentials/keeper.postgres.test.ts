import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hourMs } from '../../../platform/clock.ts'
import { startIntegrationApp } from '../../../testing/apps/integration-app.ts'
import { startBehindProxy } from '../../../testing/servers/postgres-proxy.ts'

test('a refresh token that was rotated while the database is away is written when it is back', async t => {
  let isAway = false
  let pauses = 0
  const { app, oauth, pass, connected, proxy } = await startBehindProxy(t, async proxy => {
    const started = await startIntegrationApp(t, {
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
    })
    return { ...started, proxy }
  })
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
