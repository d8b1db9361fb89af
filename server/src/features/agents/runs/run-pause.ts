/** How a run begins to wait for approvals and results, and how it goes on once they have come. */
import type { Tx } from '../../../platform/database/database.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { Outbox } from '../../events/outbox-service.ts'
import { insertRunEvents, lastEventPosition } from '../events/run-events-store.ts'
import { jobOf } from '../records/run-job.ts'
import { changeRun, type RunRow, updateRun } from '../records/run-store.ts'
import { lastModel, type Step, type WaitingCall } from '../records/steps.ts'
import { countUndecided, insertRequested, treeOf, type WaitTimes } from '../records/tool-calls-store.ts'
import { recordRunEvent, used } from './run-ending.ts'

export async function pauseRun(
  { outbox, jobs, waitMs }: { outbox: Outbox; jobs: Jobs; waitMs: WaitTimes },
  tx: Tx,
  run: RunRow,
  pause: { waitsFor: readonly WaitingCall[]; steps: readonly Step[]; now: number; position: number },
): Promise<void> {
  const { waitsFor, steps, now, position } = pause
  const change = { status: 'waiting', waiting_since: now, model: lastModel(steps), ...used(steps) } as const
  const paused = await changeRun(tx, run.id, change)
  if (paused === undefined) return
  await insertRequested(tx, run, waitsFor, { now, waitMs })
  await insertRunEvents(tx, run.id, [{ position, type: 'run.waiting', data: {}, at: now }])
  await recordRunEvent(tx, outbox, paused, 'waiting', now)
  // Some approvals and results may have come while other runs within this one were still working.
  if (run.parent_run_id === null) await resumeTree(tx, jobs, run.id, now)
}

/**
 * Queues a waiting run and the runs within it, if all has come that they wait for. If the run at the head is still working, it
 * does nothing: that run calls it again when it begins to wait. The transaction must hold the tree's lock.
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
