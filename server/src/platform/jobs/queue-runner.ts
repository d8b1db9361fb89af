/** One queue in one process: claims jobs for free places, extends their leases, takes up jobs of dead workers. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Tx } from '../database/database.ts'
import type { Faults } from '../faults.ts'
import type { Verdict } from '../watch/watch-files.ts'
import type { Works } from '../watch/works.ts'
import { type Attempt, type AttemptDependencies, giveUp, type LeasedJob, startAttempt } from './attempt.ts'
import {
  deathsOfOneJob,
  JobCancelled,
  type JobEnd,
  JobPoisoned,
  LeaseLost,
  type NewJob,
  type Queue,
  WorkerDied,
  WorkerStopping,
} from './job.ts'
import type { ClaimedJob, JobRow, Lease } from './rows.ts'
import { laneOf } from './store.ts'

/** How soon a job that runs here is stopped after another process cancelled it. */
export const cancelsEveryMs = 500

/** A place that is kept free until the transaction that adds its job has ended, committed or not. */
export type Reservation = {
  lease: { token: string; leaseMs: number }
  begin(id: string, job: NewJob): void
  release(): void
}

type RunnerDependencies = AttemptDependencies & { faults: Faults; works: Works }

export class QueueRunner {
  readonly #name: string
  readonly #queue: Queue
  readonly #dependencies: RunnerDependencies
  readonly #attempts = new Map<string, Attempt>()
  /** The places of claimed and reserved jobs. Jobs of `runNow` take no place. */
  readonly #places: Places
  /** False once a claim has found fewer jobs than it had room for, until new jobs are announced. */
  #mayHaveMore = true
  #claims = false
  /** Whether a job runs alone in this process, or is about to. */
  #isPaused = false
  #filling = false
  #fillAgain = false
  #fillScheduled = false
  #afterLane = ''
  #heartbeat: NodeJS.Timeout | null = null
  #looksForCancels = false

  constructor(name: string, queue: Queue, dependencies: RunnerDependencies) {
    this.#name = name
    this.#places = new Places(queue.concurrency)
    this.#queue = queue
    this.#dependencies = dependencies
  }

  start(): void {
    this.#claims = true
    this.fillSoon()
  }

  /** Stops claiming jobs. */
  stop(): void {
    this.#claims = false
  }

