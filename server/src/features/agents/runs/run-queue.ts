/** The queue of runs: takes a run up, works on it, and stores an end for jobs that are given up. */
import type { Tx } from '../../../platform/database/database.ts'
import { type Job, JobCancelled, type Queue } from '../../../platform/jobs/job.ts'
import { interrupted } from '../records/run-errors.ts'
import type { RunPayload } from '../records/run-job.ts'
import { findRunOfJob } from '../records/run-store.ts'
import type { RunDependencies } from './run-dependencies.ts'
import { type Ending, endTree } from './run-ending.ts'
import { takeRun } from './take-run.ts'
import { workOnRun } from './work-on-run.ts'

/** Longer than the longest run, so that it is the run's own deadline that ends it. */
const timeoutMs = 660_000

export function createRunQueue(dependencies: RunDependencies): Queue<RunPayload> {
  const { clock, concurrency, leaseMs } = dependencies

  async function handle(job: Job<RunPayload>): Promise<void> {
    const taken = await takeRun(dependencies, job)
    if (taken === null) return
    const { signal, write, complete, id: jobId } = job
    await workOnRun(dependencies, taken, { signal, write, complete, jobId })
  }

  /** Called when the engine gives a job up, which leaves the handler no chance to store an end. */
  async function onDead({ payload }: { payload: RunPayload }, error: Error, tx: Tx): Promise<void> {
    const isCancelled = error instanceof JobCancelled
    const ending: Ending = isCancelled ? { status: 'cancelled' } : { status: 'failed', error: interrupted }
    const run = await findRunOfJob(tx, payload.runId)
    if (run !== undefined) await endTree(dependencies, tx, run, ending, clock())
  }

  return { concurrency, leaseMs, maxAttempts: 3, timeoutMs, backoffMs: 1_000, handle, onDead }
}
