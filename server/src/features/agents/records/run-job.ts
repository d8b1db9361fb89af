/** The job of a run: its payload, and how it is put into the queue. */
import type { Tx } from '../../../platform/database/database.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { type RunRow, updateRun } from './run-store.ts'

export const runQueueName = 'runs'

/** The `job_id` of a run that waits for its turn in a conversation. */
export const noJob = ''

export type RunPayload = {
  runId: string
  /** Whether the conversation has earlier runs to remember. */
  goesOn: boolean
}

export function jobOf(run: Pick<RunRow, 'id' | 'workspace_id'>, goesOn: boolean) {
  const payload: RunPayload = { runId: run.id, goesOn }
  return { queue: runQueueName, payload, workspaceId: run.workspace_id }
}

/** Queues a run that has waited for other runs of its conversation. */
export async function queueRun(tx: Tx, jobs: Jobs, run: RunRow): Promise<void> {
  await updateRun(tx, run.id, { job_id: await jobs.enqueue(tx, jobOf(run, true)) })
}
