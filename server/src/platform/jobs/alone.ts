/**
 * Runs the jobs that must run alone in this process, one at a time. Meanwhile the process begins no other job, and so
 * the death of the process counts against the job.
 */
import { randomUUID } from 'node:crypto'
import { minuteMs, secondMs, waitFor } from '../clock.ts'
import type { Database } from '../database/database.ts'
import type { Log } from '../log.ts'
import { type AloneJob, killsBeforeAlone } from './losses-store.ts'
import type { QueueRunner } from './queue-runner.ts'
import type { Lease } from './rows.ts'
import type { JobStore } from './store.ts'

export type AloneTimes = {
  /** A job that has run for so long does not end its server at once, and may go on beside the one that runs alone. */
  settledMs: number
  /** The longest wait for the others to settle. */
  waitMs: number
  /** After this time others begin beside the job. It doubles with each further kill. */
  aloneMs: number
  /** Such jobs follow each other for so long. Then others have as much time. */
  phaseMs: number
}

const usualTimes: AloneTimes = {
  settledMs: 30 * secondMs,
  waitMs: minuteMs,
  aloneMs: minuteMs,
  phaseMs: 2 * minuteMs,
}

const lookEveryMs = 100
const leaseSlackMs = 30 * secondMs

export type AloneRunner = {
  /** Begins to run the jobs that wait to run alone, unless it does so already or others have their time. */
  look(): void
  /** Resolves once no job waits here to run alone. A job that runs goes on. */
  stop(): Promise<void>
}

type Dependencies = {
  database: Database
  store: JobStore
  log: Log
  runners: ReadonlyMap<string, QueueRunner>
}

export function createAloneRunner(
  { database, store, log, runners }: Dependencies,
  times: Partial<AloneTimes> = {},
): AloneRunner {
  const { settledMs, waitMs, aloneMs, phaseMs } = { ...usualTimes, ...times }
  const stopping = Promise.withResolvers<void>()
  let isStopped = false
  let isBusy = false
  let restsUntilMs = 0
  let preparing: Promise<unknown> = Promise.resolve()

  const isSettled = (): boolean => {
    const before = performance.now() - settledMs
    return [...runners.values()].every(runner => runner.youngestBegunAtMs() <= before)
  }

  const settle = async (): Promise<void> => {
    const untilMs = performance.now() + waitMs
    while (!isStopped && !isSettled() && performance.now() < untilMs)
      await waitFor(stopping.promise, { waitMs: lookEveryMs })
  }

  /** The next job, with its attempt begun in its record; null if there is none, or the lease was lost. */
  const prepare = async (): Promise<{ job: AloneJob; token: string; claimedAtMs: number } | null> => {
    const token = randomUUID()
    const claim = { queues: [...runners.keys()], token, leaseMs: waitMs + leaseSlackMs }
    const claimed = await database.write(tx => store.claimAlone(tx, claim))
    const runner = runners.get(claimed?.queue ?? '')
    if (claimed === undefined || runner === undefined) return null
    const lease: Lease = { id: claimed.id, token }
    for (const each of runners.values()) each.pause()
    await settle()
    if (isStopped) {
      await database.write(tx => store.giveBack(tx, lease))
      return null
    }
    const claimedAtMs = performance.now()
    const job = await database.write(tx => store.beginAlone(tx, lease, runner.leaseMs))
    return job === undefined ? null : { job, token, claimedAtMs }
  }

  /** False once others may begin beside it. */
  const runOne = async ({ job, token, claimedAtMs }: NonNullable<Awaited<ReturnType<typeof prepare>>>) => {
    const runner = runners.get(job.queue)
    if (runner === undefined) return false
    log.info('A job runs alone', { queue: job.queue, jobId: job.id, kills: job.kills })
    const ended = runner.runAlone({ ...job, token, claimedAtMs })
    if (job.cancel_requested_at !== null) runner.cancel(job.id)
    const limitMs = Math.min(runner.timeoutMs, aloneMs * 2 ** Math.max(0, job.kills - killsBeforeAlone))
    let isOver = false
    void ended.then(() => {
      isOver = true
    })
    await waitFor(Promise.race([ended, stopping.promise]), { waitMs: limitMs })
    if (!isOver && !isStopped) await database.write(tx => store.endAlone(tx, { id: job.id, token }))
    return isOver
  }

  const run = async (): Promise<void> => {
    const begunAtMs = performance.now()
    try {
      while (!isStopped && performance.now() - begunAtMs < phaseMs) {
        const next = prepare()
        preparing = next.catch(() => undefined)
        const prepared = await next
        if (prepared === null || !(await runOne(prepared))) break
      }
    } catch (error) {
      // The lease of the job runs out, and the next look tries again.
      log.warn('A job could not be run alone', { error })
    } finally {
      const nowMs = performance.now()
      restsUntilMs = nowMs + (nowMs - begunAtMs)
      isBusy = false
      for (const runner of runners.values()) runner.resume()
    }
  }

  return {
    look() {
      if (isBusy || isStopped || performance.now() < restsUntilMs) return
      isBusy = true
      void run()
    },
    async stop() {
      isStopped = true
      stopping.resolve()
      await preparing
    },
  }
}
