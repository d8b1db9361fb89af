import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hourMs } from '../../../platform/clock.ts'
import { serveOnLoopback, startIntegrationApp } from '../../../testing/apps/integration-app.ts'
import { everythingIn } from '../../../testing/database-contents.ts'

test('no token, key, code, state or client secret is readable in the database, the log or a reply', async t => {
  const { app, oauth, pass, connected, callbackAddress } = await startIntegrationApp(t)
  const api = await serveOnLoopback(t, (_, response) => response.end())
  const apiKey = 'canary-of-an-api-key'
  const replies: unknown[] = []
  const request = async (method: string, path: string, body?: unknown) => {
    const reply = await app.request(method, path, {
      body,
      headers: { 'idempotency-key': `${method} ${path}` },
    })
    replies.push(reply.body)
    return reply
  }

  const id = await connected('google-drive')
  const pending = await app.request('POST', '/integrations/connect', {
    body: { integrationId: 'github' },
    headers: { 'idempotency-key': 'pending' },
  })
  const callback = new URL(await callbackAddress(pending.body.data.authorizationUrl))
  await request('POST', '/integrations/connect', {
    integrationId: 'http',
    config: { baseUrl: api },
    credentials: { apiKey },
  })
  pass(hourMs)
  await request('POST', `/integrations/${id}/test`)
  oauth.mood.tokenReply = { status: 400, type: 'application/json', body: '{"error":"invalid_grant"}' }
  pass(hourMs)
  await request('POST', `/integrations/${id}/test`)
  await request('GET', '/integrations')
  await request('GET', '/audit-log')

  const secrets = [...oauth.issued, oauth.client.secret, apiKey, callback.searchParams.get('state') ?? '']
  assert.ok(secrets.length >= 8 && secrets.every(secret => secret.length >= 16))
  const places = {
    replies: JSON.stringify(replies),
    log: app.logLines.join('\n'),
    database: await everythingIn(app.dependencies.database.read, app.dependencies.database.engine),
  }
  assert.ok(places.database.includes(id), 'the whole database was read')
  for (const [place, text] of Object.entries(places)) {
    for (const secret of secrets) assert.equal(text.includes(secret), false, `${secret} in ${place}`)
  }
})

test('nor is a password, a workspace’s own client secret, a link’s token, a browser’s cookie or a device’s code', async t => {
  const { app, oauth, newBrowser } = await startIntegrationApp(t)
  const api = await serveOnLoopback(t, (_, response) => response.end('{}'))
  const password = 'canary-of-a-password'
  const clientSecret = 'canary-of-a-client-secret'
  const replies: unknown[] = []
  const request = async (method: string, path: string, body?: unknown) => {
    const reply = await app.request(method, path, {
      body,
      headers: { 'idempotency-key': `${method} ${path} ${JSON.stringify(body ?? null).length}` },
    })
    return reply.body.data
  }
  const connected = await request('POST', '/integrations/connect', {
    integrationId: 'http',
    config: { baseUrl: api },
    credentials: { username: 'ada', password },
  })
  assert.equal(connected.status, 'active')
  replies.push(
    await request('POST', `/integrations/${connected.id}/reconnect`, {
      credentials: { username: 'ada', password },
    }),
  )
  replies.push(await request('PUT', '/oauth-clients/slack', { clientId: 'an-id', clientSecret }))
  replies.push(await request('GET', '/oauth-clients/slack'))
  const device = await request('POST', '/integrations/connect', { integrationId: 'github', flow: 'device' })
  const pending = await request('POST', '/integrations/connect', { integrationId: 'github' })
  const browser = newBrowser()
  await browser.open(pending.connectUrl)
  oauth.mood.refuse = 'access_denied'
  await browser.send(pending.connectUrl, { decision: 'continue' })
  replies.push(await request('GET', '/integrations'), await request('GET', '/audit-log'))

  const [cookie = ''] = [...browser.cookies.values()].map(pair => pair.split('=')[1] ?? '')
  const token = new URL(pending.connectUrl).pathname.split('/').at(-1) ?? ''
  const secrets = [password, clientSecret, device.userCode, token, cookie, ...oauth.device.codes()]
  assert.ok(secrets.length >= 6 && secrets.every(secret => secret.length >= 9))
  const places = {
    replies: JSON.stringify(replies),
    log: app.logLines.join('\n'),
    database: await everythingIn(app.dependencies.database.read, app.dependencies.database.engine),
  }
  assert.ok(places.database.includes(connected.id), 'the whole database was read')
  for (const [place, text] of Object.entries(places)) {
    for (const secret of secrets) assert.equal(text.includes(secret), false, `${secret} in ${place}`)
  }
})
