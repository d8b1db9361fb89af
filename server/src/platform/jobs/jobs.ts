/** Jobs as the features see them: put into a queue, cancelled or revived by the transaction that wants it. */
import type { Database, Query, Tx } from '../database/database.ts'
import type { NewId } from '../ids.ts'
import type { NewJob } from './job.ts'
import type { Reservation } from './queue-runner.ts'
import { createJobStore, type JobCount, type JobRow, type JobStore } from './store.ts'

export type Jobs = {
  /**
   * Adds a job in the transaction that wants it, and answers its id; a worker of this process is woken once
   * that is committed. Where `uniqueKey` names a job that is queued or running, its id is answered instead.
   */
  enqueue(tx: Tx, job: NewJob): Promise<string>
  /** As `enqueue`, and a job with its `uniqueKey` that was queued for later than this one runs as early as it. */
  wake(tx: Tx, job: Omit<NewJob, 'runAt'> & { uniqueKey: string }): Promise<void>
  /**
   * A queued job never runs (`cancelled`); the signal of a running one is aborted, in this process at once after
   * the commit and elsewhere within a second (`requested`); `ended` where there is nothing left to cancel.
   */
  cancel(tx: Tx, jobId: string): Promise<'cancelled' | 'requested' | 'ended'>
  /** Queues a dead job again, with all its attempts; false if there is no such dead job. */
  redrive(tx: Tx, jobId: string): Promise<boolean>
  find(query: Query, jobId: string): Promise<JobRow | undefined>
  /** How many jobs wait, run and are dead, by queue. */
  counts(): Promise<JobCount[]>
  /**
   * Lets every running job be taken up at once instead of after its lease. For the start of a server that is
   * the only one on its database: the processes that held those leases are dead.
   */
  expireLeases(): Promise<void>
  /** For workers of this process. */
  readonly internal: JobInternals
}

/** What a worker needs of the engine and no feature does. */
export type JobInternals = {
  database: Database
  store: JobStore
  newId: NewId
  /** Called after a commit that queued a job; returns how to stop listening. */
  onQueued(listener: (queue: string) => void): () => void
  /** Names who may begin a queue's new jobs in this process without claiming them; returns how to end that. */
  holdFor(queue: string, reserve: (job: NewJob) => Reservation | null): () => void
  /** Called after a commit that cancelled a running job. */
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
