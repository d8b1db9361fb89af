/** That no page of another site changes anything beside the API, whichever route it asks and whatever cookies come along. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { signIn } from '../../testing/apps/signed-in.ts'
import { startTestApp, type TestApp } from '../../testing/test-app.ts'
import { routesBesideApi, type WalkedRoute } from '../../testing/walked-routes.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({
    settings: {
      ATRIUM_ANONYMOUS_RATE: '100000',
      ATRIUM_PERSON_RATE: '100000',
      ATRIUM_VISITOR_RATE: '100000',
    },
  })
})
after(() => app.close())

/** What apps ask by OAuth: no cookie makes a difference there, and none is set. */
const ofApps = ['/oauth/token', '/oauth/revoke', '/oauth/device', '/oauth/register']

/** Every route of the server that is no read, lies beside the API, and is for our own pages. */
const changingRoutes = (): WalkedRoute[] =>
  routesBesideApi(app.app.server).filter(
    ({ method, url }) => !['GET', 'HEAD', 'OPTIONS'].includes(method) && !ofApps.includes(url),
  )

const foreign: Record<string, string>[] = [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { origin: 'null', 'sec-fetch-site': 'cross-site' },
  { origin: 'http://127.0.0.1:8787', 'sec-fetch-site': 'cross-site' },
  { origin: 'http://127.0.0.1:8787', 'sec-fetch-site': 'same-site' },
]

async function ask({ method, url }: WalkedRoute, headers = {}) {
  const path = url.replaceAll(/:[A-Za-z]+/g, () => 'x')
  const reply = await app.app.server.inject({ method, url: path, headers })
  return { status: reply.statusCode, isRefused: reply.payload.includes('origin_forbidden'), reply }
}

test('every route beside the API that changes something refuses another site, with a cookie or without', async () => {
  const routes = changingRoutes()
  const urls = routes.map(({ url }) => url)
  for (const known of ['/invitations/:token', '/connect/:token', '/auth/sign-in/email', '/console/token']) {
    assert.ok(urls.includes(known), `${known} is not walked: ${urls}`)
  }
  const { cookie } = await signIn(app, app.ownerId)
  for (const route of routes) {
    for (const headers of foreign) {
      for (const visitor of [{}, { cookie }]) {
        const { status, isRefused, reply } = await ask(route, { ...headers, ...visitor })
        const what = `${route.method} ${route.url} ${JSON.stringify({ ...headers, ...visitor })}`
        assert.deepEqual([status, isRefused], [403, true], what)
        assert.equal(reply.headers['set-cookie'], undefined, what)
      }
    }
  }
})

test('what apps ask knows no cookie: another site’s page gets what any program gets, and may not read it', async () => {
  const { cookie } = await signIn(app, app.ownerId)
  for (const url of ofApps) {
    const asked = await Promise.all(
      [{}, { cookie }, { cookie, origin: 'https://evil.example' }].map(headers =>
        ask({ method: 'POST', url }, headers),
      ),
    )
    const [first] = asked.map(({ reply }) => JSON.parse(reply.payload))
    for (const { status, reply } of asked) {
      assert.equal(status, 400, url)
      assert.deepEqual(JSON.parse(reply.payload), first)
      assert.equal(reply.headers['set-cookie'], undefined)
      assert.equal(reply.headers['access-control-allow-origin'], undefined)
    }
  }
})

test('every such route answers the pages of this server', async () => {
  for (const route of changingRoutes()) {
    for (const headers of [
      { origin: 'http://127.0.0.1:8787' },
      { origin: 'http://127.0.0.1:8787', 'sec-fetch-site': 'same-origin' },
      { origin: 'null', 'sec-fetch-site': 'same-origin' },
    ]) {
      const { isRefused } = await ask(route, headers)
      assert.equal(isRefused, false, `${route.method} ${route.url} ${JSON.stringify(headers)}`)
    }
  }
})

test('a link from another site cannot sign a person in by the form of an invitation', async () => {
  const invited = await app.request('POST', '/workspace/members/invite', {
    body: { email: 'eve@example.com' },
  })
  const url = new URL(invited.body.data.acceptUrl).pathname
  const send = (headers: Record<string, string>) =>
    app.app.server.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: 'decision=accept&name=Eve&password=correct+horse+battery',
    })
  for (const headers of foreign) {
    const reply = await send(headers)
    assert.deepEqual([reply.statusCode, reply.headers['set-cookie']], [403, undefined])
  }
  const own = await send({ origin: 'http://127.0.0.1:8787', 'sec-fetch-site': 'same-origin' })
  assert.equal(own.statusCode, 303)
  assert.match(String(own.headers['set-cookie']), /session_token/)
})
