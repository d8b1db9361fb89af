import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hourMs } from '../../platform/clock.ts'
import { everythingIn } from '../../testing/database-contents.ts'
import { callbackAddress, serveOnLoopback, startIntegrationApp } from '../../testing/integration-app.ts'

test('no token, key, code, state or client secret is readable in the database, the log or a reply', async t => {
  const { app, oauth, pass, connected } = await startIntegrationApp(t)
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
