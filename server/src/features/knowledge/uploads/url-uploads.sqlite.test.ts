import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { createSafeFetch } from '../../../platform/fetch/safe-fetch.ts'
import { eventually } from '../../../testing/eventually.ts'
import { createCollection, search } from '../../../testing/knowledge/knowledge.ts'
import { startTestApp, type TestApp, type TestReply } from '../../../testing/test-app.ts'

let app: TestApp
/** May reach no private address. */
let strict: TestApp
let origin: string
let collectionId: string
let hangs = 0
let text = 'The walrus rests on the ice.'

const peer = createServer((request: IncomingMessage, response: ServerResponse) => {
  const path = new URL(request.url ?? '/', 'http://peer').pathname
  const headers: Record<string, string> = { 'content-type': 'text/plain' }
  if (path === '/walrus.md') response.end(text)
  else if (path === '/named') {
    response.setHeader(
      'content-disposition',
      'attachment; filename="plain.txt"; filename*=UTF-8\'\'%C3%BCber.md',
    )
    response.end('# Named')
  } else if (path === '/page') response.writeHead(200, { 'content-type': 'text/html' }).end('<p>A page</p>')
  else if (path === '/missing') response.writeHead(404).end('no')
  else if (path === '/inside') response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end()
  else if (path === '/moved') response.writeHead(302, { location: '/walrus.md' }).end()
  else if (path === '/said')
    response.writeHead(200, { ...headers, 'content-length': '9000000' }).flushHeaders()
  else if (path === '/short')
    response
      .writeHead(200, { ...headers, 'content-length': '900' })
      .end('not so long', () => response.destroy())
  else if (path === '/loop') response.writeHead(302, { location: '/loop' }).end()
  else if (path === '/garbage') response.socket?.end('HTTP/1.1 200 OK\r\ncontent-length: one\r\n\r\nx')
  else if (path === '/drips') {
    response.writeHead(200, headers)
    const timer = setInterval(() => response.write('and on '), 50)
    response.on('close', () => clearInterval(timer))
  } else if (path === '/hangs') {
    hangs += 1
    response.writeHead(200, headers).write('a beginning ')
  } else if (path === '/endless') {
    const write = (): void => {
      while (response.write('for ever and ever '.repeat(1_000)));
    }
    response.on('drain', write)
    write()
  } else response.destroy()
})

before(async () => {
  await new Promise<void>(resolve => peer.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(peer.address() as AddressInfo).port}`
  const settings = { ATRIUM_PLAN_ENTERPRISE: 'uploadMb=1', ATRIUM_URL_TIMEOUT_SECONDS: '2' }
  const safeFetch = createSafeFetch({ allowedPrivateNetworks: ['127.0.0.1/32'] })
  app = await startTestApp({ settings, adapt: dependencies => ({ ...dependencies, safeFetch }) })
  strict = await startTestApp({ settings })
  collectionId = await createCollection(app)
})
after(async () => {
  await app.close()
  await strict.close()
  peer.closeAllConnections()
  peer.close()
})

const upload = (body: Record<string, unknown>, headers: Record<string, string> = {}): Promise<TestReply> =>
  app.request('POST', '/knowledge/documents/from-url', { body: { collectionId, ...body }, headers })

test('a file is fetched by its address, named by it, and found', async () => {
  const reply = await upload({ url: `${origin}/walrus.md`, title: 'Walrus' }, { prefer: 'wait=30' })
  assert.equal(reply.status, 201)
  const { id, name, mediaType, status } = reply.body.data
  assert.deepEqual([name, mediaType, status], ['walrus.md', 'text/markdown', 'ready'])
  assert.equal(reply.headers.location, `/api/v1/knowledge/documents/${id}`)
  assert.equal((await search(app, 'walrus'))[0].documentId, id)
})

test('the name is what the server says, else what the address ends with and the type suggests', async () => {
  assert.equal((await upload({ url: `${origin}/named` })).body.data.name, 'über.md')
  assert.equal((await upload({ url: `${origin}/page?q=1` })).body.data.name, 'page.html')
  assert.equal((await upload({ url: `${origin}/moved` })).body.data.name, 'moved')
})

test('with an external id the document is brought up to date', async () => {
  const wanted = { url: `${origin}/walrus.md`, externalId: 'web/walrus' }
  const first = await upload(wanted)
  assert.deepEqual([first.status, first.body.data.version], [201, 1])
  const same = await upload(wanted)
  assert.deepEqual([same.status, same.body.data.version, same.body.data.id], [200, 1, first.body.data.id])
  text = 'The walrus swims.'
  const changed = await upload(wanted)
  assert.deepEqual([changed.status, changed.body.data.version], [200, 2])
})

test('an address that points inside is a 400 that names `url`, in every spelling and behind a redirect', async () => {
  const strictCollection = await createCollection(strict)
  const inside = [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '169.254.169.254',
    '10.0.0.1',
  ]
  const urls = [
    ...inside.map(host => `http://${host}/secret`),
    ...[
      'file:///etc/passwd',
      'ftp://example.com/a',
      'http://user:pass@example.com/a',
      'not a url',
      'data:,a',
    ],
  ]
  for (const url of urls) {
    const reply = await strict.request('POST', '/knowledge/documents/from-url', {
      body: { collectionId: strictCollection, url },
    })
    assert.equal(reply.status, 400, `${url}: ${JSON.stringify(reply.body)}`)
    assert.equal(reply.body.errors[0].field, 'url')
  }
  const redirected = await upload({ url: `${origin}/inside` })
  assert.deepEqual([redirected.status, redirected.body.errors[0].field], [400, 'url'])
})

