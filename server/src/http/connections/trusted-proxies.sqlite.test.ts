/** Whose address counts: a key that works from one address only tells by which address a request was taken. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp, type TestKey } from '../../testing/test-app.ts'

const client = '203.0.113.7'
const proxy = '192.0.2.1'

let behind: TestApp
let direct: TestApp
before(async () => {
  behind = await startTestApp({
    settings: { ATRIUM_TRUSTED_PROXIES: '192.0.2.0/24,2001:db8:1::/48', ATRIUM_ANONYMOUS_RATE: '100000' },
  })
  direct = await startTestApp({ settings: { ATRIUM_ANONYMOUS_RATE: '100000' } })
})
after(async () => {
  await behind.close()
  await direct.close()
})

/** Whether a request from a peer, with what it says of whom it is forwarded for, counts as the client's. */
async function isTaken(
  app: TestApp,
  key: TestKey,
  peer: string,
  headers: Record<string, string | string[]>,
): Promise<boolean> {
  const { statusCode } = await app.app.server.inject({
    method: 'GET',
    url: '/api/v1/agents',
    remoteAddress: peer,
    headers: { authorization: `Bearer ${key.key}`, ...headers },
  })
  return statusCode === 200
}

test('what a peer that is no trusted proxy says of addresses counts for nothing', async () => {
  const spoofs = [
    { 'x-forwarded-for': client },
    { 'x-forwarded-for': `${client}, ${proxy}` },
    { 'x-forwarded-for': [client, client] },
    { 'x-real-ip': client, 'x-client-ip': client, 'true-client-ip': client, 'cf-connecting-ip': client },
    { forwarded: `for=${client}` },
  ]
  for (const app of [behind, direct]) {
    const key = await app.createKey({ allowedAddresses: [client] })
    assert.ok(await isTaken(app, key, client, {}))
    assert.ok(await isTaken(app, key, `::ffff:${client}`, {}))
    for (const headers of spoofs) {
      for (const peer of ['198.51.100.9', '2001:db8:2::1', '::ffff:198.51.100.9']) {
        assert.ok(!(await isTaken(app, key, peer, headers)), `${peer} ${JSON.stringify(headers)}`)
      }
    }
  }
})

test('of what comes through trusted proxies, the last address that is none of theirs counts', async () => {
  const key = await behind.createKey({ allowedAddresses: [client] })
  const stranger = '198.51.100.9'
  for (const [peer, forwardedFor, expected] of [
    [proxy, client, true],
    [`::ffff:${proxy}`, client, true],
    ['2001:db8:1::5', `::ffff:${client}`, true],
    [proxy, `${client}, 192.0.2.77`, true],
    [proxy, `${stranger}, ${client}`, true],
    // What a client wrote itself stands before what the proxy has seen.
    [proxy, `${client}, ${stranger}`, false],
    [proxy, `${client}, ${stranger}, 192.0.2.77`, false],
    [proxy, `${client}, nonsense`, false],
    [proxy, `${client}:1234, ${stranger}`, false],
    [proxy, 'unknown', false],
  ] as const) {
    const taken = await isTaken(behind, key, peer, { 'x-forwarded-for': forwardedFor })
    assert.equal(taken, expected, `${peer} for ${forwardedFor}`)
  }
})
