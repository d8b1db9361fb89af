/** The stores that count requests, and what they promise to several servers. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
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
  assert.ok(lines.some(line => line.includes('Redis is down')))
})

async function startRedis(t: TestContext): Promise<{ url: string; stop(): Promise<void> }> {
  const port = await freePort()
  const server = spawn('redis-server', ['--port', String(port), '--save', '', '--bind', '127.0.0.1'], {
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
