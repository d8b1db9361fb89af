/** What reaches the API from a browser page, from behind a proxy, and what the log keeps of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '../platform/log.ts'
import { startTestApp } from '../testing/test-app.ts'

test('pages of no origin may call the API unless the operator lists it', async () => {
  const app = await startTestApp({ settings: { ATRIUM_CORS_ORIGINS: 'https://app.example.com' } })
  const preflight = (origin: string) =>
    app.app.server.inject({
      method: 'OPTIONS',
      url: '/api/v1/agents',
      headers: { origin, 'access-control-request-method': 'GET' },
    })
  const listed = await preflight('https://app.example.com')
  assert.equal(listed.statusCode, 204)
  assert.equal(listed.headers['access-control-allow-origin'], 'https://app.example.com')
  const other = await preflight('https://evil.example.com')
  assert.equal(other.statusCode, 401)
  assert.equal(other.headers['access-control-allow-origin'], undefined)
  const call = await app.request('GET', '/workspace', { headers: { origin: 'https://app.example.com' } })
  assert.equal(call.headers['access-control-allow-origin'], 'https://app.example.com')
  assert.match(String(call.headers['access-control-expose-headers']), /X-RateLimit-Remaining/)
  await app.close()
})

test('X-Forwarded-For counts from a trusted proxy only', async () => {
  const forwarded = { 'x-forwarded-for': '203.0.113.9' }
  for (const [proxies, address] of [
    ['', '127.0.0.1'],
    ['127.0.0.1', '203.0.113.9'],
  ] as const) {
    const app = await startTestApp({ settings: { ATRIUM_TRUSTED_PROXIES: proxies } })
    await app.request('POST', '/knowledge/collections', { headers: forwarded, body: { name: 'Seen' } })
    const log = await app.request('GET', '/audit-log?action=collection.create')
    assert.equal(log.body.data[0].address, address)
    await app.close()
  }
})

test('the log cuts out keys and bearer tokens, wherever they stand', () => {
  const lines: string[] = []
  const log = createLog({ level: 'info', write: line => lines.push(line), now: () => 0 })
  const error = new Error('refused sk_live_abcDEF123', { cause: new Error('Bearer abc.def') })
  log.error('failed', { error, header: 'Authorization: Bearer zyx987', token: 'bt_QWE456' })
  log.debug('too quiet')
  assert.equal(lines.length, 1)
  for (const secret of ['QWE456', 'abcDEF123', 'abc.def', 'zyx987']) assert.ok(!lines[0]?.includes(secret))
  assert.equal(JSON.parse(lines[0] ?? '').level, 'error')
})
