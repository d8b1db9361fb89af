/** What one connection may ask at once, and that every refusal is ours, over real sockets. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { cheapestTurnMs } from '../../testing/costs/processor-time.ts'
import { startTestApp, type TestApp } from '../../testing/test-app.ts'
import { mostWaitingRequests } from './requests-in-turn.ts'

const mostMs = 50

let app: TestApp
let port: number

before(async () => {
  app = await startTestApp()
  port = Number(new URL(await app.listen()).port)
})
after(() => app.close())

/** All that comes until the server hangs up, or until as many replies have come. */
function talk(bytes: string, replies = Number.POSITIVE_INFINITY): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.setEncoding('latin1')
  socket.on('data', piece => {
    text += piece
    if (statusesOf(text).length >= replies) socket.destroy()
  })
  // A connection that is closed while the client still writes ends with an error.
  socket.on('error', () => undefined)
  socket.on('close', () => resolve(text))
  socket.write(bytes)
  return promise
}

const statusesOf = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status))

const ask = (path: string, ...headers: string[]): string =>
  [`GET /api/v1${path} HTTP/1.1`, 'Host: atrium', ...headers, '\r\n'].join('\r\n')

const keyed = () => `Authorization: Bearer ${app.liveKey.key}`

test('requests that come in one piece are answered in their order', async () => {
  const paths = [
    '/agents?pageSize=1',
    '/agents/agt_01kajz4v7qf3x8m2c9t5b6n0rw',
    '/nowhere',
    '/agents?pageSize=2',
  ]
  const text = await talk(paths.map(path => ask(path, keyed())).join(''), paths.length)
  assert.deepEqual(statusesOf(text), [200, 404, 404, 200])
  assert.ok(text.indexOf('"pageSize":1') < text.indexOf('"pageSize":2'))
})

test('as many requests as may wait on one connection are all answered', async () => {
  const asked = mostWaitingRequests + 1
  const text = await talk(ask('/agents', keyed()).repeat(asked), asked)
  assert.deepEqual(statusesOf(text), Array(asked).fill(200))
})

test('a flood of requests on one connection takes 50 ms of the thread at most, and is hung up on', async () => {
  for (const request of [ask('/agents'), ask('/agents', keyed()), 'GET / HTTP/1.1\r\n\r\n']) {
    let text = ''
    const ms = await cheapestTurnMs(mostMs, async () => {
      text = await talk(request.repeat(20_000))
    })
    assert.ok(ms <= mostMs, `${request.slice(0, 40)}… took ${ms} ms`)
    assert.ok(statusesOf(text).length <= mostWaitingRequests, `${statusesOf(text).length} replies`)
  }
  assert.equal(app.logLines.filter(line => line.includes('too many requests waited on it')).length, 1)
})

const refusals = [
  { name: 'a missing Host', bytes: 'GET /healthz HTTP/1.1\r\n\r\n', status: 400, code: 'malformed_request' },
  {
    name: 'a second Host',
    bytes: 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
    status: 400,
    code: 'malformed_request',
  },
  {
    name: 'a Content-Length that is no number',
    bytes: 'GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n',
    status: 400,
    code: 'malformed_request',
  },
  {
    name: 'an unknown Expect',
    bytes: `${ask('/agents', 'Expect: the unexpected')}`,
    status: 417,
    code: 'expectation_failed',
  },
  { name: 'a line that is no request', bytes: 'NONSENSE\r\n\r\n', status: 400, code: 'malformed_request' },
  {
    name: 'headers that are too large',
    bytes: ask('/agents', `X-Large: ${'x'.repeat(20_000)}`),
    status: 431,
    code: 'headers_too_large',
  },
  {
    name: 'a URL that is too large',
    bytes: ask(`/agents?x=${'x'.repeat(20_000)}`),
    status: 414,
    code: 'uri_too_long',
  },
  {
    name: 'an unknown method',
    bytes: 'BREW /api/v1/agents HTTP/1.1\r\nHost: a\r\n\r\n',
    status: 400,
    code: 'malformed_request',
  },
  {
    name: 'CONNECT',
    bytes: 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
    status: 405,
    code: 'method_not_allowed',
  },
  {
    name: 'an address that is no URL',
    bytes: `GET /api/v1/agents/%ff HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    status: 400,
    code: 'malformed_url',
  },
]

for (const { name, bytes, status, code } of refusals) {
  test(`${name} is a ${status} with the error body and a request id`, async () => {
    const text = await talk(bytes)
    const [head = '', body = ''] = text.split('\r\n\r\n')
    assert.deepEqual(statusesOf(text), [status])
    const error = JSON.parse(body)
    assert.deepEqual([error.code, error.statusCode], [code, status])
    assert.ok(error.errors.length > 0 || error.details.allow !== undefined)
    const id = /^x-request-id: (\S+)$/im.exec(head)?.[1]
    assert.ok(id?.startsWith('req_'))
    assert.equal(error.requestId, id)
    assert.match(head, /^x-ratelimit-remaining: \d+$/im)
  })
}

test('bytes that are not HTTP behind a request never end up in its reply', async () => {
  const text = await talk(`${ask('/agents', keyed())}NONSENSE\r\n\r\n`)
  assert.deepEqual(statusesOf(text).slice(1), [], text)
})

test('a body that waits to be asked for is asked for', async () => {
  const text = await talk(ask('/agents', keyed(), 'Expect: 100-continue'), 2)
  assert.deepEqual(statusesOf(text), [100, 200])
})
