/** One attempt at a job: from the start of its handler to the record of how the attempt ended. */
import { setTimeout as sleep } from 'node:timers/promises'
import { minuteMs, secondMs } from '../clock.ts'
import type { Database, Tx } from '../database/database.ts'
import { isUnavailable } from '../errors.ts'
import type { Log } from '../log.ts'
import { type Job, JobCancelled, type JobEnd, JobTimedOut, LeaseLost, type Queue, WorkKilled } from './job.ts'
import type { ClaimedJob, Lease } from './rows.ts'
import type { JobStore } from './store.ts'

export type Attempt = {
  readonly lease: Lease
  /** By `performance.now()`. */
  readonly begunAtMs: number
  /** Whether the lease should be extended: false once the attempt has ended or taken too long. */
  readonly wantsLease: () => boolean
  /** Tells the attempt that its lease was extended. `askedAtMs` is when that was asked for (`performance.now()`). */
  leaseExtended(askedAtMs: number): void
  /** Aborts the attempt if its lease may have run out while the database could not be asked. */
  checkLease(): void
  abort(reason: Error): void
  /** How the attempt ended, once that is recorded. Never rejects. */
  readonly ended: Promise<JobEnd>
}

/**
 * A job that this process has taken up. `claimedAtMs` is when the claim was sent (by `performance.now()`): the lease
 * lasts at least until `claimedAtMs` + `leaseMs`.
 */
export type LeasedJob = ClaimedJob & { token: string; claimedAtMs: number }

export type AttemptDependencies = { database: Database; store: JobStore; log: Log }

export function startAttempt(
  { database, store, log }: AttemptDependencies,
  queue: Queue,
  claimed: LeasedJob,
): Attempt {
  const lease: Lease = { id: claimed.id, token: claimed.token }
  const controller = new AbortController()
  let leaseEndMs = claimed.claimedAtMs + queue.leaseMs
  let phase: 'running' | 'completing' | 'ended' = 'running'
  const abort = (reason: Error): void => controller.abort(reason)
  const timer = setTimeout(() => abort(new JobTimedOut(queue.timeoutMs)), queue.timeoutMs)

  const requireLease = (isOurs: boolean): void => {
    if (isOurs) return
    const lost = new LeaseLost(lease.id)
    abort(lost)
    throw lost
  }

  const endIn = async (tx: Tx): Promise<void> => {
    // One statement both tells whether the lease is ours and ends the job.
    requireLease(phase !== 'ended' && (await store.finish(tx, lease, 'done', null)))
    // A heartbeat may find the job ended before the commit is known here. It must not take the lease for lost.
    phase = 'completing'
    database.afterEnd(tx, isCommitted => {
      phase = isCommitted ? 'ended' : 'running'
    })
  }

  const job: Job = {
    id: claimed.id,
    payload: JSON.parse(claimed.payload),
    attempt: claimed.attempts,
    lastAttempt: claimed.attempts >= (claimed.max_attempts ?? queue.maxAttempts),
    kills: claimed.kills,
    signal: controller.signal,
    write: work =>
      database.write(async tx => {
        requireLease(phase !== 'ended' && (await store.hold(tx, lease)) !== null)
        return work(tx)
      }),
    complete: work =>
      database.write(async tx => {
        await endIn(tx)
        return await work(tx)
      }),
    endIn,
  }

  /** A database that is away for a moment must cost neither the rest of the lease nor the result of the job. */
  const whileHeld = async <T>(write: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await write()
      } catch (error) {
        if (!isUnavailable(error) || performance.now() + awayPauseMs > leaseEndMs) throw error
        await sleep(awayPauseMs)
      }
    }
  }

  const run = async (): Promise<JobEnd> => {
    const error = await failureOf(() => queue.handle(job))
    clearTimeout(timer)
    if (phase === 'ended') {
      if (error !== null) log.error('A job failed after it was done', { ...about(), error })
      return 'done'
    }
    try {
      return await whileHeld(() => database.write(tx => recordEnd(store, tx, { queue, job, lease, error })))
    } catch (cause) {
      // The lease runs out. Then a worker takes the job up again or gives it up.
      log.error('The end of a job could not be recorded', { ...about(), error: cause })
      return 'lost'
    } finally {
      phase = 'ended'
    }
  }

  const about = () => ({ jobId: claimed.id, attempt: claimed.attempts })

  return {
    lease,
    begunAtMs: performance.now(),
    wantsLease: () => phase === 'running' && !(controller.signal.reason instanceof JobTimedOut),
    leaseExtended: askedAtMs => {
      leaseEndMs = askedAtMs + queue.leaseMs
    },
    checkLease: () => {
      if (phase === 'running' && performance.now() > leaseEndMs) abort(new LeaseLost(lease.id))
    },
    abort,
    ended: run(),
  }
}

