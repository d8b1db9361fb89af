/** The stores that count requests, and what they promise to several servers. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { eventually } from '../testing/eventually.ts'
import { allowedOf } from '../testing/limiters.ts'
import { createMemoryCounters, createRedisCounters } from './counters.ts'
import { createLog } from './log.ts'

test('a counter in memory allows exactly the number, whatever arrives at once', async () => {
  assert.equal(await allowedOf(25, [createMemoryCounters()]), 10)
})

const skip = spawnSync('redis-server', ['--version']).status !== 0 && 'there is no redis-server'

test('two servers on one Redis count together, and each keeps to its share while Redis is down', {
  skip,
}, async t => {
  const redis = await startRedis(t)
  const lines: string[] = []
  const log = createLog({ level: 'info', write: line => lines.push(line) })
  const first = await createRedisCounters(redis.url, 'node-1', log)
  const second = await createRedisCounters(redis.url, 'node-2', log)
  t.after(() => Promise.all([first.close(), second.close()]))
  const again = await createRedisCounters(redis.url, 'node-1', log)
  await again.close()
  assert.equal(await allowedOf(24, [first, second]), 10)

  await redis.stop()
  await eventually('the trouble is told', () => second.trouble() !== null)
  assert.equal(await allowedOf(12, [second]), 5)
  assert.ok(lines.some(line => /Redis at 127\.0\.0\.1:\d+ is down/.test(line)))
})

test('a Redis that will never count ends the start in one line; one that is away does not', {
  skip,
}, async t => {
  const lines: string[] = []
  const log = createLog({ level: 'info', write: line => lines.push(line) })
  const open = (url: string) => createRedisCounters(url, 'node-1', log)
  const redis = await startRedis(t, ['--requirepass', 'geheim'])
  const named =
    /^Error: Redis at 127\.0\.0\.1:\d+ refuses the user or the password: correct them in REDIS_URL$/
  await assert.rejects(open(redis.url), named)
  await assert.rejects(open(redis.url.replace('//', '//:falsch@')), named)
  await assert.rejects(open(`${redis.url.replace('//', '//:geheim@')}/99`), /has no database of this number/)
  const page = createHttpServer((_request, reply) => reply.end('no Redis')).listen(0, '127.0.0.1')
  await once(page, 'listening')
  t.after(() => void page.close())
  const { port } = page.address() as AddressInfo
  await assert.rejects(open(`redis://127.0.0.1:${port}`), /does not speak as Redis does/)
  await redis.stop()
  const away = await open(redis.url)
  t.after(() => away.close())
  assert.ok(lines.some(line => /Redis at 127\.0\.0\.1:\d+ is down.*ECONNREFUSED/.test(line)))
})

async function startRedis(
  t: TestContext,
  more: readonly string[] = [],
): Promise<{ url: string; stop(): Promise<void> }> {
  const port = await freePort()
  const options = ['--port', String(port), '--save', '', '--bind', '127.0.0.1', ...more]
  const server = spawn('redis-server', options, {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const stop = async (): Promise<void> => {
    if (server.signalCode !== null) return
    server.kill('SIGKILL')
    await once(server, 'exit')
  }
  t.after(stop)
  for await (const chunk of server.stdout) if (String(chunk).includes('Ready to accept')) break
  return { url: `redis://127.0.0.1:${port}`, stop }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  return port
}
