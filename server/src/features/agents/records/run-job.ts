/** The job that a run is while it waits for a worker, or has one. */
import type { Tx } from '../../../platform/database/database.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { type RunPayload, runQueueName } from './run-payload.ts'
import { type RunRow, updateRun } from './run-store.ts'

export const jobOf = (run: Pick<RunRow, 'id' | 'workspace_id'>, goesOn: boolean) => {
  const payload: RunPayload = { runId: run.id, goesOn }
  return { queue: runQueueName, payload, workspaceId: run.workspace_id }
}

/** Lets a run begin that has waited for others of its conversation. */
export async function queueRun(tx: Tx, jobs: Jobs, run: RunRow): Promise<void> {
  await updateRun(tx, run.id, { job_id: await jobs.enqueue(tx, jobOf(run, true)) })
}
