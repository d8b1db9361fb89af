/**
 * Threads of this process for work that would block its event loop. They begin when they are needed and end when they
 * have been idle for a while. Callers take turns, and each gets its answer or a refusal in time.
 */
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { minuteMs, secondMs } from '../clock.ts'
import { ServiceError, stopping } from '../errors.ts'
import { createFairQueue, createTally } from '../fair-queue.ts'
import type { Log } from '../log.ts'
import { type Answered, type Asked, errorOf, type Ready, ready } from './serve.ts'

export type ThreadPool<Work, Answer> = {
  /**
   * Copies the work to a thread and the answer back, within the turns and limits of a `Door`. Throws `unavailable` if
   * the thread has ended.
   */
  run(owner: string, work: Work, signal?: AbortSignal): Promise<Answer>
  /** Ends all threads. Callers that wait are told that the server is stopping. */
  close(): Promise<void>
}

export type ThreadPoolOptions = {
  /** What a thread runs: a file that calls `serve`. */
  program: URL
  /** Given to each thread as its `workerData`. */
  data: unknown
  /** The most threads at once. */
  threads: number
  /** The time from the question to its answer. */
  deadlineMs: number
  log: Log
  /** For tests. */
  idleMs?: number
}

/** A thread takes some 35 MB, and 200 ms of a processor to begin. So the last thread may stay idle for longer. */
const usualIdleMs = 5 * minuteMs
const oneOfSeveralIdleMs = 20 * secondMs
/** Work whose time is over ends between two of its steps. A thread that still works after this pause is ended. */
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

  /** The first idle thread. If there is none, another one begins, but a busy thread may be free sooner. */
  function take(): Promise<Thread> {
    const [thread] = free
    if (thread !== undefined) {
      free.delete(thread)
      return Promise.resolve(thread)
    }
    if (crew.size < threads) {
      try {
        start()
      } catch (cause) {
        options.log.error('A thread could not begin; others do its work, if there are any', { error: cause })
        if (crew.size === 0) throw threadEnded(cause)
      }
    }
    const next = Promise.withResolvers<Thread>()
    waiting.push(next)
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
  /** One work at a time. Resolves when the thread is done with it, even if `over` is aborted before. */
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

  /** From now on the thread gets no more work. */
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

  // A thread that does not begin in time would hold its place forever.
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

/** Without the code that Node has compiled before, each thread would load the compiler: 75 ms more of a processor. */
export function threadVariables(): NodeJS.ProcessEnv {
  const folder = getCompileCacheDir()
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}

// A door for costly work: callers take turns, and each gets its answer or a refusal in time.

type Door = {
  /**
   * Runs the task when the owner's turn comes. Owners, which are workspaces, take turns; the tasks of one owner keep
   * their order. Throws `overloaded` if too many tasks wait or the time is over, and the signal's reason once the
   * signal is aborted. `over` tells the task, which keeps its place until it has ended.
   */
  run<Answer>(
    owner: string,
    task: (over: AbortSignal) => Promise<Answer>,
    signal?: AbortSignal,
  ): Promise<Answer>
  /** Callers that wait are told that the server is stopping. */
  close(): void
}

/** The most tasks that may be unanswered at once, of all owners and of one. */
const mostAsked = 2_000
const mostAskedOfOwner = 500

/** `width` tasks run at once. Each has `deadlineMs` from the question to its answer. */
export function createDoor(width: number, deadlineMs: number): Door {
  const queue = createFairQueue(width)
  const asked = createTally()
  const closing = new AbortController()

  async function ask<Answer>(owner: string, task: (over: AbortSignal) => Promise<Answer>, over: AbortSignal) {
    // For the caller the task is over at once, for the queue only when the task has ended.
    const answer = queue.run(owner, () => task(over), over)
    const left = Promise.withResolvers<never>()
    const leave = (): void => left.reject(over.reason)
    over.addEventListener('abort', leave, { once: true })
    try {
      return await Promise.race([answer, left.promise])
    } finally {
      over.removeEventListener('abort', leave)
    }
  }

  return {
    async run(owner, task, signal) {
      if (asked.all() >= mostAsked || asked.of(owner) >= mostAskedOfOwner) throw overloaded()
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(overloaded()), deadlineMs)
      const signals = [late.signal, closing.signal, ...(signal === undefined ? [] : [signal])]
      asked.add(owner, 1)
      try {
        return await ask(owner, task, AbortSignal.any(signals))
      } finally {
        asked.add(owner, -1)
        clearTimeout(timer)
      }
    },
    close: () => closing.abort(stopping()),
  }
}

const overloaded = (): ServiceError =>
  new ServiceError('overloaded', undefined, { headers: { 'retry-after': '2' } })
