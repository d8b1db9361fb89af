/**
 * Reads strangers' texts in a separate thread. A text that would take the parser endless time or memory costs only
 * itself. The thread reads one text at a time, and ends when it has had nothing to read for a while.
 */
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ReadingOf, Task } from './tasks.ts'

/** The text cannot be read. It is at fault, and reading it again does not help. */
export class Unreadable extends Error {}

/** A limit of processor time. On a busy machine, the clock says nothing about a page. */
const maxReadingMs = 5_000
const maxWaitingMs = 60_000
const watchEveryMs = 250
const maxIdleMs = 5_000
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 }

let thread: Worker | null = null
let idle: NodeJS.Timeout | undefined
let lastReading: Promise<unknown> = Promise.resolve()

/** Throws `Unreadable`. */
export function read<T extends Task>(task: T): Promise<ReadingOf<T>> {
  const reading = lastReading.then(() => readNow(task))
  // The next reading waits for this one to end, whether it succeeds or fails.
  lastReading = reading.catch(() => undefined)
  return reading
}

async function readNow<T extends Task>(task: T): Promise<ReadingOf<T>> {
  clearTimeout(idle)
  thread ??= startThread()
  const { promise, resolve, reject } = Promise.withResolvers<ReadingOf<T>>()
  const worker = thread
  const giveUp = (why: string) => {
    thread = null
    // The thread is of no use any more, so its end is not awaited.
    void worker.terminate()
    reject(new Unreadable(why))
  }
  const watch = watchOver(worker, () => giveUp(`takes longer to read than ${maxReadingMs / 1_000} s`))
  const onMessage = ({ reading, fault }: { reading?: ReadingOf<T>; fault?: string }) => {
    if (reading === undefined) reject(new Unreadable(`cannot be read: ${fault}`))
    else resolve(reading)
  }
  const onEnd = () => giveUp('needs too much memory to be read')
  worker.ref()
  worker.once('message', onMessage).once('error', onEnd).once('exit', onEnd)
  worker.postMessage(task)
  try {
    return await promise
  } finally {
    clearInterval(watch)
    worker.off('message', onMessage).off('error', onEnd).off('exit', onEnd)
    worker.unref()
    idle = setTimeout(endIdle, maxIdleMs).unref()
  }
}

/** Calls `giveUp` once the thread has used up its processor time, or after the longest wait by the clock. */
function watchOver(worker: Worker, giveUp: () => void): NodeJS.Timeout {
  const startedAt = performance.now()
  let before: number | null = null
  const look = async (): Promise<void> => {
    if (performance.now() - startedAt > maxWaitingMs) return giveUp()
    const { user, system } = await worker.cpuUsage()
    const usedMs = (user + system) / 1_000
    before ??= usedMs
    if (usedMs - before > maxReadingMs) giveUp()
  }
  // A thread that has ended has no processor time to report, and needs no watching.
  return setInterval(() => void look().catch(() => undefined), watchEveryMs)
}

function startThread(): Worker {
  const compiled = getCompileCacheDir()
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    resourceLimits,
    // The thread gets only Node's cache of compiled code. Without it, the thread would load the compiler.
    env: compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) },
    execArgv: [],
  })
  // `readNow` rejects a reading whose thread ends. A thread that ends while idle is replaced by the next reading.
  worker.on('error', () => undefined)
  worker.on('exit', () => {
    if (thread === worker) thread = null
  })
  return worker
}

function endIdle(): void {
  void thread?.terminate()
  thread = null
}
