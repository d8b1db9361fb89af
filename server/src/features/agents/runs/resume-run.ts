/** Lets a run go on once everything is decided that it waits for. */
import type { Tx } from '../../../platform/database/database.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { insertRunEvents, lastEventPosition } from '../events/run-events-store.ts'
import { countUndecided, treeOf } from '../records/kept-calls-store.ts'
import { jobOf } from '../records/run-job.ts'
import { updateRun } from '../records/run-store.ts'

/**
 * Does nothing as long as something is undecided, or the run at the head of the tree is still at work: it asks again
 * when it begins to wait. In a transaction that holds the tree.
 */
export async function resumeTree(tx: Tx, jobs: Jobs, rootRunId: string, now: number): Promise<void> {
  const tree = await treeOf(tx, rootRunId)
  const root = tree.find(({ id }) => id === rootRunId)
  if (root?.status !== 'waiting' || (await countUndecided(tx, rootRunId)) > 0) return
  const jobId = await jobs.enqueue(tx, jobOf(root, true))
  for (const run of tree) {
    if (run.status !== 'waiting') continue
    await updateRun(tx, run.id, {
      status: 'queued',
      job_id: jobId,
      waited_ms: run.waited_ms + now - (run.waiting_since ?? now),
      waiting_since: null,
    })
    const position = (await lastEventPosition(tx, run.id)) + 1
    await insertRunEvents(tx, run.id, [{ position, type: 'run.queued', data: {}, at: now }])
  }
}