test('one that streams for ever ends at the size that the plan allows; one that says so is not begun', async () => {
  for (const path of ['/endless', '/said']) {
    const reply = await upload({ url: origin + path })
    assert.deepEqual([reply.status, reply.body.code], [413, 'payload_too_large'], path)
    assert.match(reply.body.message, /1048576/)
  }
})

test('an address that answers with an error, or not at all, says so under its name', async () => {
  const missing = await upload({ url: `${origin}/missing` })
  assert.deepEqual(
    [missing.status, missing.body.errors],
    [400, [{ field: 'url', message: 'answered with the status 404' }]],
  )
  const broken = await upload({ url: `${origin}/broken` })
  assert.deepEqual([broken.status, broken.body.code], [503, 'integration_unreachable'])
  assert.equal(broken.body.errors[0].field, 'url')
})

test('a reply that no retry can fix is a 400 that names `url`', async () => {
  for (const [path, message] of [
    ['/loop', /redirects too often/],
    ['/short', /ended its reply before/],
    ['/garbage', /valid HTTP/],
  ] as const) {
    const reply = await upload({ url: origin + path })
    assert.deepEqual([reply.status, reply.body.retryable], [400, false], path)
    assert.equal(reply.body.errors[0].field, 'url')
    assert.match(reply.body.errors[0].message, message)
  }
})

test('one that sends a little for ever ends at the time that the operator allows, and can be tried again', async () => {
  const reply = await upload({ url: `${origin}/drips` })
  assert.deepEqual([reply.status, reply.body.code], [503, 'integration_unreachable'])
  assert.deepEqual([reply.body.retryable, reply.body.errors[0].field], [true, 'url'])
  assert.match(reply.body.message, /within 2 s/)
})

test('of one workspace only so many files are fetched at once, and giving up makes room', async () => {
  const address = await app.listen()
  const givenUp = new AbortController()
  const hanging = Array.from({ length: 4 }, () =>
    fetch(`${address}/api/v1/knowledge/documents/from-url`, {
      method: 'POST',
      headers: { authorization: `Bearer ${app.liveKey.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ collectionId, url: `${origin}/hangs` }),
      signal: givenUp.signal,
    }).catch(() => null),
  )
  await eventually('four are in progress', () => hangs === 4)
  const busy = await upload({ url: `${origin}/walrus.md` })
  assert.deepEqual([busy.status, busy.headers['retry-after']], [503, '5'])
  givenUp.abort()
  await Promise.all(hanging)
  let free = await upload({ url: `${origin}/walrus.md` })
  await eventually('there is room again', async () => {
    if (free.status === 503) free = await upload({ url: `${origin}/walrus.md` })
    return free.status !== 503
  })
  assert.equal(free.status, 201)
  assert.deepEqual(
    app.logLines.filter(line => line.includes('internal_error')),
    [],
  )
})

test('an unknown collection, a missing address and an unknown field are named', async () => {
  const unknown = await upload({ url: `${origin}/walrus.md`, collectionId: 'col_00000000000000000000000000' })
  assert.deepEqual([unknown.status, unknown.body.errors[0].field], [400, 'collectionId'])
  const faulty = await upload({ uri: 'x' })
  assert.deepEqual(faulty.body.errors.map(({ field }: { field: string }) => field).sort(), ['uri', 'url'])
})
