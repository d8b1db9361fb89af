/** The console as it is served: compressed, kept by browsers, under its policy, and only where a person asks for a page. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { startTestApp } from '../../testing/test-app.ts'
import { registerConsole } from './console-files.ts'

const page = '<!doctype html><title>Atrium</title>'
const script = 'console.log("a script of some length, which is worth compressing")'
const navigation = { accept: 'text/html,application/xhtml+xml', 'sec-fetch-mode': 'navigate' }

test('an asset comes as it was compressed at the build, is kept for good, and is what it was', async context => {
  const server = await serve(context)
  const zipped = await server.inject({
    url: '/assets/main-a1b2.js',
    headers: { 'accept-encoding': 'gzip, deflate' },
  })
  assert.equal(zipped.headers['content-encoding'], 'gzip')
  assert.equal(gunzipSync(zipped.rawPayload).toString(), script)
  assert.match(String(zipped.headers['cache-control']), /immutable/)
  assert.equal(zipped.headers['content-type'], 'text/javascript; charset=utf-8')
  const plain = await server.inject('/assets/main-a1b2.js')
  assert.equal(plain.headers['content-encoding'], undefined)
  assert.equal(plain.payload, script)
  assert.equal(plain.headers.vary, 'Accept-Encoding')
})

test('the page is never kept by a browser, and answers every address that a person opens', async context => {
  const server = await serve(context)
  for (const url of ['/', '/agents', '/agents/agt_1?tab=runs', '/settings/api-keys']) {
    const reply = await server.inject({ url, headers: navigation })
    assert.equal(reply.statusCode, 200, url)
    assert.equal(reply.payload, page, url)
    assert.equal(reply.headers['cache-control'], 'no-store', url)
  }
})

test('its policy allows no inline script or style, no other origin and no frame', async context => {
  const server = await serve(context)
  for (const url of ['/', '/assets/main-a1b2.js']) {
    const policy = String(
      (await server.inject({ url, headers: navigation })).headers['content-security-policy'],
    )
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'/)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.doesNotMatch(policy, /unsafe|\*|https?:|data:/)
  }
})

test('a program that calls a wrong address, a missing file, and paths of the server itself get no page', async context => {
  const server = await serve(context)
  for (const [url, headers] of [
    ['/agents', { accept: 'application/json' }],
    ['/assets/main-old.js', navigation],
    ['/favicon.ico', navigation],
    ['/api/v2/agents', navigation],
    ['/api', navigation],
    ['/auth/unknown', navigation],
    ['/console/unknown', navigation],
    ['/../package.json', navigation],
    ['/assets/..%2f..%2fsecret', navigation],
    ['/manifest.json', navigation],
    ['/assets/main-a1b2.js.gz', navigation],
  ] as const) {
    assert.equal((await server.inject({ url, headers })).statusCode, 404, url)
  }
})

test('where nothing was built, the page says so and what to do; the API goes on', async context => {
  const server = Fastify()
  context.after(() => server.close())
  registerConsole(server, join(tmpdir(), 'atrium-no-such-console'))
  const reply = await server.inject({ url: '/', headers: navigation })
  assert.equal(reply.statusCode, 503)
  assert.match(reply.payload, /npm run prepare/)
  assert.match(reply.payload, /href="\/docs"/)
})

test('beside the console, an unknown endpoint is still the API’s 404, a wrong method still its 405', async context => {
  const { app, request, close } = await startTestApp()
  context.after(close)
  const unknown = await request('GET', '/api/v1/nothing', { headers: navigation })
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'not_found'])
  const wrong = await request('DELETE', '/agents')
  assert.deepEqual([wrong.status, wrong.body.code], [405, 'method_not_allowed'])
  const elsewhere = await app.server.inject({ method: 'GET', url: '/nothing' })
  assert.deepEqual([elsewhere.statusCode, elsewhere.json().code], [404, 'not_found'])
})

async function serve(context: TestContext): Promise<FastifyInstance> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-console-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), page)
  await writeFile(join(folder, 'manifest.json'), '{}')
  await writeFile(join(folder, 'assets/main-a1b2.js'), script)
  await writeFile(join(folder, 'assets/main-a1b2.js.gz'), gzipSync(script))
  const server = Fastify()
  registerConsole(server, folder)
  context.after(async () => {
    await server.close()
    await rm(folder, { recursive: true })
  })
  return server
}
