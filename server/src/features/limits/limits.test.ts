/** Plans and limits: the headers on every reply, the window, the stores that count. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Limiter } from '../../platform/admission.ts'
import { createLog } from '../../platform/log.ts'
import { testPostgresUrl } from '../../testing/database.ts'
import { startTestApp, type TestApp, type TestReply } from '../../testing/test-app.ts'
import {
  type Counters,
  createMemoryCounters,
  createPostgresCounters,
  createRedisCounters,
} from './counters.ts'
import { addressKey, createLimiter } from './limiter.ts'
import { createLimits } from './service.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({
    settings: { ATRIUM_PLAN_STARTER: 'requestsPerMinute=3', ATRIUM_ANONYMOUS_RATE: '5' },
  })
})
after(() => app.close())

const limitHeaders = (reply: { headers: Record<string, unknown> }): number[] =>
  ['limit', 'remaining', 'reset'].map(name => Number(reply.headers[`x-ratelimit-${name}`]))

test('what is over the plan’s number gets 429 with Retry-After, and the headers count down', async () => {
  const { workspaceId, ownerId } = await app.createWorkspace('starter')
  const key = await app.createKey({ workspaceId, userId: ownerId })
  const replies: TestReply[] = []
  for (let i = 0; i < 4; i++) replies.push(await app.request('GET', '/workspace', { key }))
  assert.deepEqual(
    replies.map(reply => reply.status),
    [200, 200, 200, 429],
  )
  assert.deepEqual(
    replies.map(reply => limitHeaders(reply)[1]),
    [2, 1, 0, 0],
  )
  const last = replies[3]
  assert.equal(last?.body.code, 'rate_limited')
  assert.ok(Number(last?.headers['retry-after']) > 0 && Number(last?.headers['retry-after']) <= 60)
  const [, , reset = 0] = limitHeaders(replies[0] ?? { headers: {} })
  assert.ok(reset > Date.now() / 1000 && reset <= Date.now() / 1000 + 61)
  const sandbox = await app.createKey({ workspaceId, userId: ownerId, environment: 'test' })
  assert.equal((await app.request('GET', '/workspace', { key: sandbox })).status, 200)
  assert.equal((await app.request('GET', '/no-such-route', { key })).status, 429)
})

test('the plan free has no API: 403 plan_required with limit headers of zero', async () => {
  const { workspaceId, ownerId } = await app.createWorkspace('free')
  const key = await app.createKey({ workspaceId, userId: ownerId })
  const reply = await app.request('GET', '/workspace', { key })
  assert.equal(reply.status, 403)
  assert.equal(reply.body.code, 'plan_required')
  assert.deepEqual(limitHeaders(reply).slice(0, 2), [0, 0])
})

test('requests without a valid key are counted by address, and do not lock out a key that is known', async () => {
  assert.equal((await app.request('GET', '/workspace')).status, 200)
  const replies: TestReply[] = []
  for (let i = 0; i < 6; i++) replies.push(await app.request('GET', '/workspace', { key: null }))
  assert.deepEqual(
    replies.map(reply => reply.status),
    [401, 401, 401, 401, 401, 429],
  )
  const guessed = `${app.liveKey.key.slice(0, 8)}${'0'.repeat(49)}`
  assert.equal((await app.request('GET', '/workspace', { key: guessed })).status, 429)
  assert.equal((await app.request('GET', '/openapi.json', { key: null })).status, 429)
  assert.equal((await app.request('GET', '/workspace')).status, 200)
})

test('an IPv6 subscriber has one counter for the whole /64, an IPv4 address one in either spelling', () => {
  assert.equal(addressKey('2001:db8:1:2:aaaa::1'), addressKey('2001:db8:1:2:ffff::9'))
  assert.notEqual(addressKey('2001:db8:1:2::1'), addressKey('2001:db8:1:3::1'))
  assert.equal(addressKey('::ffff:203.0.113.9'), addressKey('203.0.113.9'))
})

const plan = { requestsPerMinute: 10, storageBytes: 0, uploadBytes: 0, members: 0, runsAtOnce: 0 }

const limiterOver = (counters: Counters): Limiter =>
  createLimiter({
    ...counters,
    limits: createLimits(
      { free: plan, starter: plan, professional: plan, enterprise: plan },
      () => undefined,
    ),
    anonymousPerMinute: 10,
    personPerMinute: 10,
    clock: Date.now,
  })

const countWith = (limiter: Limiter) => limiter.count({ ...app.liveKey.caller })

test('a counter in memory allows exactly the number, whatever arrives at once', async () => {
  const limiter = limiterOver(createMemoryCounters())
  const allowances = await Promise.all(Array.from({ length: 25 }, () => countWith(limiter)))
  assert.equal(allowances.filter(allowance => allowance.allowed).length, 10)
})

test('two servers on one PostgreSQL count together, also where they begin at the same moment', async context => {
  const url = testPostgresUrl()
  if (url === null)
    return context.diagnostic('there is no PostgreSQL in this run; the run on PostgreSQL asks it')
  // All of them make the table, at the same moment.
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  await pool.query('DROP TABLE IF EXISTS rate_limits')
  await pool.end()
  const counters = await Promise.all(Array.from({ length: 6 }, () => createPostgresCounters(url)))
  const limiters = counters.slice(0, 2).map(limiterOver)
  const allowances = await Promise.all(
    Array.from({ length: 24 }, (_, index) => countWith(limiters[index % 2] as Limiter)),
  )
  assert.equal(allowances.filter(allowance => allowance.allowed).length, 10)
  await Promise.all(counters.map(counter => counter.close()))
})

test('two servers on one Redis count together, and each keeps to its share while Redis is down', async () => {
  const redis = await startRedis()
  const lines: string[] = []
  const log = createLog({ level: 'info', write: line => lines.push(line) })
  const first = await createRedisCounters(redis.url, 'node-1', log)
  const second = await createRedisCounters(redis.url, 'node-2', log)
  const again = await createRedisCounters(redis.url, 'node-1', log)
  await again.close()
  const limiters = [limiterOver(first), limiterOver(second)]
  const counted = await Promise.all(
    Array.from({ length: 24 }, (_, index) => countWith(limiters[index % 2] as Limiter)),
  )
  assert.equal(counted.filter(allowance => allowance.allowed).length, 10)

  await redis.stop()
  await sleep(100)
  assert.notEqual(second.trouble(), null)
  const alone = await Promise.all(Array.from({ length: 12 }, () => countWith(limiters[1] as Limiter)))
  assert.equal(alone.filter(allowance => allowance.allowed).length, 5)
  assert.ok(lines.some(line => line.includes('Redis is down')))
  await Promise.all([first.close(), second.close()])
})

async function startRedis(): Promise<{ url: string; stop(): Promise<void> }> {
  const port = await freePort()
  const server: ChildProcess = spawn(
    'redis-server',
    ['--port', String(port), '--save', '', '--bind', '127.0.0.1'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  for await (const chunk of server.stdout ?? []) if (String(chunk).includes('Ready to accept')) break
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      server.kill('SIGKILL')
      await once(server, 'exit')
    },
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  return port
}
