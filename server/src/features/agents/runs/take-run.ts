/** Takes up a run: from its start, or from where another process left it. */
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { Job } from '../../../platform/jobs/job.ts'
import { decodeContent, onModel } from '../definitions/agent-content.ts'
import type { AgentContent } from '../definitions/agent-fields.ts'
import { findRevision } from '../definitions/agent-store.ts'
import { lastEventPosition } from '../events/run-events-store.ts'
import { positionsPerTake, queuedPosition } from '../events/run-log.ts'
import { callerOf } from '../records/run-callers.ts'
import type { RunPayload } from '../records/run-job.ts'
import { findRunOfJob, type RunRow, stepsOf, updateRun } from '../records/run-store.ts'
import { fromRow, type Step } from '../records/steps.ts'

/** A run as it was written, with the agent's content of its revision. */
export type WrittenRun = { run: RunRow; content: AgentContent }

/**
 * Runs that this process has written and is about to take up, by their ids. Neither they nor their content are read from
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
  const content = await contentOf(database, run)
  const startedAt = run.started_at ?? clock()
  // A run that has waited is queued again, although it was begun before.
  if (run.status !== 'running' || run.started_at === null) {
    await write(tx => updateRun(tx, run.id, { status: 'running', started_at: startedAt }))
  }
  if (run.started_at === null) return { run, content, ...fromStart, startedAt }
  const steps = (await stepsOf(database.read, [run.id])).map(fromRow)
  const last = await lastEventPosition(database.read, run.id)
  const takes = Math.floor(last / positionsPerTake) + 1
  return { run, content, goesOn, startedAt, steps, takes, isStartStored: last > queuedPosition }
}

/** What the agent's revision says, with the model that a rerun asks for. */
async function contentOf(database: Database, run: RunRow): Promise<AgentContent> {
  const { scope } = callerOf(run)
  const revision = await findRevision(scope, database.read, run.agent_id, run.agent_revision)
  if (revision === undefined) throw new Error(`Run ${run.id} names a revision that does not exist`)
  return onModel(decodeContent(revision.content), run.wanted_model)
}
