/**
 * Threads of this process for work that would hold up its event loop. They begin when they are needed and end when they
 * have been idle for a while; those who ask take turns, and each gets its answer or a refusal in time.
 */
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { minuteMs } from '../clock.ts'
import { ServiceError, stopping } from '../errors.ts'
import { createFairQueue } from '../fair-queue.ts'
import type { Log } from '../log.ts'
import { type Answered, type Asked, errorOf } from './serve.ts'

export type ThreadPool<Work, Answer> = {
  /**
   * Copies the work to a thread and its answer back. Owners, which are workspaces, take turns; of one owner, who asks
   * first comes first. Throws `overloaded` where too many wait or the time is over, `unavailable` where the thread has
   * ended, and the signal's reason once it is aborted.
   */
  run(owner: string, work: Work, signal?: AbortSignal): Promise<Answer>
  /** Ends all threads; those who wait are told that the server is stopping. */
  close(): Promise<void>
}

export type ThreadPoolOptions = {
  /** What a thread runs: a file that calls `serve`. */
  program: URL
  /** Handed to each thread as its `workerData`. */
  data: unknown
  /** How many there are at most. */
  threads: number
  /** How much one of them does at once: more than 1 where it waits for something outside. */
  worksAtOnce: number
  /** From the question to its answer. */
  deadlineMs: number
  log: Log
  /** For tests. */
  idleMs?: number
}

/** A thread takes some 30 MB, and 200 ms of a processor to begin. */
const usualIdleMs = 5 * minuteMs
/** Work whose time is over ends between two of its steps; a thread that is still at it after this is ended. */
const graceMs = 5_000
const heapMegabytes = 256
const youngHeapMegabytes = 24
/** So many may be asked for and unanswered. */
const mostAsked = 2_000
const mostAskedOfOwner = 500

export function createThreadPool<Work, Answer>(options: ThreadPoolOptions): ThreadPool<Work, Answer> {
  const { threads, worksAtOnce, deadlineMs } = options
  const queue = createFairQueue(threads * worksAtOnce)
  const asked = createTally()
  const crew = new Set<Thread>()
  const closing = new AbortController()

  /** The least busy one; a further one where all have something to do. */
  function pick(): Thread {
    const [free] = [...crew].sort((a, b) => a.busy() - b.busy())
    if (free !== undefined && (free.busy() === 0 || crew.size === threads)) return free
    const thread = startThread(options, () => crew.delete(thread))
    crew.add(thread)
    return thread
  }

  async function ask(owner: string, work: Work, over: AbortSignal): Promise<Answer> {
    // It is over for the caller at once, for the queue only when the thread is free again.
    const answer = queue.run(owner, () => pick().ask(work, over), over)
    const left = Promise.withResolvers<never>()
    const leave = (): void => left.reject(over.reason)
    over.addEventListener('abort', leave, { once: true })
    try {
      return (await Promise.race([answer, left.promise])) as Answer
    } finally {
      over.removeEventListener('abort', leave)
    }
  }

  return {
    async run(owner, work, signal) {
      if (asked.all() >= mostAsked || asked.of(owner) >= mostAskedOfOwner) throw overloaded()
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(overloaded()), deadlineMs)
      const signals = [late.signal, closing.signal, ...(signal === undefined ? [] : [signal])]
      asked.add(owner, 1)
      try {
        return await ask(owner, work, AbortSignal.any(signals))
      } finally {
        asked.add(owner, -1)
        clearTimeout(timer)
      }
    },
    async close() {
      closing.abort(stopping())
      await Promise.all([...crew].map(thread => thread.end()))
    },
  }
}

type Thread = {
  /** How much it is asked for at the moment. */
  busy(): number
  /** Resolves when the thread is done with it, also where `over` is aborted before. */
  ask(work: unknown, over: AbortSignal): Promise<unknown>
  end(): Promise<unknown>
}

function startThread(
  { program, data, log, idleMs = usualIdleMs }: ThreadPoolOptions,
  onEnd: () => void,
): Thread {
  // Without it each thread would compile its code again.
  const cacheFolder = getCompileCacheDir()
  const worker = new Worker(program, {
    workerData: data,
    env: cacheFolder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cacheFolder) },
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: youngHeapMegabytes },
  })
  worker.unref()
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let lastId = 0
  let idle: NodeJS.Timeout | undefined
  let isEnding = false

  /** Nothing more is asked of it from now on. */
  const end = (): Promise<unknown> => {
    isEnding = true
    clearTimeout(idle)
    onEnd()
    return worker.terminate()
  }
  const settle = (id: number, how: (promise: PromiseWithResolvers<unknown>) => void): void => {
    const promise = waiting.get(id)
    waiting.delete(id)
    if (promise !== undefined) how(promise)
    if (waiting.size > 0 || isEnding) return
    worker.unref()
    idle = setTimeout(end, idleMs).unref()
  }

  let cause: unknown
  worker.on('message', (answered: Answered) =>
    settle(answered.id, ({ resolve, reject }) =>
      'failure' in answered ? reject(errorOf(answered.failure)) : resolve(answered.answer),
    ),
  )
  worker.on('error', error => {
    cause = error
  })
  worker.on('exit', () => {
    if (!isEnding)
      log.error('A thread has ended by itself; the next question starts another', { error: cause })
    isEnding = true
    clearTimeout(idle)
    onEnd()
    for (const { reject } of waiting.values()) reject(threadEnded(cause))
    waiting.clear()
  })

  return {
    busy: () => waiting.size,
    async ask(work, over) {
      clearTimeout(idle)
      const id = ++lastId
      const promise = Promise.withResolvers<unknown>()
      waiting.set(id, promise)
      worker.ref()
      const isOver = new Int32Array(new SharedArrayBuffer(4))
      let grace: NodeJS.Timeout | undefined
      const stop = (): void => {
        Atomics.store(isOver, 0, 1)
        grace = setTimeout(end, graceMs).unref()
      }
      over.addEventListener('abort', stop, { once: true })
      try {
        worker.postMessage({ id, work, over: isOver } satisfies Asked)
        return await promise.promise
      } finally {
        over.removeEventListener('abort', stop)
        clearTimeout(grace)
      }
    },
    end,
  }
}

/** How many are asked for, by owner. */
function createTally() {
  const counts = new Map<string, number>()
  let all = 0
  return {
    all: () => all,
    of: (owner: string) => counts.get(owner) ?? 0,
    add(owner: string, change: 1 | -1) {
      all += change
      const count = (counts.get(owner) ?? 0) + change
      if (count === 0) counts.delete(owner)
      else counts.set(owner, count)
    },
  }
}

const overloaded = (): ServiceError =>
  new ServiceError('overloaded', undefined, { headers: { 'retry-after': '2' } })

const threadEnded = (cause: unknown): ServiceError =>
  new ServiceError('unavailable', undefined, { headers: { 'retry-after': '1' }, cause })