/** Gives a job up for good: ends its record and, in the same transaction, runs its queue's `onDead`. */
export async function giveUp(
  store: JobStore,
  tx: Tx,
  {
    queue,
    job,
    lease,
    error,
  }: { queue: Queue; job: Pick<Job, 'id' | 'payload' | 'attempt'>; lease: Lease; error: Error },
): Promise<JobEnd> {
  const state = error instanceof JobCancelled ? 'cancelled' : 'dead'
  if (!(await store.finish(tx, lease, state, describe(error)))) return 'lost'
  await queue.onDead?.({ id: job.id, payload: job.payload, attempt: job.attempt }, error, tx)
  return state
}

const defaultFirstBackoffMs = secondMs
const defaultMaxBackoffMs = 5 * minuteMs
const maxErrorLength = 2_000
const awayPauseMs = 500
/** Kills beyond this number count as failed attempts, so that every job ends. */
const uncountedKills = 20

async function failureOf(work: () => Promise<void>): Promise<Error | null> {
  try {
    await work()
    return null
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

async function recordEnd(
  store: JobStore,
  tx: Tx,
  ended: { queue: Queue; job: Job; lease: Lease; error: Error | null },
): Promise<JobEnd> {
  const { queue, job, lease, error } = ended
  if (error === null) return (await store.finish(tx, lease, 'done', null)) ? 'done' : 'lost'
  const held = await store.hold(tx, lease)
  if (held === null) return 'lost'
  if (held.cancelRequested) return giveUp(store, tx, { queue, job, lease, error: new JobCancelled() })
  const isUncounted = error instanceof WorkKilled && held.kills < uncountedKills
  if (isUncounted) await store.countLoss(tx, lease, 'kill')
  else if (job.lastAttempt) return giveUp(store, tx, { queue, job, lease, error })
  const { backoffMs: firstMs = defaultFirstBackoffMs, maxBackoffMs: maxMs = defaultMaxBackoffMs } = queue
  const tries = isUncounted ? held.kills + 1 : job.attempt
  const delayMs = backoffMs(tries, { firstMs, maxMs }, Math.random)
  return (await store.retry(tx, lease, delayMs, describe(error))) ? 'retrying' : 'lost'
}

/** For the operator, in the job's record. PostgreSQL's texts hold no NUL. */
const describe = (error: Error): string =>
  `${error.name}: ${error.message}`.replaceAll('\0', '').slice(0, maxErrorLength)

// The pause before a failed job is tried again.

type Backoff = { firstMs: number; maxMs: number }

/**
 * Doubles with each attempt up to `maxMs`. The pause is between half of that and all of it, by `random` (0 to 1). So
 * jobs that failed together do not come back together.
 */
export function backoffMs(attempt: number, { firstMs, maxMs }: Backoff, random: () => number): number {
  const full = Math.min(maxMs, firstMs * 2 ** Math.min(attempt - 1, 30))
  return Math.round(full * (0.5 + random() / 2))
}
