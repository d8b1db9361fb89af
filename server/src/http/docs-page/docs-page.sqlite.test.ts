/** The reference page: complete, self-contained, and safe with whatever a description holds. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../testing/test-app.ts'
import type { OpenApi } from './open-api.ts'
import { renderPage } from './page.ts'

test('the page shows every endpoint, and asks nothing from elsewhere', async context => {
  const { app, close } = await startTestApp()
  context.after(close)
  const reply = await app.server.inject('/docs')
  assert.equal(reply.statusCode, 200)
  assert.match(String(reply.headers['content-type']), /^text\/html/)
  const ids = [...reply.payload.matchAll(/<article id="(\w+)">/g)].map(([, id]) => id)
  const published = app.routes.filter(({ protocol }) => protocol === undefined)
  assert.deepEqual(ids.toSorted(), published.map(route => route.operationId).toSorted())

  const loaded = [...reply.payload.matchAll(/<(?:link|script|img)[^>]*(?:href|src)="([^"]+)"/g)]
  assert.equal(loaded.length, 3)
  for (const [, address = ''] of loaded) {
    const asset = await app.server.inject(address)
    assert.equal(asset.statusCode, 200, address)
    assert.doesNotMatch(asset.payload, /@import|url\(|https?:\/\/(?!www\.w3\.org\/2000\/svg)/, address)
  }
})

test('the policy of the page allows no inline script or style and no other origin', async context => {
  const { app, close } = await startTestApp()
  context.after(close)
  for (const address of ['/docs', '/docs/page.js', '/docs/page.css', '/docs/icon.svg']) {
    const { headers } = await app.server.inject(address)
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'/, address)
    assert.doesNotMatch(policy, /unsafe|\*|https?:|data:/, address)
    assert.equal(headers['x-content-type-options'], 'nosniff', address)
  }
  const { payload } = await app.server.inject('/docs')
  assert.doesNotMatch(payload, /<style|\sstyle=|\son\w+=|<script(?![^>]*src=)/)
})

test('markup in names, descriptions and examples is shown, not carried out', () => {
  const evil = '<img src=x onerror=alert(1)>"\'[a](javascript:alert(1))'
  const openApi: OpenApi = {
    info: { title: evil, version: evil, description: evil },
    servers: [{ url: '/api/v1' }],
    tags: [{ name: 'agents', description: evil }],
    components: { schemas: {}, responses: {} },
    paths: {
      '/x': {
        post: {
          operationId: 'x',
          tags: ['agents'],
          summary: evil,
          description: evil,
          parameters: [{ name: evil, in: 'query', description: evil, schema: { type: 'string' } }],
          requestBody: { content: { 'application/json': { schema: {}, example: { [evil]: evil } } } },
          responses: { 200: { description: evil } },
        },
      },
    },
  }
  const page = renderPage(openApi)
  assert.doesNotMatch(page, /<img|href="javascript:/)
  assert.match(page, /&(lt|#60);img src=x/)
})
