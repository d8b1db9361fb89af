/** The transport against a real HTTP server on loopback, which answers from a script. */
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { fixedCredentials } from './credentials.ts'
import {
  ConnectionError,
  NotFoundError,
  RateLimitError,
  ServerError,
  TimeoutError,
  ValidationError,
} from './errors.ts'
import { delayBeforeRetry, parseRetryAfter, pause } from './retry.ts'
import { createTransport, type Transport, type TransportSettings } from './transport.ts'
import { formOf } from './upload.ts'

test('a reply is unpacked from its envelope, with its page and its request id', async context => {
  const { transport, seen } = await startPeer(context, (_request, response) => {
    response.setHeader('x-request-id', 'req_1')
    response.end('{"data":[1,2],"meta":{"page":1,"pageSize":2,"total":9}}')
  })
  const reply = await transport.send({
    method: 'GET',
    path: '/things',
    query: { page: 1, collectionId: ['a', 'b'], filter: { eq: 1 }, left: undefined, at: new Date(0) },
  })
  assert.deepEqual(reply.data, [1, 2])
  assert.deepEqual(reply.meta, { page: 1, pageSize: 2, total: 9 })
  assert.equal(reply.requestId, 'req_1')
  const [first] = seen
  assert.equal(first?.headers.authorization, 'Bearer sk_test_key')
  assert.equal(first?.headers['idempotency-key'], undefined)
  const query = new URL(first?.url ?? '', 'http://peer').searchParams
  assert.deepEqual(query.getAll('collectionId'), ['a', 'b'])
  assert.equal(query.get('filter'), '{"eq":1}')
  assert.equal(query.get('at'), '1970-01-01T00:00:00.000Z')
  assert.equal(query.has('left'), false)
})

test('an error reply becomes the error of its status, with its fields and its request id', async context => {
  const { transport } = await startPeer(context, (request, response) => {
    response.statusCode = request.url === '/api/v1/missing' ? 404 : 400
    response.end(
      errorText(response.statusCode, 'validation_failed', false, [
        { field: 'prompt', message: 'is required' },
      ]),
    )
  })
  await assert.rejects(transport.send({ method: 'POST', path: '/x', body: {} }), (error: unknown) => {
    assert.ok(error instanceof ValidationError)
    assert.deepEqual(error.errors, [{ field: 'prompt', message: 'is required' }])
    assert.equal(error.requestId, 'req_error')
    assert.equal(error.retryable, false)
    assert.match(error.message, /prompt: is required/)
    return true
  })
  await assert.rejects(transport.send({ method: 'GET', path: '/missing' }), NotFoundError)
})

test('every attempt of a call carries the same idempotency key, also after a refusal for its rate', async context => {
  const { transport, seen } = await startPeer(context, (_request, response) => {
    response.statusCode = [503, 429, 200][seen.length - 1] ?? 500
    response.setHeader('retry-after', '0')
    response.end(response.statusCode === 200 ? '{"data":1}' : errorText(response.statusCode, 'x', true))
  })
  await transport.send({ method: 'POST', path: '/x' })
  assert.equal(seen.length, 3)
  assert.equal(new Set(seen.map(request => request.headers['idempotency-key'])).size, 1)
})

test('after the last retry the error says how long the server asks to wait', async context => {
  const { transport, seen } = await startPeer(context, (_request, response) => {
    response.statusCode = 429
    response.setHeader('retry-after', '3600')
    response.end(errorText(429, 'rate_limited', true))
  })
  await assert.rejects(transport.send({ method: 'GET', path: '/x' }), (error: unknown) => {
    assert.ok(error instanceof RateLimitError)
    assert.equal(error.retryAfterMs, 3_600_000)
    return true
  })
  assert.equal(seen.length, 1)
})

test('a server that does not answer in time is a TimeoutError; the own signal rejects with its own reason', async context => {
  const { transport } = await startPeer(context, () => undefined)
  await assert.rejects(
    transport.send({ method: 'GET', path: '/x' }, { timeoutMs: 30, maxRetries: 0 }),
    TimeoutError,
  )
  const reason = new Error('changed my mind')
  const controller = new AbortController()
  const call = transport.send({ method: 'GET', path: '/x' }, { signal: controller.signal })
  controller.abort(reason)
  await assert.rejects(call, reason)
})

test('a redirect is not followed, so the key goes nowhere else', async context => {
  const { transport, seen } = await startPeer(context, (_request, response) => {
    response.writeHead(302, { location: '/api/v1/elsewhere' }).end()
  })
  await assert.rejects(transport.send({ method: 'GET', path: '/x' }, { maxRetries: 0 }), ConnectionError)
  assert.equal(seen.length, 1)
})

