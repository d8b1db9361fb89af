/**
 * The worker: runs the jobs of its queues in this process. Polling alone finds every job; a commit of this
 * process that queued one only hastens it.
 */
import { setImmediate } from 'node:timers/promises'
import { type Chore, startChores } from '../chores.ts'
import { dayMs, hourMs, minuteMs, secondMs } from '../clock.ts'
import type { Tx } from '../database/database.ts'
import { stopping } from '../errors.ts'
import type { Log } from '../log.ts'
import { waitFor } from '../patience.ts'
import { createRounds } from '../rounds.ts'
import type { JobEnd, NewJob, Queues } from './job.ts'
import type { Jobs } from './jobs.ts'
import { QueueRunner } from './queue-runner.ts'

export type Worker = {
  /** Adds queues, before `start`. */
  serve(queues: Queues): void
  /** Begins to claim jobs. */
  start(): void
  /**
   * Adds a job and begins it in this process as soon as `tx` is committed, holding its lease like any worker,
   * also where `start` was not called. `ended` tells how its first attempt ended.
   */
  runNow(tx: Tx, job: Omit<NewJob, 'uniqueKey' | 'runAt'>): Promise<{ jobId: string; ended: Promise<JobEnd> }>
  /** How many jobs run in this process. */
  running(): number
  /** Claims no more. */
  stop(): void
  /** Also takes no more by `runNow`, waits for what runs, and after `timeoutMs` puts the rest back into its queues. */
  drain(timeoutMs: number): Promise<void>
}

export type WorkerOptions = {
  jobs: Jobs
  log: Log
  /** How often the queues are looked at; 400 ms unless given. */
  pollMs?: number
  /** How long jobs that ended are kept: done ones an hour, others 30 days unless given. */
  keepDoneMs?: number
  keepFailedMs?: number
}

export function createWorker(options: WorkerOptions): Worker {
  const { jobs, log, pollMs = 400, keepDoneMs = hourMs, keepFailedMs = 30 * dayMs } = options
  const { database, store, newId, onQueued, onCancelled, holdFor } = jobs.internal
  const runners = new Map<string, QueueRunner>()
  const reap = createRounds({
    list: range => store.expired(database.read, [...runners.keys()], range),
    work: async row => {
      await runners.get(row.queue)?.reap(row)
      return null
    },
    log,
    failure: 'A job whose worker is gone could not be taken back',
  })
  const chores: Chore[] = [
    {
      name: 'looking for jobs',
      everyMs: pollMs,
      work: async () => {
        for (const queue of await store.due(database.read, [...runners.keys()])) {
          runners.get(queue)?.fillSoon()
        }
      },
    },
    { name: 'taking back the jobs of dead workers', everyMs: reapEveryMs, work: reap },
    {
      name: 'removing ended jobs',
      everyMs: purgeEveryMs,
      work: () => purge(jobs, { keepDoneMs, keepFailedMs, isStopping: () => isStopping }),
    },
  ]
  let stopChores = async (): Promise<void> => undefined
  const stops: (() => void)[] = [
    onCancelled(jobId => {
      for (const runner of runners.values()) runner.cancel(jobId)
    }),
  ]
  let isStopping = false
  const stop = (): void => {
    for (const runner of runners.values()) runner.stop()
    for (const end of stops.splice(0)) end()
  }

  return {
    serve: queues => {
      for (const [name, queue] of Object.entries(queues))
        runners.set(name, new QueueRunner(name, queue, { database, store, log }))
    },
    start: () => {
      for (const runner of runners.values()) runner.start()
      for (const [queue, runner] of runners) stops.push(holdFor(queue, job => runner.reserve(job)))
      stops.push(onQueued(queue => runners.get(queue)?.fillSoon()))
      stopChores = startChores(chores, log)
    },
    runNow: async (tx, job) => {
      const runner = runners.get(job.queue)
      if (runner === undefined) throw new Error(`This worker does not serve the queue ${job.queue}`)
      if (isStopping) throw stopping()
      const jobId = newId('job')
      const held = await runner.addHeld(tx, jobId, job)
      const end = Promise.withResolvers<JobEnd>()
      database.afterCommit(tx, () => end.resolve(held.started()))
      return { jobId, ended: end.promise }
    },
    running: () => [...runners.values()].reduce((sum, runner) => sum + runner.size, 0),
    stop,
    drain: async timeoutMs => {
      isStopping = true
      stop()
      await stopChores()
      await waitFor(Promise.all([...runners.values()].map(runner => runner.ended())), { waitMs: timeoutMs })
      for (const runner of runners.values()) await runner.giveBack()
    },
  }
}

const reapEveryMs = secondMs
const purgeEveryMs = 10 * minuteMs
const purgedAtOnce = 500

/** In small transactions, so that other writes need not wait long. */
async function purge(
  { internal: { database, store } }: Jobs,
  {
    keepDoneMs,
    keepFailedMs,
    isStopping,
  }: { keepDoneMs: number; keepFailedMs: number; isStopping(): boolean },
): Promise<void> {
  const ages = [
    ['done', keepDoneMs],
    ['cancelled', keepFailedMs],
    ['dead', keepFailedMs],
  ] as const
  for (const [state, ageMs] of ages) {
    while ((await database.write(tx => store.purge(tx, state, ageMs, purgedAtOnce))) === purgedAtOnce) {
      if (isStopping()) return
      await setImmediate()
    }
  }
}
