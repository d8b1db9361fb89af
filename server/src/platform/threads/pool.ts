/**
 * Threads of this process for work that would hold up its event loop. They begin when they are needed and end when they
 * have been idle for a while; those who ask take turns, and each gets its answer or a refusal in time.
 */
import { Worker } from 'node:worker_threads'
import { minuteMs, secondMs } from '../clock.ts'
import { ServiceError } from '../errors.ts'
import type { Log } from '../log.ts'
import { createDoor } from './door.ts'
import { type Answered, type Asked, errorOf, type Ready, ready } from './serve.ts'
import { threadVariables } from './thread-variables.ts'

export type ThreadPool<Work, Answer> = {
  /**
   * Copies the work to a thread and its answer back, in the turns and limits of a `Door`. Throws `unavailable` where the
   * thread has ended.
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
  /** From the question to its answer. */
  deadlineMs: number
  log: Log
  /** For tests. */
  idleMs?: number
}

/** A thread takes some 35 MB, and 200 ms of a processor to begin: the last one waits for longer than the others. */
const usualIdleMs = 5 * minuteMs
const oneOfSeveralIdleMs = 20 * secondMs
/** Work whose time is over ends between two of its steps; a thread that is still at it after this is ended. */
const graceMs = 5_000
const heapMegabytes = 256
const youngHeapMegabytes = 12

export function createThreadPool<Work, Answer>(options: ThreadPoolOptions): ThreadPool<Work, Answer> {
  const { threads, deadlineMs } = options
  const door = createDoor(threads, deadlineMs)
  const crew = new Set<Thread>()
  const free = new Set<Thread>()
  const waiting: PromiseWithResolvers<Thread>[] = []

  function start(): void {
    const thread = startThread(options, {
      isLast: () => crew.size === 1,
      onReady: () => give(thread),
      onEnd(cause) {
        crew.delete(thread)
        free.delete(thread)
        if (crew.size === 0) for (const { reject } of waiting.splice(0)) reject(threadEnded(cause))
      },
    })
    crew.add(thread)
  }

  function give(thread: Thread): void {
    if (!crew.has(thread)) return
    const next = waiting.shift()
    if (next === undefined) free.add(thread)
    else next.resolve(thread)
  }

  /** The first that has nothing to do: one that is busy is sooner free than another one has begun. */
  function take(): Promise<Thread> {
    const [thread] = free
    if (thread !== undefined) {
      free.delete(thread)
      return Promise.resolve(thread)
    }
    const next = Promise.withResolvers<Thread>()
    waiting.push(next)
    if (crew.size < threads) start()
    return next.promise
  }

  async function ask(work: Work, over: AbortSignal): Promise<unknown> {
    const thread = await take()
    try {
      over.throwIfAborted()
      return await thread.ask(work, over)
    } finally {
      give(thread)
    }
  }

  return {
    run: async (owner, work, signal) => (await door.run(owner, over => ask(work, over), signal)) as Answer,
    async close() {
      door.close()
      await Promise.all([...crew].map(thread => thread.end()))
    },
  }
}

type Thread = {
  /** One work at a time. Resolves when the thread is done with it, also where `over` is aborted before. */
  ask(work: unknown, over: AbortSignal): Promise<unknown>
  end(): Promise<unknown>
}

function startThread(
  { program, data, log, deadlineMs, idleMs = usualIdleMs }: ThreadPoolOptions,
  { isLast, onReady, onEnd }: { isLast(): boolean; onReady(): void; onEnd(cause: unknown): void },
): Thread {
  const worker = new Worker(program, {
    workerData: data,
    env: threadVariables(),
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: youngHeapMegabytes },
  })
  let waiting: PromiseWithResolvers<unknown> | null = null
  let idle: NodeJS.Timeout | undefined
  let isEnding = false
  let cause: unknown

  /** Nothing more is asked of it from now on. */
  const leave = (): void => {
    isEnding = true
    clearTimeout(idle)
    onEnd(cause)
  }
  const end = (): Promise<unknown> => {
    leave()
    return worker.terminate()
  }
  const endIfIdle = (): void => {
    clearTimeout(idle)
    idle = setTimeout(
      () => {
        if (isLast()) idle = setTimeout(end, idleMs).unref()
        else void end()
      },
      Math.min(idleMs, oneOfSeveralIdleMs),
    ).unref()
  }

  // One that does not begin in time would hold its place for ever.
  idle = setTimeout(end, deadlineMs).unref()

  worker.on('message', (answered: Answered | Ready) => {
    worker.unref()
    if (!isEnding) endIfIdle()
    if (answered === ready) return onReady()
    const asked = waiting
    waiting = null
    if ('failure' in answered) asked?.reject(errorOf(answered.failure))
    else asked?.resolve(answered.answer)
  })
  worker.on('error', error => {
    cause = error
  })
  worker.on('exit', () => {
    if (!isEnding)
      log.error('A thread has ended by itself; the next question starts another', { error: cause })
    leave()
    waiting?.reject(threadEnded(cause))
    waiting = null
  })

  return {
    async ask(work, over) {
      clearTimeout(idle)
      const asked = Promise.withResolvers<unknown>()
      waiting = asked
      worker.ref()
      const isOver = new Int32Array(new SharedArrayBuffer(4))
      let grace: NodeJS.Timeout | undefined
      const stop = (): void => {
        Atomics.store(isOver, 0, 1)
        grace = setTimeout(end, graceMs).unref()
      }
      over.addEventListener('abort', stop, { once: true })
      try {
        worker.postMessage({ work, over: isOver } satisfies Asked)
        return await asked.promise
      } finally {
        over.removeEventListener('abort', stop)
        clearTimeout(grace)
      }
    },
    end,
  }
}

const threadEnded = (cause: unknown): ServiceError =>
  new ServiceError('unavailable', undefined, { headers: { 'retry-after': '1' }, cause })
