/** Jobs as the features see them: a feature adds, cancels or revives a job in its own transaction. */
import type { Database, Query, Tx } from '../database/database.ts'
import type { NewId } from '../ids.ts'
import type { Verdict } from '../watch/watch-files.ts'
import type { NewJob } from './job.ts'
import type { Reservation } from './queue-runner.ts'
import type { JobRow } from './rows.ts'
import { createJobStore, type JobCount, type JobStore } from './store.ts'

export type Jobs = {
  /**
   * Adds a job in the caller's transaction, and returns the job's id. After the commit a worker of this process is
   * woken. If `uniqueKey` names a job that is queued or running, that job's id is returned instead.
   */
  enqueue(tx: Tx, job: NewJob): Promise<string>
  /** Like `enqueue`. If a job with this `uniqueKey` is queued for a later time, that job is brought forward. */
  wake(tx: Tx, job: Omit<NewJob, 'runAt'> & { uniqueKey: string }): Promise<void>
  /**
   * Cancels a queued job, which then never runs (`cancelled`), or aborts the signal of a running job (`requested`).
   * In this process that happens right after the commit, elsewhere within a second. `ended` means that there is
   * nothing left to cancel.
   */
  cancel(tx: Tx, jobId: string): Promise<'cancelled' | 'requested' | 'ended'>
  /** Queues a dead job again, with all its attempts; false if there is no such dead job. */
  redrive(tx: Tx, jobId: string): Promise<boolean>
  find(query: Query, jobId: string): Promise<JobRow | undefined>
  /** How many jobs are queued, running and dead, by queue. */
  counts(): Promise<JobCount[]>
  /**
   * Lets workers take up every running job at once instead of after its lease. For the start of a server that is
   * alone on its database: the processes that held the leases are dead.
   */
  expireLeases(): Promise<void>
  /** Records why servers ended, before their jobs are taken up again. */
  judge(verdicts: readonly Verdict[]): Promise<void>
  /** For workers of this process. */
  readonly internal: JobInternals
}

/** The parts of the engine that a worker needs and features do not. */
export type JobInternals = {
  database: Database
  store: JobStore
  newId: NewId
  /** The listener is called after a commit that queued a job. Returns a function that stops listening. */
  onQueued(listener: (queue: string) => void): () => void
  /** Lets `reserve` begin a queue's new jobs in this process without a claim. Returns a function that ends this. */
  holdFor(queue: string, reserve: (job: NewJob) => Reservation | null): () => void
  /** The listener is called after a commit that cancelled a running job. Returns a function that stops listening. */
  onCancelled(listener: (jobId: string) => void): () => void
}

export function createJobs({ database, newId }: { database: Database; newId: NewId }): Jobs {
  const store = createJobStore(database.read)
  const queued = new Set<(queue: string) => void>()
  const cancelled = new Set<(jobId: string) => void>()
  const holders = new Map<string, (job: NewJob) => Reservation | null>()

  /** Adds a job that this process begins as soon as `tx` is committed, without a claim. */
  const addHeld = async (tx: Tx, id: string, job: NewJob, place: Reservation): Promise<string> => {
    let isOurs = false
    database.afterEnd(tx, isCommitted => {
      if (isCommitted && isOurs) place.begin(id, job)
      else place.release()
    })
    const inserted = await store.insert(tx, id, job, place.lease)
    isOurs = inserted === id
    return inserted
  }

  const add = async (tx: Tx, job: NewJob): Promise<{ id: string; isNew: boolean }> => {
    const id = newId('job')
    const isForNow = job.runAt === undefined && job.delayMs === undefined
    const place = isForNow ? (holders.get(job.queue)?.(job) ?? null) : null
    if (place !== null) {
      const held = await addHeld(tx, id, job, place)
      return { id: held, isNew: held === id }
    }
    const inserted = await store.insert(tx, id, job)
    tellQueued(tx, job.queue)
    return { id: inserted, isNew: inserted === id }
  }

  const tellQueued = (tx: Tx, queue: string): void =>
    database.afterCommit(tx, () => {
      for (const listener of queued) listener(queue)
    })

  return {
    enqueue: async (tx, job) => (await add(tx, job)).id,
    wake: async (tx, job) => {
      const { id, isNew } = await add(tx, job)
      if (isNew) return
      await store.hasten(tx, id, job.delayMs ?? 0)
      tellQueued(tx, job.queue)
    },
    cancel: async (tx, jobId) => {
      const state = await store.cancel(tx, jobId)
      if (state === 'requested') {
        database.afterCommit(tx, () => {
          for (const listener of cancelled) listener(jobId)
        })
      }
      return state
    },
    redrive: async (tx, jobId) => {
      const queue = await store.redrive(tx, jobId)
      if (queue === null) return false
      tellQueued(tx, queue)
      return true
    },
    find: (query, jobId) => store.find(query, jobId),
    counts: () => store.counts(database.read),
    expireLeases: () => database.write(tx => store.expireAll(tx)),
    judge: verdicts => database.write(tx => store.judge(tx, verdicts)),
    internal: {
      database,
      store,
      newId,
      onQueued: listener => subscribe(queued, listener),
      onCancelled: listener => subscribe(cancelled, listener),
      holdFor: (queue, reserve) => {
        holders.set(queue, reserve)
        return () => holders.delete(queue)
      },
    },
  }
}

function subscribe<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
