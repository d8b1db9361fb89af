/** Where requests are counted: in memory, in PostgreSQL, or in Redis, with memory for when Redis is down. */
import { CompiledQuery } from 'kysely'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
} from 'rate-limiter-flexible'
import type { Database } from './database/database.ts'
import type { Log } from './log.ts'

export type Counters = {
  counters: RateLimiterAbstract
  /** The share of each limit that this process may spend; 1 if the store is shared or there is only one process. */
  share: () => number
  /** What is wrong; null if all is well. */
  trouble: () => string | null
  close(): Promise<void>
}

/** Never reached: the limiter itself compares the count with the plan's number. */
const points = Number.MAX_SAFE_INTEGER
/** Requests are counted by the minute. */
export const windowSeconds = 60

const options = { points, duration: windowSeconds }
const heartbeatMs = 5_000
const nodeTimeoutMs = 15_000

export const createMemoryCounters = (): Counters => ({
  counters: new RateLimiterMemory(options),
  share: () => 1,
  trouble: () => null,
  close: async () => undefined,
})

// The Redis client is loaded where it is used: most servers start without it.

export async function createPostgresCounters({ read }: Database): Promise<Counters> {
  // Not as a named prepared statement: behind a pooler, the next connection does not know the name.
  const storeClient = {
    query: ({ text, values = [] }: { text: string; values?: unknown[] }) =>
      read.executeQuery(CompiledQuery.raw(text, values)),
  }
  const insurance = new RateLimiterMemory(options)
  const open = () =>
    new Promise<RateLimiterPostgres>((resolve, reject) => {
      const limiter: RateLimiterPostgres = new RateLimiterPostgres(
        {
          ...options,
          storeClient,
          storeType: 'client',
          tableName: 'rate_limits',
          insuranceLimiter: insurance,
        },
        error => (error === undefined ? resolve(limiter) : reject(error)),
      )
    })
  const counters = await open().catch((error: unknown) => {
    if (isMadeByAnother(error)) return open()
    throw error
  })
  return { counters, share: () => 1, trouble: () => null, close: async () => undefined }
}

/** `IF NOT EXISTS` does not wait for another server that makes the table at the same moment: one of the two fails. */
const isMadeByAnother = (error: unknown): boolean =>
  ['42P07', '42710', '23505'].includes(String((error as { code?: unknown } | null)?.code))

/**
 * While Redis answers, every server counts in it. While it does not, each server counts for itself, against its
 * share: the limit divided by the number of servers that were last seen.
 */
export async function createRedisCounters(url: string, nodeId: string, log: Log): Promise<Counters> {
  const { Redis } = await import('ioredis')
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: 2_000,
    commandTimeout: 1_000,
    retryStrategy: attempt => Math.min(200 * attempt, 5_000),
    lazyConnect: true,
  })
  const place = placeOf(url)
  let servers = 1
  let down: string | null = null
  /** What happened while the connection was opened: a later event can hide the cause. */
  const opening: string[] = []
  let isOpening = true
  const note = (trouble: string | null): void => {
    if (trouble !== null && isOpening) opening.push(trouble)
    if (trouble !== null && down === null && !isOpening)
      log.error(`${place} is down; limits are counted by this server alone`, { trouble })
    if (trouble === null && down !== null && !isOpening)
      log.info('Redis is back; limits are counted together again')
    down = trouble
  }
  redis.on('error', error => note(error.message))
  redis.on('close', () => note('the connection was closed'))

  const beat = async (): Promise<void> => {
    try {
      const now = Date.now()
      await redis.zadd('atrium:servers', now, nodeId)
      await redis.zremrangebyscore('atrium:servers', 0, now - nodeTimeoutMs)
      servers = Math.max(1, await redis.zcard('atrium:servers'))
      note(null)
    } catch (error) {
      note((error as Error).message)
    }
  }
  await redis.connect().catch((error: Error) => note(error.message))
  await beat()
  isOpening = false
  const fault = opening.map(finalFault).find(found => found !== null)
  if (fault !== undefined) {
    redis.disconnect()
    throw new Error(`${place} ${fault}`)
  }
  if (down !== null)
    log.error(`${place} is down; limits are counted by this server alone`, { trouble: opening[0] ?? down })
  const timer = setInterval(beat, heartbeatMs)
  timer.unref()

  return {
    counters: new RateLimiterRedis({
      ...options,
      storeClient: redis,
      keyPrefix: 'atrium:limit',
      rejectIfRedisNotReady: true,
      insuranceLimiter: new RateLimiterMemory(options),
    }),
    share: () => (down === null ? 1 : 1 / servers),
    trouble: () => down,
    async close() {
      clearInterval(timer)
      await redis.zrem('atrium:servers', nodeId).catch(() => undefined)
      redis.disconnect()
    },
  }
}

/** Without the password. */
function placeOf(url: string): string {
  const { hostname, port } = new URL(url)
  return `Redis at ${hostname}:${port === '' ? 6379 : port}`
}

/** In words, what waiting does not cure; null for a server that is away for a while. */
function finalFault(trouble: string): string | null {
  if (/WRONGPASS|NOAUTH|invalid password|without any password configured/.test(trouble))
    return 'refuses the user or the password: correct them in REDIS_URL'
  if (/NOPERM/.test(trouble))
    return `does not let the user of REDIS_URL count (${trouble}): give it sorted sets and counters`
  if (/DB index is out of range/.test(trouble))
    return 'has no database of this number: correct the path of REDIS_URL'
  if (/Protocol error|Unknown RESP type/.test(trouble))
    return 'does not speak as Redis does: check host and port in REDIS_URL'
  return null
}
