/** Takes up a run, from its start or where another process left it, and lets it wait for approvals and results. */
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Tx } from '../../../platform/database/database.ts'
import type { Job } from '../../../platform/jobs/job.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { Outbox } from '../../events/outbox-service.ts'
import {
  contentToRun,
  decodeContent,
  type RevisionReach,
  type RunContent,
  reachOf,
} from '../definitions/agent-content.ts'
import { findAgentOfRun, findRevision } from '../definitions/agent-store.ts'
import { insertRunEvents, lastEventPosition } from '../events/run-events-store.ts'
import { positionsPerTake, queuedPosition } from '../events/run-log.ts'
import { callerOf, runNarrowingOf } from '../records/run-callers.ts'
import { jobOf, type RunPayload } from '../records/run-job.ts'
import { changeRun, findRunOfJob, type RunRow, stepsOf, updateRun } from '../records/run-store.ts'
import { fromRow, lastModel, type Step, type WaitingCall } from '../records/steps.ts'
import { countUndecided, insertRequested, treeOf, type WaitTimes } from '../records/tool-calls-store.ts'
import { recordRunEvent, used } from './run-ending.ts'

/** A run's row, with the agent's content of its revision, and how far that revision reaches. */
export type WrittenRun = { run: RunRow; content: RunContent; reach: RevisionReach }

/**
 * Runs that this process has written and is about to take up, by their ids. They and their content are not read from
 * the database again.
 */
export type Handover = Map<string, WrittenRun>

export type TakenRun = WrittenRun & {
  /** Whether the conversation has earlier runs to remember. */
  goesOn: boolean
  startedAt: number
  steps: Step[]
  /** How often the run was taken up before. */
  takes: number
  /** Whether the event `run.started` is stored. */
  isStartStored: boolean
}

/** Returns null if the run has ended already. */
export async function takeRun(
  { database, clock, handover }: { database: Database; clock: Clock; handover: Handover },
  { payload: { runId, goesOn }, write }: Pick<Job<RunPayload>, 'payload' | 'write'>,
): Promise<TakenRun | null> {
  const fromStart = { goesOn, steps: [], takes: 0, isStartStored: false }
  const written = handover.get(runId)
  handover.delete(runId)
  if (written !== undefined) {
    return { ...written, ...fromStart, startedAt: written.run.started_at ?? clock() }
  }
  const run = await findRunOfJob(database.read, runId)
  if (run === undefined || run.finished_at !== null) return null
  const { content, reach } = await revisionOf(database, run)
  const startedAt = run.started_at ?? clock()
  // A run that has waited is queued again, although it has begun before.
  if (run.status !== 'running' || run.started_at === null) {
    await write(tx => updateRun(tx, run.id, { status: 'running', started_at: startedAt }))
  }
  if (run.started_at === null) return { run, content, reach, ...fromStart, startedAt }
  const steps = (await stepsOf(database.read, [run.id])).map(fromRow)
  const last = await lastEventPosition(database.read, run.id)
  const takes = Math.floor(last / positionsPerTake) + 1
  return { run, content, reach, goesOn, startedAt, steps, takes, isStartStored: last > queuedPosition }
}

/** The content of the agent's revision, with the model that the request named, and how far the revision reaches. */
async function revisionOf(database: Database, run: RunRow): Promise<Omit<WrittenRun, 'run'>> {
  const { scope } = callerOf(run)
  const revision = await findRevision(scope, database.read, run.agent_id, run.agent_revision)
  if (revision === undefined) throw new Error(`Run ${run.id} names a revision that does not exist`)
  const model = run.wanted_model
  const agent = model === null ? undefined : await findAgentOfRun(database.read, run)
  const content = contentToRun(decodeContent(revision.content), {
    model,
    servesModels: agent?.serves_models === 1,
    narrowing: runNarrowingOf(run),
  })
  return { content, reach: reachOf(revision) }
}

// How a run begins to wait for approvals and results, and how it continues once they have come.

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
 * Queues a waiting run and the runs within it, once everything that they wait for has come. Does nothing if the run
 * at the head is still working: that run calls this function when it begins to wait. The transaction must hold the
 * tree's lock.
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
