import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { ServiceError } from '../errors.ts'
import type { Lookup } from './connector.ts'
import { FaultyReply, type SafeRequest } from './requests.ts'
import { createSafeFetch as createOwnedFetch, type SafeFetchOptions } from './safe-fetch.ts'

const loopback = ['127.0.0.0/8', '::1']
const guarded = createSafeFetch({ allowedPrivateNetworks: [] })

/** For one workspace. */
function createSafeFetch(options: SafeFetchOptions) {
  const safeFetch = createOwnedFetch(options)
  return (url: string, request: SafeRequest = {}) => safeFetch(url, { ...request, owner: 'ws_1' })
}

/** A server on loopback for one test; gives its port. */
async function serve(
  t: TestContext,
  listener: RequestListener,
  host = '127.0.0.1',
  port = 0,
): Promise<number> {
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(port, host, resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  // A TCP server that listens has an address with a port.
  return (server.address() as AddressInfo).port
}

const code = (wanted: string) => (error: unknown) => {
  assert.ok(error instanceof ServiceError, String(error))
  assert.equal(error.code, wanted)
  return true
}

test('a reply of endless heads or of a chunk for each byte is broken off, and one of many small chunks is read', async t => {
  const safeFetch = createSafeFetch({ allowedPrivateNetworks: loopback })
  const serveRaw = async (begin: string, piece: string, pieces: number, end: string) => {
    const server = createTcpServer(socket => {
      socket.on('error', () => undefined)
      socket.once('data', async () => {
        socket.write(begin)
        for (let sent = 0; sent < pieces && !socket.destroyed; sent += 1_000)
          if (!socket.write(piece.repeat(1_000)))
            await new Promise(go => socket.once('drain', go).once('close', go))
        socket.end(end)
      })
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    t.after(() => server.close())
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  }
  const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
  const letters = await serveRaw(chunked, '1\r\na\r\n', 50_000, '0\r\n\r\n')
  assert.equal((await (await safeFetch(letters)).text()).length, 50_000)
  const isFaulty = (error: unknown) => error instanceof FaultyReply && /too many pieces/.test(error.message)
  const crumbs = await serveRaw(chunked, '1\r\na\r\n', 1_000_000, '0\r\n\r\n')
  await assert.rejects(
    safeFetch(crumbs).then(reply => reply.text()),
    isFaulty,
  )
  const heads = await serveRaw('', 'HTTP/1.1 103 Early Hints\r\n\r\n', 100_000, 'HTTP/1.1 200 OK\r\n\r\n')
  await assert.rejects(safeFetch(heads), isFaulty)
})

test('no spelling of an inner address reaches it', async t => {
  let requests = 0
  const port = await serve(t, (_, response) => {
    requests++
    response.end('inside')
  })
  const hosts = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '0x7f000001',
    '017700000001',
    '127.0.0.1.',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '0.0.0.0',
    '[::]',
    '①②⑦.⓪.⓪.①',
    'localhost',
    '169.254.169.254',
    '100.64.0.1',
    '10.0.0.1',
    '224.0.0.1',
  ]
  for (const host of hosts) {
    await assert.rejects(guarded(`http://${host}:${port}/`), code('address_forbidden'), host)
  }
  assert.equal(requests, 0)
})

test('other schemes and credentials in the address are refused', async () => {
  for (const url of [
    'file:///etc/passwd',
    'ftp://example.com/',
    'http://user:secret@example.com/',
    'nonsense',
  ]) {
    await assert.rejects(guarded(url), code('address_forbidden'), url)
  }
})

test('an allowed network is reached, with method, headers and body', async t => {
  const port = await serve(t, async (request, response) => {
    response.setHeader('x-agent', request.headers['user-agent'] ?? '')
    response.end(`${request.method} ${request.headers['x-a']} ${await textOf(request)}`)
  })
  const safeFetch = createSafeFetch({ allowedPrivateNetworks: loopback })
  const response = await safeFetch(`http://localhost:${port}/`, {
    method: 'POST',
    headers: { 'x-a': '1' },
    body: 'body',
  })
  assert.equal(response.headers.get('x-agent'), 'Atrium')
  assert.equal(await response.text(), 'POST 1 body')
})

test('a name is resolved once for a connection, and what was checked is what is connected to', async t => {
  const port = await serve(
    t,
    (_, response) => response.setHeader('connection', 'close').end('second'),
    '127.0.0.2',
  )
  await serve(t, (_, response) => response.end('inside'), '127.0.0.1', port)
  let lookups = 0
  const rebinding: Lookup = async () => [{ address: lookups++ === 0 ? '127.0.0.2' : '127.0.0.1', family: 4 }]
  const safeFetch = createSafeFetch({ allowedPrivateNetworks: ['127.0.0.2/32'], lookup: rebinding })
  assert.equal(await (await safeFetch(`http://rebind.example:${port}/`)).text(), 'second')
  assert.equal(lookups, 1)
  await assert.rejects(safeFetch(`http://rebind.example:${port}/`), code('address_forbidden'))
  assert.equal(lookups, 2)
})

test('one inner address among the answers of the DNS condemns the name', async t => {
  const port = await serve(t, (_, response) => response.end('reached'), '127.0.0.2')
  const lookup: Lookup = async () => [
    { address: '127.0.0.2', family: 4 },
    { address: '127.0.0.1', family: 4 },
  ]
  const safeFetch = createSafeFetch({ allowedPrivateNetworks: ['127.0.0.2/32'], lookup })
  await assert.rejects(safeFetch(`http://mixed.example:${port}/`), code('address_forbidden'))
})

test('a name that does not resolve and a closed port are unreachable', async t => {
  const port = await serve(t, (_, response) => response.end(), '127.0.0.2')
  const failing: Lookup = async () => {
    throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
  }
  for (const lookup of [failing, async () => []]) {
    const safeFetch = createSafeFetch({ allowedPrivateNetworks: loopback, lookup })
    await assert.rejects(safeFetch(`http://missing.example:${port}/`), code('integration_unreachable'))
  }
  const safeFetch = createSafeFetch({ allowedPrivateNetworks: loopback })
  await assert.rejects(safeFetch(`http://127.0.0.1:${port}/`), code('integration_unreachable'))
})

test('a redirect to the inside is refused, and so is one to another scheme', async t => {
  let insideRequests = 0
  const inside = await serve(t, (_, response) => {
    insideRequests++
    response.end('inside')
  })
  for (const target of [
    `http://127.0.0.1:${inside}/`,
    `http://2130706433:${inside}/`,
    'file:///etc/passwd',
    'http://',
  ]) {
    const outside = await serve(
      t,
      (_, response) => response.writeHead(302, { location: target }).end(),
      '127.0.0.2',
    )
    const safeFetch = createSafeFetch({ allowedPrivateNetworks: ['127.0.0.2/32'] })
    await assert.rejects(safeFetch(`http://127.0.0.2:${outside}/`), code('address_forbidden'), target)
  }
  assert.equal(insideRequests, 0)
})

test('redirects are followed five times and no further, and not at all where the caller forbids it', async t => {
  const port = await serve(t, (request, response) => {
    const left = Number(request.url?.slice(1))
    if (left === 0) response.end('arrived')
    else response.writeHead(302, { location: `/${left - 1}` }).end()
  })
  const safeFetch = createSafeFetch({ allowedPrivateNetworks: loopback })
  assert.equal(await (await safeFetch(`http://127.0.0.1:${port}/5`)).text(), 'arrived')
  await assert.rejects(safeFetch(`http://127.0.0.1:${port}/6`), code('integration_unreachable'))
  await assert.rejects(
    safeFetch(`http://127.0.0.1:${port}/1`, { redirect: 'error' }),
    code('integration_unreachable'),
  )
  assert.equal((await safeFetch(`http://127.0.0.1:${port}/1`, { redirect: 'manual' })).status, 302)
})

test('a redirect to another origin carries no key of any name; one within the origin keeps it', async t => {
  const seen: IncomingMessage['headers'][] = []
  const other = await serve(t, (request, response) => {
    seen.push(request.headers)
    response.end()
  })
  const port = await serve(t, (request, response) => {
    seen.push(request.headers)
    const location = request.url === '/first' ? '/second' : `http://127.0.0.1:${other}/`
    response.writeHead(302, { location }).end()
  })
  const safeFetch = createSafeFetch({ allowedPrivateNetworks: loopback })
  await safeFetch(`http://127.0.0.1:${port}/first`, {
    headers: {
      authorization: 'Bearer secret',
      'x-api-key': 'secret',
      cookie: 'a=secret',
      accept: 'text/plain',
    },
  })
  assert.equal(seen.length, 3)
  assert.equal(seen[1]?.['x-api-key'], 'secret')
  assert.equal(JSON.stringify(seen[2]).includes('secret'), false)
  assert.equal(seen[2]?.accept, 'text/plain')
})

test('a POST becomes a GET after 302 and 303, stays one after 307, and its body never goes to another origin', async t => {
  const port = await serve(t, async (request, response) => {
    const [, status, to] = request.url?.split('/') ?? []
    if (status === 'end') return void response.end(`${request.method} ${await textOf(request)}`)
    const host = to === 'other' ? '127.0.0.2' : '127.0.0.1'
    response.writeHead(Number(status), { location: `http://${host}:${port}/end` }).end()
  })
  const safeFetch = createSafeFetch({ allowedPrivateNetworks: loopback })
  const post = (path: string) =>
    safeFetch(`http://127.0.0.1:${port}/${path}`, { method: 'POST', body: 'secret' })
  assert.equal(await (await post('302')).text(), 'GET ')
  assert.equal(await (await post('303')).text(), 'GET ')
  assert.equal(await (await post('307')).text(), 'POST secret')
  await assert.rejects(post('307/other'), code('integration_unreachable'))
})

test('a body that is too large ends the reading, whatever length it states', async t => {
  const port = await serve(t, (request, response) => {
    if (request.url === '/exact') response.end('x'.repeat(1_000))
    else pour(response)
  })
  const safeFetch = createSafeFetch({ allowedPrivateNetworks: loopback, maxResponseBytes: 1_000 })
  assert.equal((await (await safeFetch(`http://127.0.0.1:${port}/exact`)).text()).length, 1_000)
  const response = await safeFetch(`http://127.0.0.1:${port}/endless`)
  await assert.rejects(response.text(), code('integration_unreachable'))
})

test('a compressed body is counted as it unpacks: 50 MB of zeros are refused and never held', async t => {
  const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024))
  const port = await serve(t, (_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
  )
  const safeFetch = createSafeFetch({ allowedPrivateNetworks: loopback, maxResponseBytes: 1024 * 1024 })
  const before = process.memoryUsage().rss
  const response = await safeFetch(`http://127.0.0.1:${port}/`)
  await assert.rejects(response.arrayBuffer(), code('integration_unreachable'))
  assert.ok(process.memoryUsage().rss - before < 40 * 1024 * 1024)
})

test('one time limit covers the headers and the body', async t => {
  const port = await serve(t, (request, response) => {
    if (request.url === '/silent') return
    response.write('drip')
    const drip = setInterval(() => response.write('drip'), 20)
    response.on('close', () => clearInterval(drip))
  })
  const safeFetch = createSafeFetch({ allowedPrivateNetworks: loopback, timeoutMs: 150 })
  await assert.rejects(safeFetch(`http://127.0.0.1:${port}/silent`), code('integration_unreachable'))
  const response = await safeFetch(`http://127.0.0.1:${port}/dripping`)
  await assert.rejects(response.text(), code('integration_unreachable'))
})

test("the caller's signal ends the exchange with the caller's reason", async t => {
  const port = await serve(t, (request, response) => {
    if (request.url === '/begun') response.write('begun')
  })
  const safeFetch = createSafeFetch({ allowedPrivateNetworks: loopback })
  const url = `http://127.0.0.1:${port}`
  const reason = new Error('enough')
  await assert.rejects(safeFetch(url, { signal: AbortSignal.abort(reason) }), reason)
  const controller = new AbortController()
  const response = await safeFetch(`${url}/begun`, { signal: controller.signal })
  const reading = response.text()
  controller.abort(reason)
  await assert.rejects(reading, reason)
})

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

/** Writes until the other side goes away. */
function pour(response: ServerResponse): void {
  const chunk = Buffer.alloc(16 * 1024, 'x')
  const more = () => {
    let hasRoom = true
    while (hasRoom && !response.destroyed) hasRoom = response.write(chunk)
  }
  response.on('drain', more)
  more()
}