  /** Claims and reserves nothing until `resume`. Jobs of `runNow` still begin. */
  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    this.#isPaused = false
    this.fillSoon()
  }

  get size(): number {
    return this.#attempts.size
  }

  get leaseMs(): number {
    return this.#queue.leaseMs
  }

  get timeoutMs(): number {
    return this.#queue.timeoutMs
  }

  /**
   * When the youngest attempt began, by `performance.now()`; minus infinity if there is none. A claim under way may
   * begin an attempt at any time, also after `pause`.
   */
  youngestBegunAtMs(): number {
    if (this.#filling) return performance.now()
    return Math.max(
      ...[...this.#attempts.values()].map(({ begunAtMs }) => begunAtMs),
      Number.NEGATIVE_INFINITY,
    )
  }

  /** Runs a job that was claimed to run alone. It takes no place. */
  runAlone(claimed: LeasedJob): Promise<JobEnd> {
    return this.#run(claimed).ended
  }

  /** Resolves when no job runs any more. */
  async ended(): Promise<void> {
    while (this.#attempts.size > 0) {
      await Promise.all([...this.#attempts.values()].map(attempt => attempt.ended))
    }
  }

  cancel(jobId: string): void {
    this.#attempts.get(jobId)?.abort(new JobCancelled())
  }

  /**
   * A place for a job that a transaction of this process is about to add, so that the job begins without a claim.
   * Null if there is no room, or if other jobs may be waiting, which come first.
   */
  reserve(job: NewJob): Reservation | null {
    const lane = laneOf(job)
    if (!this.#claims || this.#isPaused || this.#mayHaveMore || this.#places.free < 1) return null
    if (this.#places.roomOf(lane) < 1) return null
    this.#places.take(lane)
    const token = randomUUID()
    const claimedAtMs = performance.now()
    return {
      lease: { token, leaseMs: this.#queue.leaseMs },
      begin: (id, job) => this.#runClaimed(heldJob(id, job, token, claimedAtMs)),
      release: () => this.#release(lane),
    }
  }

  /** Claims after this turn of the event loop, once for all calls until then. */
  fillSoon(): void {
    this.#mayHaveMore = true
    if (!this.#claims || this.#fillScheduled) return
    this.#fillScheduled = true
    setImmediate(() => {
      this.#fillScheduled = false
      // The claim belongs to the worker, no matter what queued the job.
      void this.#dependencies.faults.within('worker', () => this.#fill())
    })
  }

  /** Adds a job that this process already holds. `started` begins the job, after the commit. */
  async addHeld(tx: Tx, id: string, job: NewJob): Promise<{ started(): Promise<JobEnd> }> {
    const token = randomUUID()
    const claimedAtMs = performance.now()
    const { store } = this.#dependencies
    await store.insert(tx, id, job, { token, leaseMs: this.#queue.leaseMs })
    return { started: () => this.#run(heldJob(id, job, token, claimedAtMs)).ended }
  }

  /** Queues or gives up a job whose worker is gone. If that fails, it is tried again after the time of a lease. */
  async reap({ id, lease_token: token }: JobRow): Promise<void> {
    if (token === null) return
    const { database, store } = this.#dependencies
    const lease = { id, token }
    try {
      await database.write(tx => this.#reap(tx, lease))
    } catch (error) {
      await database.write(tx => store.extend(tx, [lease], this.#queue.leaseMs))
      throw error
    }
    this.fillSoon()
  }

  /** Puts the jobs that still run back into the queue, and aborts them. */
  async giveBack(): Promise<void> {
    const { database, store } = this.#dependencies
    const left = [...this.#attempts.values()]
    if (left.length === 0) return
    try {
      await database.write(async tx => {
        for (const { lease } of left) await store.giveBack(tx, lease)
      })
    } finally {
      for (const attempt of left) attempt.abort(new WorkerStopping())
    }
  }

  async #fill(): Promise<void> {
    if (this.#filling) {
      this.#fillAgain = true
      return
    }
    this.#filling = true
    try {
      do {
        this.#fillAgain = false
        while (this.#claims && !this.#isPaused && this.#places.free > 0) {
          // All of the jobs may be of one lane.
          const wanted = this.#places.roomOfNewLane
          if ((await this.#claim(wanted)) === wanted) continue
          this.#mayHaveMore = Object.keys(this.#places.roomsBelow(1)).length > 0
          break
        }
      } while (this.#fillAgain)
    } catch (error) {
      // The next poll tries again.
      this.#dependencies.log.warn('Jobs could not be claimed', { queue: this.#name, error })
    } finally {
      this.#filling = false
    }
  }

  async #claim(limit: number): Promise<number> {
    const { database, store } = this.#dependencies
    const token = randomUUID()
    const claimedAtMs = performance.now()
    const afterLane = this.#afterLane
    const rooms = this.#places.roomsBelow(limit)
    const claim = { queue: this.#name, rooms, leaseMs: this.#queue.leaseMs, token }
    // Another claim must not take these places meanwhile.
    this.#places.keep(limit)
    try {
      const jobs = await database.write(async tx => {
        const behind = await store.claim(tx, { ...claim, limit, afterLane })
        if (behind.length === limit || afterLane === '') return inTurn(behind)
        for (const { lane } of behind) if (rooms[lane] !== undefined) rooms[lane]--
        const fromStart = await store.claim(tx, { ...claim, limit: limit - behind.length, afterLane: '' })
        return [...inTurn(behind), ...inTurn(fromStart)]
      })
      // If all due jobs are taken, no lane has to wait for a turn.
      this.#afterLane = jobs.length < limit ? '' : (jobs.at(-1)?.lane ?? '')
      for (const job of jobs) {
        this.#places.take(job.lane)
        this.#runClaimed({ ...job, token, claimedAtMs })
      }
      return jobs.length
    } finally {
      this.#places.keep(-limit)
    }
  }

  /** The job's place is counted already. */
  #runClaimed(claimed: LeasedJob): void {
    void this.#run(claimed).ended.then(() => this.#release(claimed.lane))
  }

  #release(lane: string): void {
    this.#places.release(lane)
    if (this.#mayHaveMore) this.fillSoon()
  }

  #run(claimed: LeasedJob): Attempt {
    const { faults, works } = this.#dependencies
    const work = { kind: 'job', id: claimed.id, token: claimed.token, queue: this.#name } as const
    const end = works.begin(work)
    const attempt = works.within(work, () =>
      faults.within(this.#name, () => {
        faults.reach('job.claimed')
        return startAttempt(this.#dependencies, this.#queue, claimed)
      }),
    )
    this.#attempts.set(claimed.id, attempt)
    this.#heartbeat ??= setInterval(() => void this.#extendLeases(), this.#queue.leaseMs / 3)
    void this.#lookForCancels()
    void attempt.ended.then(() => {
      end()
      // A lost job may meanwhile run here again, as another attempt.
      if (this.#attempts.get(claimed.id) === attempt) this.#attempts.delete(claimed.id)
      if (this.#attempts.size === 0 && this.#heartbeat !== null) {
        clearInterval(this.#heartbeat)
        this.#heartbeat = null
      }
    })
    return attempt
  }

  /** Looks as long as any job runs here. Cancels by this process are known at once. */
  async #lookForCancels(): Promise<void> {
    if (this.#looksForCancels) return
    this.#looksForCancels = true
    const { database, store, log } = this.#dependencies
    for (;;) {
      await sleep(cancelsEveryMs, undefined, { ref: false })
      const ids = [...this.#attempts.keys()]
      if (ids.length === 0) break
      try {
        for (const id of await store.toBeCancelled(database.read, ids)) this.cancel(id)
      } catch (error) {
        log.warn('Cancelled jobs could not be looked for', { queue: this.#name, error })
      }
    }
    this.#looksForCancels = false
  }

  async #extendLeases(): Promise<void> {
    const { database, store, log } = this.#dependencies
    const held = [...this.#attempts.values()].filter(attempt => attempt.wantsLease())
    if (held.length === 0) return
    const leases = held.map(attempt => attempt.lease)
    const askedAtMs = performance.now()
    try {
      const extended = await database.write(tx => store.extend(tx, leases, this.#queue.leaseMs))
      const found = new Map(extended.map(row => [row.id, row.cancel]))
      for (const attempt of held) {
        const cancel = found.get(attempt.lease.id)
        if (cancel !== undefined) attempt.leaseExtended(askedAtMs)
        if (cancel === true) attempt.abort(new JobCancelled())
        if (cancel === undefined && attempt.wantsLease()) attempt.abort(new LeaseLost(attempt.lease.id))
      }
    } catch (error) {
      log.warn('Leases could not be extended', { queue: this.#name, error })
      for (const attempt of held) attempt.checkLease()
    }
  }

  async #reap(tx: Tx, lease: Lease): Promise<void> {
    const { store, log } = this.#dependencies
    const { id } = lease
    const row = await store.takeExpired(tx, lease)
    if (row === undefined) return
    const verdict = await store.takeVerdict(tx, lease)
    const loss = lossOf(row.alone, verdict)
    const cause = verdict ?? (loss === 'death' ? 'alone' : 'unknown')
    log.warn('The worker of a job is gone', {
      queue: this.#name,
      jobId: id,
      attempt: row.attempts,
      cause,
      kills: row.kills,
      deaths: row.deaths,
    })
    const job = { id, payload: JSON.parse(row.payload), attempt: row.attempts }
    const queue = this.#queue
    if (row.cancel_requested_at !== null) {
      await giveUp(store, tx, { queue, job, lease, error: new JobCancelled() })
      return
    }
    await store.countLoss(tx, lease, loss)
    if (loss === 'death' && row.deaths + 1 >= deathsOfOneJob) {
      log.error('A job has ended its server again and is given up', { queue: this.#name, jobId: id, cause })
      await giveUp(store, tx, { queue, job, lease, error: new JobPoisoned() })
    } else {
      await store.retry(tx, lease, 0, new WorkerDied().message)
    }
  }
}

/** A death counts against the job, a kill does not. Null if another work is known to have ended the server. */
function lossOf(alone: JobRow['alone'], verdict: Verdict['cause'] | null): 'kill' | 'death' | null {
  if (verdict !== null) return verdict === 'innocent' ? null : 'death'
  if (alone === 'waits') return null
  return alone === 'runs' ? 'death' : 'kill'
}

const heldJob = (id: string, job: NewJob, token: string, claimedAtMs: number): LeasedJob => ({
  id,
  lane: laneOf(job),
  payload: JSON.stringify(job.payload),
  attempts: 1,
  max_attempts: job.maxAttempts ?? null,
  kills: 0,
  token,
  claimedAtMs,
})

/** The claim returns jobs in no order. The next claim goes on behind the last lane. */
const inTurn = (jobs: ClaimedJob[]): ClaimedJob[] =>
  jobs.toSorted((one, other) => (one.lane < other.lane ? -1 : one.lane > other.lane ? 1 : 0))

// The places of a queue in one process, and how many of them each lane may have.

class Places {
  readonly #concurrency: number
  readonly #ofLane = new Map<string, number>()
  #takenCount = 0

  constructor(concurrency: number) {
    this.#concurrency = concurrency
  }

  get free(): number {
    return this.#concurrency - this.#takenCount
  }

  take(lane: string): void {
    this.#takenCount++
    this.#ofLane.set(lane, (this.#ofLane.get(lane) ?? 0) + 1)
  }

  release(lane: string): void {
    this.#takenCount--
    const left = (this.#ofLane.get(lane) ?? 0) - 1
    if (left > 0) this.#ofLane.set(lane, left)
    else this.#ofLane.delete(lane)
  }

  /** Keeps places for a claim whose jobs are not known yet; a negative number gives them back. */
  keep(count: number): void {
    this.#takenCount += count
  }

  /**
   * How many more places a lane may take. In all it may have three quarters of what other lanes leave. So a later
   * lane finds a place, however many lanes came before and however long their jobs take.
   */
  roomOf(lane: string): number {
    const held = this.#ofLane.get(lane) ?? 0
    return Math.max(0, Math.ceil((3 * (this.free + held)) / 4) - held)
  }

  get roomOfNewLane(): number {
    return Math.ceil((3 * this.free) / 4)
  }

  /** The room of each lane that may take fewer than `limit`. */
  roomsBelow(limit: number): Record<string, number> {
    const rooms = [...this.#ofLane.keys()].map(lane => [lane, this.roomOf(lane)] as const)
    return Object.fromEntries(rooms.filter(([, room]) => room < limit))
  }
}
