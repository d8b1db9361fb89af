/**
 * The worker: runs the jobs of its queues in this process. Polling alone finds every job. If a commit of this process
 * queues a job, the job is only found sooner.
 */

import { secondMs, waitFor } from '../clock.ts'
import type { Tx } from '../database/database.ts'
import { stopping } from '../errors.ts'
import { type Faults, noFaults } from '../faults.ts'
import type { Log } from '../log.ts'
import { createRounds, repeat } from '../schedules/rounds.ts'
import { createWorks, type Works } from '../watch/works.ts'
import { type AloneRunner, type AloneTimes, createAloneRunner } from './alone.ts'
import type { JobEnd, NewJob, Queues } from './job.ts'
import type { Jobs } from './jobs.ts'
import { QueueRunner } from './queue-runner.ts'

export type Worker = {
  /** Adds queues, before `start`. */
  serve(queues: Queues): void
  /** Begins to claim jobs. */
  start(): void
  /**
   * Adds a job and begins it in this process as soon as `tx` is committed, with a lease like that of any worker. Also
   * works before `start`. `ended` tells how the job's first attempt ended.
   */
  runNow(tx: Tx, job: Omit<NewJob, 'uniqueKey' | 'runAt'>): Promise<{ jobId: string; ended: Promise<JobEnd> }>
  /** How many jobs run in this process. */
  running(): number
  /** Stops claiming jobs. */
  stop(): void
  /** Also refuses `runNow`, waits for jobs that run, and after `timeoutMs` puts the rest back into their queues. */
  drain(timeoutMs: number): Promise<void>
}

export type WorkerOptions = {
  jobs: Jobs
  log: Log
  faults?: Faults
  /** Says which jobs run, for the watcher of this process. */
  works?: Works
  /** For tests. */
  aloneTimes?: Partial<AloneTimes>
  /** How often the queues are looked at; 400 ms unless given. */
  pollMs?: number
}

export function createWorker(options: WorkerOptions): Worker {
  const { jobs, log, faults = noFaults, works = createWorks(), pollMs = 400 } = options
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
  const lookForJobs = async (): Promise<void> => {
    const { queues, isAnyAlone } = await store.due(database.read, [...runners.keys()])
    for (const queue of queues) runners.get(queue)?.fillSoon()
    if (isAnyAlone) alone?.look()
  }
  let stopLooking: (() => Promise<void>)[] = []
  const stops: (() => void)[] = [
    onCancelled(jobId => {
      for (const runner of runners.values()) runner.cancel(jobId)
    }),
  ]
  let isStopping = false
  let alone: AloneRunner | null = null
  let aloneStopped: Promise<void> = Promise.resolve()
  const stop = (): void => {
    if (alone !== null) aloneStopped = alone.stop()
    alone = null
    for (const runner of runners.values()) runner.stop()
    for (const end of stops.splice(0)) end()
  }

  return {
    serve: queues => {
      for (const [name, queue] of Object.entries(queues))
        runners.set(name, new QueueRunner(name, queue, { database, store, log, faults, works }))
    },
    start: () => {
      alone = createAloneRunner({ database, store, log, runners }, options.aloneTimes)
      for (const runner of runners.values()) runner.start()
      for (const [queue, runner] of runners) stops.push(holdFor(queue, job => runner.reserve(job)))
      stops.push(onQueued(queue => runners.get(queue)?.fillSoon()))
      stopLooking = [
        repeat({ name: 'looking for jobs', everyMs: pollMs, run: lookForJobs }, { log }),
        repeat({ name: 'taking back the jobs of dead workers', everyMs: reapEveryMs, run: reap }, { log }),
      ]
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
      await Promise.all([aloneStopped, ...stopLooking.map(end => end())])
      await waitFor(Promise.all([...runners.values()].map(runner => runner.ended())), { waitMs: timeoutMs })
      for (const runner of runners.values()) await runner.giveBack()
    },
  }
}

const reapEveryMs = secondMs
