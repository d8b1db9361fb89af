import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configWith, connectApi, helpCenter } from '../testing/http-api.ts'
import { isFailure } from '../testing/is-failure.ts'
import { httpTools } from './tools.ts'

const [get] = httpTools
assert.ok(get)

test('an agent reads what is below the base address, with the key of the connection', async t => {
  const { apis, context } = await connectApi(t, configWith({ ...helpCenter, headers: { 'X-Version': '2' } }))
  apis.put(1, 'Article', '<p>Text</p>')
  const reply = await get.run(context, { path: '/articles', query: { 'page[size]': 5, draft: false } })
  assert.equal((reply as { body: { articles: unknown[] } }).body.articles.length, 1)
  const request = apis.peer.requests.at(-1)
  assert.deepEqual([request?.query.get('page[size]'), request?.query.get('draft')], ['5', 'false'])
  assert.equal(request?.headers['x-version'], '2')
  apis.peer.interrupt = () => ({ body: 'plain text', headers: { 'content-type': 'text/plain' } })
  assert.deepEqual(await get.run(context, { path: 'status' }), { status: 200, body: 'plain text' })
})

test('an agent reaches nothing outside the base address', async t => {
  const { apis, context } = await connectApi(t, helpCenter)
  for (const path of ['/../../../users', '..', '/a/../../secret', '/%2e%2e/secret']) {
    await assert.rejects(get.run(context, { path }), isFailure('forbidden'), path)
  }
  assert.equal(apis.peer.requests.length, 0)
  for (const path of ['//evil.example/x', 'https://evil.example/', '@evil.example/', '\\..\\secret']) {
    await get.run(context, { path }).catch(() => undefined)
  }
  // Whatever looks like another host is a path here.
  assert.ok(apis.peer.requests.every(request => request.path.startsWith('/api/v2/help_center/')))
})
