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
import type { RunPayload } from '../records/run-payload.ts'
import { findRunOfJob, type RunRow, stepsOf, updateRun } from '../records/run-store.ts'
import { fromRow, type Step } from '../records/steps.ts'
import type { Handover } from './handover.ts'

export type TakenRun = {
  run: RunRow
  /** What the agent's revision says, with the model that a rerun wants. */
  content: AgentContent
  startedAt: number
  steps: Step[]
  /** How often it was taken up before. */
  takes: number
  /** Whether it is kept that it has started. */
  isToldStarted: boolean
}

/** Null where the run has ended already. */
export type TakeRun = (job: Pick<Job<RunPayload>, 'payload' | 'write'>) => Promise<TakenRun | null>

export function createTakeRun(dependencies: {
  database: Database
  clock: Clock
  handover: Handover
}): TakeRun {
  const { database, clock, handover } = dependencies

  async function contentOf(run: RunRow): Promise<AgentContent> {
    const { scope } = callerOf(run)
    const revision = await findRevision(scope, database.read, run.agent_id, run.agent_revision)
    if (revision === undefined) throw new Error(`Run ${run.id} names a revision that does not exist`)
    return onModel(decodeContent(revision.content), run.wanted_model)
  }

  async function begin(job: Pick<Job, 'write'>, run: RunRow): Promise<number> {
    const startedAt = run.started_at ?? clock()
    await job.write(tx => updateRun(tx, run.id, { status: 'running', started_at: startedAt }))
    return startedAt
  }

  return async job => {
    const { runId } = job.payload
    const begun = handover.take(runId)
    const fromStart = { steps: [], takes: 0, isToldStarted: false }
    if (begun !== null) return { ...begun, ...fromStart, startedAt: begun.run.started_at ?? clock() }
    const run = await findRunOfJob(database.read, runId)
    if (run === undefined || run.finished_at !== null) return null
    const content = await contentOf(run)
    const isFirst = run.started_at === null
    // One that has waited is queued again, and was begun before.
    const isBegun = run.status === 'running' && run.started_at !== null
    const startedAt = isBegun ? (run.started_at ?? clock()) : await begin(job, run)
    if (isFirst) return { run, content, ...fromStart, startedAt }
    const steps = (await stepsOf(database.read, [run.id])).map(fromRow)
    const last = await lastEventPosition(database.read, run.id)
    const takes = Math.floor(last / positionsPerTake) + 1
    return { run, content, startedAt, steps, takes, isToldStarted: last > queuedPosition }
  }
}
