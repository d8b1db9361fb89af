/** How a run begins to wait: on its record, for those who follow it, and in the outbox. */
import type { Tx } from '../../../platform/database/database.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { Outbox } from '../../events/outbox-service.ts'
import { insertRunEvents } from '../events/run-events-store.ts'
import type { PendingCall } from '../records/approval.ts'
import { insertRequested } from '../records/kept-calls-store.ts'
import { recordRunEvent } from '../records/run-outbox.ts'
import { changeRun, type RunRow } from '../records/run-store.ts'
import { resumeTree } from './resume-run.ts'
import type { Used } from './run-ending.ts'

export type PauseRun = (
  tx: Tx,
  run: RunRow,
  pause: {
    waitsFor: readonly PendingCall[]
    used: Used
    model: string | null
    now: number
    position: number
  },
) => Promise<void>

/** `approvalMs` is how long an approval may take. */
export const createPauseRun =
  ({ outbox, jobs, approvalMs }: { outbox: Outbox; jobs: Jobs; approvalMs: number }): PauseRun =>
  async (tx, run, { waitsFor, used, model, now, position }) => {
    const paused = await changeRun(tx, run.id, { status: 'waiting', waiting_since: now, model, ...used })
    if (paused === undefined) return
    await insertRequested(tx, run, waitsFor, { requestedAt: now, expiresAt: now + approvalMs })
    await insertRunEvents(tx, run.id, [{ position, type: 'run.waiting', data: {}, at: now }])
    await recordRunEvent(tx, outbox, paused, 'waiting', now)
    // What a part of it waits for may have been decided while other parts were still at work.
    if (run.parent_run_id === null) await resumeTree(tx, jobs, run.id, now)
  }
