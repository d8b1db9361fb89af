/** That no request goes uncounted: what lies beside the API is counted by address, whatever it is. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { startTestApp, type TestApp } from '../../testing/test-app.ts'
import { routesBesideApi } from '../../testing/walked-routes.ts'
import { mcpPath } from '../mcp-endpoint.ts'

async function appOf(context: TestContext, settings: Record<string, string>): Promise<TestApp> {
  const app = await startTestApp({ settings: { ATRIUM_ANONYMOUS_RATE: '100000', ...settings } })
  context.after(() => app.close())
  return app
}

const limit = 4

test('every route beside the API is refused to an address that has made its requests, and to no other address', async context => {
  const app = await appOf(context, { ATRIUM_VISITOR_RATE: String(limit) })
  // A door for keys counts as the API does.
  const routes = routesBesideApi(app.app.server).filter(({ url }) => url !== mcpPath)
  for (const known of ['/healthz', '/readyz', '/docs', '/docs/*', '/oauth/callback', '/console/session']) {
    assert.ok(
      routes.some(({ url }) => url === known),
      `${known} is not walked`,
    )
  }
  const asked = [
    ...routes.map(({ method, url }) => ({ method, url: url.replaceAll(/:[A-Za-z]+|\*/g, 'x') })),
    { method: 'GET', url: '/no-such-page' },
    { method: 'POST', url: '/no-such-page' },
    { method: 'GET', url: '/openapi.json' },
  ] as const
  for (const [number, { method, url }] of asked.entries()) {
    const ask = (remoteAddress: string, options: InjectOptions = {}) =>
      app.app.server.inject({ method, url, remoteAddress, ...options })
    const address = `203.0.113.${number}`
    for (let count = 0; count < limit; count++) {
      assert.notEqual((await ask(address)).statusCode, 429, `${method} ${url}`)
    }
    const refused = await ask(address)
    assert.equal(refused.statusCode, 429, `${method} ${url}`)
    assert.match(String(refused.headers['retry-after']), /^\d+$/)
    assert.equal(refused.headers['x-ratelimit-limit'], String(limit))
    assert.notEqual((await ask(`198.51.100.${number}`)).statusCode, 429)
  }
})

test('preflights from a permitted origin are counted, too', async context => {
  const origin = 'https://app.example.com'
  const app = await appOf(context, { ATRIUM_VISITOR_RATE: String(limit), ATRIUM_CORS_ORIGINS: origin })
  const statuses: number[] = []
  for (let count = 0; count <= limit; count++) {
    const reply = await app.app.server.inject({
      method: 'OPTIONS',
      url: '/api/v1/agents',
      headers: { origin },
    })
    statuses.push(reply.statusCode)
  }
  assert.deepEqual(statuses, [204, 204, 204, 204, 429])
})

test('a probe each second and a whole console beside it are far from the usual limit', async context => {
  const app = await appOf(context, {})
  for (let count = 0; count < 500; count++) {
    assert.equal((await app.app.server.inject('/healthz')).statusCode, 200)
  }
})

test('visits of pages refuse no health probe of the same address', async context => {
  const app = await appOf(context, { ATRIUM_VISITOR_RATE: String(limit) })
  const ask = async (url: string) => (await app.app.server.inject(url)).statusCode
  for (let count = 0; count < limit; count++) await ask('/docs/page.js')
  assert.deepEqual(
    [await ask('/docs/page.js'), await ask('/healthz'), await ask('/readyz?probe')],
    [429, 200, 200],
  )
})

test('visits use up nothing of what an address may try without a key', async context => {
  const app = await appOf(context, { ATRIUM_ANONYMOUS_RATE: '2' })
  for (let count = 0; count < 10; count++) await app.app.server.inject('/docs/page.js')
  assert.equal((await app.request('GET', '/openapi.json', { key: null })).status, 200)
})
