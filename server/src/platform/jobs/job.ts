/** The vocabulary of long work: what a queue promises, and what a handler is given. */
import type { Tx } from '../database/database.ts'

/** A job as it is put into a queue. */
export type NewJob = {
  queue: string
  /** Anything that JSON holds. */
  payload: unknown
  /** Null for the system's own work. Workspaces take turns, however much each has queued. */
  workspaceId: string | null
  /** The lane of a job without a workspace, which takes turns like a workspace; `system` unless given. */
  lane?: string
  /** The job does not run before this time; at once unless given. */
  runAt?: number
  /** The job does not run before this time has passed, by the database's clock; instead of `runAt`. */
  delayMs?: number | undefined
  /** How many attempts the job has before it is dead; the queue's number unless given. */
  maxAttempts?: number
  /** While a job with this key is queued or running, no other job with this key is added. */
  uniqueKey?: string | undefined
}

/** How a queue's jobs are done. */
export type Queue<Payload = unknown> = {
  /**
   * How many of its jobs run at once in one process. If there are four or more, a workspace leaves a place to others,
   * however long its jobs take.
   */
  concurrency: number
  /** How long a worker may be silent before another worker takes up its job. */
  leaseMs: number
  maxAttempts: number
  /** The longest time of one attempt. After that its signal is aborted and it counts as failed. */
  timeoutMs: number
  /** The pause before the second attempt; it doubles with each one, up to `maxBackoffMs`. */
  backoffMs?: number
  maxBackoffMs?: number
  /** Resolves when the work is done; an error is a failed attempt. It must stop when `job.signal` is aborted. */
  handle(job: Job<Payload>): Promise<void>
  /**
   * Runs in the transaction in which the engine gives a job up: after the error of the last attempt, when a running
   * job was cancelled (`error` is a `JobCancelled`), or when it ended its server twice (`JobPoisoned`).
   */
  onDead?(job: DeadJob<Payload>, error: Error, tx: Tx): Promise<void>
}

/** The queues that a worker serves, by name. */
export type Queues = Readonly<Record<string, Queue>>

/** `attempt` counts from 1. An attempt whose process was killed does not count. */
export type DeadJob<Payload = unknown> = { id: string; payload: Payload; attempt: number }

/** A job in progress, held by a lease. */
export type Job<Payload = unknown> = DeadJob<Payload> & {
  /** True on the last attempt: if this one fails, the job is dead. */
  lastAttempt: boolean
  /** How often a server or another process that worked for it was lost, without a known cause. */
  kills: number
  /**
   * Aborted with `LeaseLost`, `JobCancelled`, `JobTimedOut` or `WorkerStopping`. After `JobCancelled` and
   * `JobTimedOut` the job may still write, to complete its records.
   */
  signal: AbortSignal
  /** Runs `work` in one transaction if the lease is still ours. Otherwise throws `LeaseLost` and changes nothing. */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Like `write`, and ends the job as done in the same transaction. A crash loses what the handler does after it. */
  complete<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Ends the job as done in a transaction of `database.write`, so that several jobs end together. Throws `LeaseLost`
   * if the lease is no longer ours. If the transaction fails, the job goes on.
   */
  endIn(tx: Tx): Promise<void>
}

/** How an attempt ended: a `retrying` job is queued again, another worker has a `lost` job. */
export type JobEnd = 'done' | 'retrying' | 'dead' | 'cancelled' | 'lost'

/** Another worker has the lease, or the job has ended. Nothing may be written for the job any more. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
  constructor(jobId: string) {
    super(`The lease of job ${jobId} is no longer ours`)
  }
}

/** Someone asked for the job's end. */
export class JobCancelled extends Error {
  override readonly name = 'JobCancelled'
  constructor() {
    super('The job was cancelled')
  }
}

export class JobTimedOut extends Error {
  override readonly name = 'JobTimedOut'
  constructor(timeoutMs: number) {
    super(`The job took longer than ${timeoutMs} ms`)
  }
}

/** The process is stopping. The job goes back into its queue, and the attempt does not count. */
export class WorkerStopping extends Error {
  override readonly name = 'WorkerStopping'
  constructor() {
    super('The worker stops; the job is taken up again')
  }
}

/** The error in a job's record while it waits after the loss of its worker. */
export class WorkerDied extends Error {
  override readonly name = 'WorkerDied'
  constructor() {
    super('The process that ran the job ended before the job did')
  }
}

/** The job has ended so many servers that it is not tried again. */
export const deathsOfOneJob = 2

/** For people; the records of such jobs have the code `crashed_server`. */
export const crashedServerMessage = 'The work has ended its server twice, so it is not tried again'

/** The job itself ended its server: it blocked the server, used up its memory, or was the only one that began there. */
export class JobPoisoned extends Error {
  override readonly name = 'JobPoisoned'
  constructor() {
    super(crashedServerMessage)
  }
}

/**
 * A handler throws this if a signal from outside ended a process that worked for the job. Such an attempt does not
 * count. After several the job runs alone.
 */
export class WorkKilled extends Error {
  override readonly name: string = 'WorkKilled'
}
