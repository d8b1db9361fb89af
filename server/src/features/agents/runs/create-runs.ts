/** The runs of one process: their operations, their queue and their repair, and what these share. */

import type { Tx } from '../../../platform/database/database.ts'
import { type Job, JobCancelled, JobPoisoned, type Queue } from '../../../platform/jobs/job.ts'
import { createCallModel } from '../../../platform/models/call.ts'
import { createPassagesService } from '../../knowledge/documents/versions-service.ts'
import { createBudgets } from '../budgets/budgets.ts'
import { readRunProgress } from '../events/run-events-store.ts'
import { createLiveRuns } from '../events/run-log.ts'
import { createWatchedRuns } from '../events/watched-runs.ts'
import { createAttachments } from '../inputs/attachments.ts'
import { crashedServer, interrupted } from '../records/run-errors.ts'
import type { RunPayload } from '../records/run-job.ts'
import { findRunOfJob } from '../records/run-store.ts'
import type { RunDependencies, RunsOptions } from './run-dependencies.ts'
import { type Ending, endTree } from './run-ending.ts'
import { createRunReaper } from './run-reaper.ts'
import { createRunService } from './run-service.ts'
import { takeRun } from './take-run.ts'
import { workOnRun } from './work-on-run.ts'

export function createRuns(options: RunsOptions) {
  const { database, random = Math.random } = options
  const dependencies: RunDependencies = {
    ...options,
    budgets: createBudgets(options),
    attachments: createAttachments({ ...options, passages: createPassagesService(options) }),
    callModel: createCallModel({ ...options, random }),
    live: createLiveRuns(),
    watched: createWatchedRuns({ read: ids => readRunProgress(database.read, ids) }),
    handover: new Map(),
  }
  return {
    runs: createRunService(dependencies),
    queue: createRunQueue(dependencies),
    reap: createRunReaper(dependencies),
    budgets: dependencies.budgets,
  }
}

// The queue of runs: takes a run up, works on it, and stores an end for jobs that are given up.

/** Longer than the longest run, so that the run's own deadline comes first. */
const timeoutMs = 660_000

function createRunQueue(dependencies: RunDependencies): Queue<RunPayload> {
  const { clock, concurrency, leaseMs } = dependencies

  async function handle(job: Job<RunPayload>): Promise<void> {
    const taken = await takeRun(dependencies, job)
    if (taken === null) return
    const { signal, write, complete, id: jobId } = job
    await workOnRun(dependencies, taken, { signal, write, complete, jobId })
  }

  /** Called when the engine gives a job up, because the handler then has no chance to store an end. */
  async function onDead({ payload }: { payload: RunPayload }, error: Error, tx: Tx): Promise<void> {
    const failure = error instanceof JobPoisoned ? crashedServer : interrupted
    const isCancelled = error instanceof JobCancelled
    const ending: Ending = isCancelled ? { status: 'cancelled' } : { status: 'failed', error: failure }
    const run = await findRunOfJob(tx, payload.runId)
    if (run !== undefined) await endTree(dependencies, tx, run, ending, clock())
  }

  return { concurrency, leaseMs, maxAttempts: 3, timeoutMs, backoffMs: 1_000, handle, onDead }
}
