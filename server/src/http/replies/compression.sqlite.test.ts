/** Compression: for those who take it, of what is long enough, and never beside a secret. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { InjectOptions } from 'fastify'
import { createCollection, upload } from '../../testing/knowledge/knowledge.ts'
import { startTestApp, type TestApp } from '../../testing/test-app.ts'
import { codingOf } from '../request-headers.ts'

async function withApp(run: (app: TestApp) => Promise<void>, settings: Record<string, string> = {}) {
  const app = await startTestApp({ settings })
  try {
    await run(app)
  } finally {
    await app.close()
  }
}

/** A collection whose record is longer than a kilobyte. */
async function createLong(app: TestApp): Promise<string> {
  const body = { name: 'Long', description: 'All that there is to say. '.repeat(60) }
  const reply = await app.request('POST', '/knowledge/collections', { body })
  return `/api/v1/knowledge/collections/${reply.body.data.id}`
}

type Asked = {
  method?: 'GET' | 'HEAD' | 'POST' | 'PATCH'
  payload?: object
  headers?: Record<string, string>
}

const ask = (app: TestApp, url: string, coding: string, { method = 'GET', payload, headers }: Asked = {}) =>
  app.app.server.inject(
    withoutUndefined<InjectOptions>({
      method,
      url,
      headers: { authorization: `Bearer ${app.liveKey.key}`, 'accept-encoding': coding, ...headers },
      payload,
    }),
  )

test('of the codings that a client takes it gets the one that it likes best', () => {
  const cases: [header: string | null, coding: string | null][] = [
    [null, null],
    ['', null],
    ['identity', null],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0.5, gzip;q=0.9', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['BR', 'br'],
    ['*', 'br'],
    ['*;q=0', null],
    ['br;q=0, *', 'gzip'],
    ['deflate', null],
    ['identity, gzip;q=0.5', null],
  ]
  for (const [header, coding] of cases) assert.equal(codingOf(header), coding, String(header))
})

test('a long reply is compressed, is the same inside, and has the same tag but for its weakness', () =>
  withApp(async app => {
    const url = await createLong(app)
    const unpack = { br: brotliDecompressSync, gzip: gunzipSync }
    for (const coding of ['br', 'gzip'] as const) {
      const plain = await ask(app, url, 'identity')
      assert.equal(plain.headers['content-encoding'], undefined)
      const reply = await ask(app, url, coding)
      assert.equal(reply.headers['content-encoding'], coding)
      assert.ok(unpack[coding](reply.rawPayload).equals(plain.rawPayload))
      assert.ok(reply.rawPayload.length * 3 < plain.rawPayload.length)
      assert.equal(reply.headers['content-length'], String(reply.rawPayload.length))
      assert.equal(reply.headers.etag, `W/${plain.headers.etag}`)
      const head = await ask(app, url, coding, { method: 'HEAD' })
      for (const name of ['content-encoding', 'content-length', 'etag'])
        assert.equal(head.headers[name], reply.headers[name], name)
      const headers = { 'if-none-match': String(reply.headers.etag) }
      const again = await ask(app, url, coding, { headers })
      assert.deepEqual([again.statusCode, again.payload, again.headers.etag], [304, '', reply.headers.etag])
      assert.equal(again.headers['content-encoding'], undefined)
      const change = { method: 'PATCH', payload: { name: 'Long' } } as const
      const ifMatch = { 'if-match': String(reply.headers.etag) }
      assert.equal((await ask(app, url, coding, { ...change, headers: ifMatch })).statusCode, 200)
    }
  }))

test('what is short, a file, a stream of bytes and what shows a secret go out as they are', () =>
  withApp(async app => {
    const collectionId = await createCollection(app)
    const path = '/api/v1/knowledge'
    const content = 'All that there is to say. '.repeat(100)
    const { body } = await upload(app, { collectionId, content })
    for (const url of [
      `${path}/collections/${collectionId}`,
      `${path}/documents/${body.data.id}/original`,
      `${path}/collections/${collectionId}/export`,
    ])
      assert.equal((await ask(app, url, 'br, gzip')).headers['content-encoding'], undefined, url)
    const url = `https://hooks.example.com/${'atrium/'.repeat(100)}`
    const payload = { url, eventTypes: ['run.succeeded'], description: 'Guess. '.repeat(60) }
    const made = await ask(app, '/api/v1/webhooks', 'br, gzip', { method: 'POST', payload })
    assert.ok(made.statusCode === 201 && made.payload.length > 1_024, made.payload)
    assert.equal(made.headers['content-encoding'], undefined)
  }))

test('a reply that is repeated is compressed for the client that asks now', () =>
  withApp(async app => {
    const payload = { name: 'Repeated', description: 'All that there is to say. '.repeat(60) }
    const url = '/api/v1/knowledge/collections'
    const headers = { 'idempotency-key': 'compressed' }
    const first = await ask(app, url, 'br', { method: 'POST', payload, headers })
    const again = await ask(app, url, 'gzip', { method: 'POST', payload, headers })
    assert.deepEqual([first.headers['content-encoding'], again.headers['content-encoding']], ['br', 'gzip'])
    assert.equal(again.headers['idempotency-replayed'], 'true')
    assert.equal(again.headers.etag, first.headers.etag)
    assert.equal(gunzipSync(again.rawPayload).toString(), brotliDecompressSync(first.rawPayload).toString())
    const plain = await ask(app, url, 'identity', { method: 'POST', payload, headers })
    assert.equal(plain.json().data.name, 'Repeated')
  }))

test('the OpenAPI document is a tenth of its size', () =>
  withApp(async app => {
    const url = '/api/v1/openapi.json'
    const [plain, first, again] = [
      await ask(app, url, 'identity'),
      await ask(app, url, 'br'),
      await ask(app, url, 'br'),
    ]
    assert.ok(first.rawPayload.length * 10 < plain.rawPayload.length)
    assert.ok(again.rawPayload.equals(first.rawPayload))
    assert.ok(brotliDecompressSync(first.rawPayload).equals(plain.rawPayload))
    const headers = { 'if-none-match': String(first.headers.etag) }
    assert.equal((await ask(app, url, 'br', { headers })).statusCode, 304)
  }))

test('an operator whose proxy compresses can turn it off', () =>
  withApp(
    async app => {
      const reply = await ask(app, await createLong(app), 'br, gzip')
      assert.deepEqual([reply.headers['content-encoding'], reply.headers.vary], [undefined, 'Authorization'])
    },
    { ATRIUM_COMPRESSION: 'off' },
  ))