test('an answer that is not from the API is an error with its status, or says that it is not JSON', async context => {
  const { transport } = await startPeer(context, (request, response) => {
    response.statusCode = request.url === '/api/v1/ok' ? 200 : 502
    response.end('<html>gateway</html>')
  })
  await assert.rejects(transport.send({ method: 'GET', path: '/ok' }), /not JSON/)
  await assert.rejects(transport.send({ method: 'GET', path: '/x' }, { maxRetries: 0 }), (error: unknown) => {
    assert.ok(error instanceof ServerError)
    assert.deepEqual([error.statusCode, error.code, error.retryable], [502, 'unknown', true])
    return true
  })
})

test('an upload carries its fields and its file, whether from a blob or from a stream', async context => {
  const { transport, bodies } = await startPeer(context, (_request, response) => response.end('{"data":1}'))
  const fields = { collectionId: 'col_1', metadata: { year: 2026 }, title: undefined }
  const stream = new Blob(['hello']).stream()
  for (const content of [new Blob(['hello']), stream]) {
    const form = formOf(fields, 'file', { name: 'a "b".txt', content, mediaType: 'text/plain' })
    await transport.send({ method: 'POST', path: '/x', form })
  }
  for (const body of bodies) {
    assert.match(body, /name="collectionId"\r\n\r\ncol_1\r\n/)
    assert.match(body, /name="metadata"\r\n\r\n\{"year":2026\}\r\n/)
    assert.match(
      body,
      /name="file"; filename="a %22b%22\.txt"\r\ncontent-type: text\/plain\r\n\r\nhello\r\n/i,
    )
    assert.doesNotMatch(body, /name="title"/)
  }
  assert.equal(bodies.length, 2)
})

const errorText = (statusCode: number, code: string, retryable: boolean, errors: unknown[] = []) =>
  JSON.stringify({ statusCode, message: code, errors, code, requestId: 'req_error', retryable })

/** A server that answers as told; `seen` holds the requests in the order in which they came. */
async function startPeer(
  context: TestContext,
  answer: RequestListener,
): Promise<{ transport: Transport; seen: IncomingMessage[]; bodies: string[]; close(): Promise<void> }> {
  const seen: IncomingMessage[] = []
  const bodies: string[] = []
  const server = createServer((request, response) => {
    seen.push(request)
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks).toString())
      answer(request, response)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>(resolve => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  context.after(close)
  const { port } = server.address() as AddressInfo
  const settings: TransportSettings = {
    credentials: fixedCredentials('sk_test_key'),
    baseUrl: `http://127.0.0.1:${port}/api/v1`,
    fetch: globalThis.fetch,
    timeoutMs: 5_000,
    maxRetries: 2,
  }
  return { transport: createTransport(settings), seen, bodies, close }
}

// When a call is tried again.

test('Retry-After is understood as seconds and as a date, and nothing else', () => {
  const now = Date.parse('2026-11-21T09:30:00Z')
  assert.equal(parseRetryAfter('12', now), 12_000)
  assert.equal(parseRetryAfter('Sat, 21 Nov 2026 09:30:07 GMT', now), 7_000)
  assert.equal(parseRetryAfter('Sat, 21 Nov 2026 09:00:00 GMT', now), 0)
  for (const header of [null, '', 'soon', '-1']) assert.equal(parseRetryAfter(header, now), null)
})

test('the pauses double up to a limit, spread over their upper half', () => {
  const delays = [0, 1, 2, 3, 4, 9].map(attempt => delayBeforeRetry(attempt, null, () => 1))
  assert.deepEqual(delays, [500, 1_000, 2_000, 4_000, 8_000, 8_000])
  assert.equal(
    delayBeforeRetry(0, null, () => 0),
    250,
  )
})

test('what the server asks for comes first, unless it is too long to wait inside a call', () => {
  assert.equal(delayBeforeRetry(0, 3_000), 3_000)
  assert.equal(delayBeforeRetry(0, 60_001), null)
})

test('a pause ends with the reason of its signal, also where that was there before', async () => {
  const reason = new Error('stop')
  await assert.rejects(pause(10_000, AbortSignal.abort(reason)), reason)
  const controller = new AbortController()
  const paused = pause(10_000, controller.signal)
  controller.abort(reason)
  await assert.rejects(paused, reason)
})
