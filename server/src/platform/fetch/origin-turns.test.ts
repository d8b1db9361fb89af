import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createSafeFetch } from './safe-fetch.ts'

const safeFetch = createSafeFetch({ allowedPrivateNetworks: ['127.0.0.0/8'] })
const connections = 16

/** A server on loopback for one test; gives its address. */
async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a workspace with 200 requests at an origin lets another one in after a turn', async t => {
  const arrived: string[] = []
  const address = await serve(t, (request, response) => {
    arrived.push(request.url ?? '')
    response.end('answered')
  })
  const read = async (path: string, owner: string) => (await safeFetch(`${address}${path}`, { owner })).text()
  const many = Array.from({ length: 200 }, () => read('/many', 'ws_many'))
  await Promise.all([...many, read('/one', 'ws_one')])
  assert.equal(arrived.length, 201)
  // Another's turn is the next one, and what is in progress at once arrives in any order.
  assert.ok(arrived.indexOf('/one') <= 2 * connections, `It was number ${arrived.indexOf('/one')}`)
})

test('a turn lasts until the body has ended or was dropped, and who has none in time is told so', async t => {
  const endings: (() => void)[] = []
  const address = await serve(t, (request, response) => {
    response.write('begun')
    if (request.url === '/held') endings.push(() => response.end())
    else response.end()
  })
  const ask = (path: string) =>
    safeFetch(`${address}${path}`, { owner: 'ws_other', timeoutMs: 100 }).then(answer => answer.text())
  const held = await Promise.all(
    Array.from({ length: connections }, () => safeFetch(`${address}/held`, { owner: 'ws_many' })),
  )
  const noTurn = { code: 'integration_unreachable', message: /No connection to .* became free within 0.1 s/ }
  await assert.rejects(ask('/'), noTurn)

  const [first, second] = held
  await first?.body?.cancel()
  assert.equal(await safeFetch(`${address}/`, { owner: 'ws_other' }).then(answer => answer.text()), 'begun')

  await safeFetch(`${address}/held`, { owner: 'ws_many' })
  await assert.rejects(ask('/'), noTurn)
  for (const end of endings) end()
  assert.equal(await second?.text(), 'begun')
  assert.equal(await safeFetch(`${address}/`, { owner: 'ws_other' }).then(answer => answer.text()), 'begun')
})

test('a redirect takes a turn at each origin, and gives the first one back', async t => {
  const second = await serve(t, (_, response) => response.end('arrived'))
  const first = await serve(t, (_, response) => response.writeHead(302, { location: second }).end('moved'))
  const answers = Array.from({ length: 3 * connections }, async (_, i) =>
    (await safeFetch(first, { owner: `ws_${i % 2}` })).text(),
  )
  assert.deepEqual(new Set(await Promise.all(answers)), new Set(['arrived']))
})
