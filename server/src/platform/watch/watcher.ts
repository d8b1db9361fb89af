/**
 * Starts the thread that watches this one, and gives it signs of life. It names in the log what blocks the server, and
 * ends a server that stays blocked: another start answers again.
 */
import { randomUUID } from 'node:crypto'
import inspector from 'node:inspector'
import { getHeapStatistics } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { secondMs } from '../clock.ts'
import type { Log } from '../log.ts'
import { threadVariables } from '../threads/pool.ts'
import { places, type WatchData, type WatchTimes } from './signs.ts'
import { createWatchFiles } from './watch-files.ts'
import type { Works } from './works.ts'

const usualTimes: WatchTimes = { tickMs: 250, saysAfterMs: 2 * secondMs, endsAfterMs: 30 * secondMs }

/** A sign of life must come within each look of the thread. */
const signsOfOneTick = 2.5
const threadMegabytes = 48
/** V8 counts the room of young objects with the limit, but only old ones can fill it. */
const youngBytes = 192 * 1024 * 1024

type Options = Pick<WatchData, 'dataDir' | 'databaseUrl' | 'logLevel'> & {
  works: Works
  log: Log
  /** For tests. */
  times?: WatchTimes | undefined
}

/** Returns a function that ends the watch. */
export function startWatcher({ works, log, times = usualTimes, ...rest }: Options): () => Promise<void> {
  const memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * Object.keys(places).length)
  const signs = new Int32Array(memory)
  const { heap_size_limit: limitBytes } = getHeapStatistics()
  const heapLimitBytes = Math.max(limitBytes - youngBytes, limitBytes / 2)
  const giveSign = (): void => {
    Atomics.store(signs, places.isDebugged, inspector.url() === undefined ? 0 : 1)
    const { used_heap_size: usedBytes } = getHeapStatistics()
    Atomics.store(signs, places.heapPercent, Math.round((100 * usedBytes) / heapLimitBytes))
    Atomics.add(signs, places.signs, 1)
  }
  giveSign()
  const name = randomUUID()
  const workerData: WatchData = { ...rest, signs: memory, works: works.memory, name, heapLimitBytes, times }
  const thread = new Worker(new URL('./watch-thread.ts', import.meta.url), {
    workerData,
    env: threadVariables(),
    resourceLimits: { maxOldGenerationSizeMb: threadMegabytes, maxYoungGenerationSizeMb: 2 },
  })
  const timer = setInterval(giveSign, times.tickMs / signsOfOneTick).unref()
  let isEnding = false
  thread.unref()
  thread.on('error', error => log.error('The thread that watches the server has failed', { error }))
  thread.on('exit', () => {
    clearInterval(timer)
    if (!isEnding) log.error('The server is no longer watched; a restart watches it again')
  })
  return async () => {
    isEnding = true
    clearInterval(timer)
    await thread.terminate()
    createWatchFiles(rest.dataDir, name).removeLowMemory()
  }
}
