import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import {
  type PeerReply,
  type PeerRequest,
  startLoopbackPeer,
} from '../../server/src/testing/peers/loopback-peer.ts'
import { createHttp } from './create-http.ts'
import { github } from './github/connector.ts'
import { HttpFailure } from './http.ts'
import { isFailure } from './testing/is-failure.ts'
import { openContext } from './testing/run-source.ts'

async function start(t: TestContext, answer: (request: PeerRequest) => PeerReply) {
  const [service, stranger] = [
    await startLoopbackPeer(t, answer),
    await startLoopbackPeer(t, () => ({ json: {} })),
  ]
  const context = openContext(github, {
    config: {},
    credentials: { kind: 'api_key', apiKey: 'secret' },
    peers: { 'https://api.github.com': service.origin, 'https://stranger.example': stranger.origin },
  })
  return { ...context, service, stranger }
}

test('a redirect to a foreign origin gets neither the credentials nor any header or body of the call', async t => {
  const { http, stranger } = await start(t, () => ({
    status: 307,
    headers: { location: 'https://stranger.example/x' },
    json: {},
  }))
  await http.send('https://api.github.com/a', { headers: { 'x-own': 'yes' } })
  assert.equal(stranger.requests.length, 1)
  const { authorization, 'x-own': own } = stranger.requests[0]?.headers ?? {}
  assert.deepEqual([authorization, own], [undefined, undefined])
  await assert.rejects(
    http.send('https://api.github.com/a', { method: 'POST', body: { password: 'x' } }),
    isFailure('unexpected_reply', /redirects what was sent to stranger\.example/),
  )
  assert.equal(stranger.requests.length, 1)
})

test('a call that names a foreign origin itself goes there without credentials', async t => {
  const { http, stranger } = await start(t, () => ({ json: {} }))
  await http.send('https://stranger.example/x')
  assert.equal(stranger.requests[0]?.headers.authorization, undefined)
})

test('redirects that have no end are given up', async t => {
  const { http, service } = await start(t, () => ({ status: 302, headers: { location: '/again' }, json: {} }))
  await assert.rejects(
    http.send('https://api.github.com/a'),
    isFailure('unexpected_reply', /redirects too often/),
  )
  assert.ok(service.requests.length <= 6)
})

test('what changes something is not sent again after a failure, unless it was refused for its rate', async t => {
  let status = 500
  const { http, service, pauses } = await start(t, () => {
    const reply = { status, headers: { 'retry-after': '2' }, json: {} }
    status = status === 429 ? 200 : status
    return reply
  })
  const post = () => http.send('https://api.github.com/a', { method: 'POST', body: {} })
  await assert.rejects(post(), isFailure('unavailable', /answered 500/))
  assert.equal(service.requests.length, 1)
  status = 429
  await post()
  assert.deepEqual([service.requests.length, pauses], [3, [2_000]])
})

test('a failure says what the service says, and stays one where that is no JSON', async t => {
  const bodies = [
    '{"message": "Validation \\"Failed\\"\\n\\u0000twice"}',
    '<html>"message": "no"</html>',
    '{"message": "cut \\u00',
  ]
  const { http } = await start(t, () => ({ status: 422, body: bodies.shift() ?? '' }))
  const messageOf = async () => {
    const error: unknown = await http.send('https://api.github.com/a').catch(failure => failure)
    return error instanceof HttpFailure ? error.message : 'no failure'
  }
  assert.equal(await messageOf(), 'api.github.com answered 422: Validation "Failed" twice')
  assert.equal(await messageOf(), 'api.github.com answered 422')
  assert.equal(await messageOf(), 'api.github.com answered 422')
})

const url = 'https://api.example.com/things?page=1'

async function nextAfter(link: string | null): Promise<string | null> {
  const { signal } = new AbortController()
  const http = createHttp({
    fetch: async () => Response.json([1, 2], link === null ? {} : { headers: { link } }),
    isFinal: () => false,
    credentials: async () => ({}),
    origins: [],
    signal,
    sleep: async () => undefined,
    random: () => 0,
    now: Date.now,
  })
  const { data, next } = await http.page<number[]>(url)
  assert.deepEqual(data, [1, 2])
  return next
}

test('the next page is where the Link header says, however it is written, and nowhere else', async () => {
  const second = 'https://api.example.com/things?page=2'
  assert.equal(await nextAfter(`<${second}>; rel="next"`), second)
  assert.equal(await nextAfter(`<${second}>; rel=next`), second)
  assert.equal(await nextAfter(`<${second}>; title="a, b"; rel="NEXT"`), second)
  assert.equal(await nextAfter(`<https://x/9>; rel="last", <${second}>; rel="next"; title="x"`), second)
  assert.equal(await nextAfter(`<${second}>; rel="prefetch next"`), second)
  assert.equal(await nextAfter('</things?page=2>; rel="next"'), second)
  for (const other of [
    `<${second}>; rel="last"`,
    `<${second}>; rel="nextish"`,
    `<${second}>`,
    'rel="next"',
    '<>',
  ]) {
    assert.equal(await nextAfter(other), null, other)
  }
  assert.equal(await nextAfter(null), null)
})

test('a hostile Link header costs no more time than its length', async () => {
  for (const hostileOf of [
    (length: number) => '<'.repeat(length),
    (length: number) => `<https://x/2>; rel="${'next '.repeat(length / 5)}"x`,
    (length: number) => `<https://x/2>; rel="next${' '.repeat(length)}"y`,
    (length: number) => `<https://x/2>${'"'.repeat(length)}`,
    (length: number) => `<https://x/2>${'; rel=;'.repeat(length / 7)}`,
    (length: number) => '<>,'.repeat(length / 3),
    (length: number) => `<https://x/2>${',<'.repeat(length / 2)}`,
  ]) {
    const [short, long] = [hostileOf(8_000), hostileOf(64_000)]
    const ratio = (await costMs(long)) / (await costMs(short))
    assert.ok(ratio < 24, `eight times the length costs ${ratio} times as much: ${long.slice(0, 30)}…`)
  }
})

/** The time of the processor that the header costs at its cheapest, each time done as often as it takes to be measured. */
async function costMs(link: string): Promise<number> {
  const costsMs: number[] = []
  for (let round = 0; round < 5; round++) {
    const before = process.cpuUsage()
    let spentMs = 0
    let count = 0
    for (; spentMs < 5; count++) {
      await nextAfter(link)
      const { user, system } = process.cpuUsage(before)
      spentMs = (user + system) / 1_000
    }
    costsMs.push(spentMs / count)
  }
  return Math.min(...costsMs)
}
