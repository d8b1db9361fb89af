/** The queue of runs: takes a run up, executes it, and sees to it that its record says how it ended. */
import type { Clock } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { Faults } from '../../../platform/faults.ts'
import { type Job, JobCancelled, type Queue } from '../../../platform/jobs/job.ts'
import { interrupted } from '../records/run-errors.ts'
import type { RunPayload } from '../records/run-payload.ts'
import { findRunOfJob } from '../records/run-store.ts'
import { endTree } from './end-tree.ts'
import type { Ending, EndRun } from './run-ending.ts'
import type { TakeRun } from './take-run.ts'
import type { WorkOnRun } from './work.ts'

/** Longer than the longest run, so that it is the run's own deadline that ends it. */
const timeoutMs = 660_000

export function createRunQueue(dependencies: {
  clock: Clock
  take: TakeRun
  work: WorkOnRun
  endRun: EndRun
  faults: Faults
  /** How many background runs this process works on at once. */
  concurrency: number
  /** How long after its process has died a run is taken up by another one. */
  leaseMs: number
}): Queue<RunPayload> {
  const { clock, take, work, endRun, faults, concurrency, leaseMs } = dependencies

  async function handle(job: Job<RunPayload>): Promise<void> {
    const taken = await take(job)
    if (taken === null) return
    faults.reach('run.taken')
    const { signal, write, complete, id: jobId } = job
    await work({ ...taken, goesOn: job.payload.goesOn }, { signal, write, complete, jobId })
  }

  /** Where the engine gave the job up, the handler had no chance to say why. */
  async function onDead({ payload }: { payload: RunPayload }, error: Error, tx: Tx): Promise<void> {
    const isCancelled = error instanceof JobCancelled
    const ending: Ending = isCancelled ? { status: 'cancelled' } : { status: 'failed', error: interrupted }
    const run = await findRunOfJob(tx, payload.runId)
    if (run !== undefined) await endTree(endRun, tx, run, ending, clock())
  }

  return { concurrency, leaseMs, maxAttempts: 3, timeoutMs, backoffMs: 1_000, handle, onDead }
}
