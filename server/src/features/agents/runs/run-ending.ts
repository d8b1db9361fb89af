/** How a run ends: by itself, with the runs within it, or because of a request to stop. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { type Clock, toOptionalTimestamp, toTimestamp } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { encodeJson } from '../../../platform/database/json.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { RunSummary } from '../../events/data-schemas.ts'
import type { Callback, Outbox } from '../../events/outbox-service.ts'
import { countRun } from '../../usage/service.ts'
import { countPageRun } from '../browser-tokens/page-runs.ts'
import { endTurn } from '../conversations/turns.ts'
import { endEventOf } from '../events/run-event-schemas.ts'
import { insertRunEvents, lastEventPosition } from '../events/run-events-store.ts'
import { positionBehindTakes, type StoredEvent } from '../events/run-log.ts'
import type { Answer } from '../execution/execution.ts'
import { countRunBytes } from '../records/run-bytes.ts'
import { authorOf, callerOf } from '../records/run-callers.ts'
import type { RunError } from '../records/run-errors.ts'
import { noJob, queueRun } from '../records/run-job.ts'
import { type ChangedRun, changeRun, findRunOfJob, type RunRow, stepsOf } from '../records/run-store.ts'
import { fromRow, lastModel, type Step, usageOf } from '../records/steps.ts'
import { lockTree, unfinishedWithin } from '../records/tool-calls-store.ts'

export type Ending = Partial<Answer> & {
  status: 'succeeded' | 'failed' | 'cancelled'
  /** The model as the steps name it; undefined leaves the stored one. */
  model?: string | null
  error?: RunError
}

export type EndDependencies = { outbox: Outbox; jobs: Jobs }

/**
 * Stores the end of a run. The same transaction stores its last event, the outbox row and the usage, and queues the
 * run that waits for it. Returns false if the run had ended already. `events` is for callers that know which events
 * were sent before: the events still to be stored, and the position of the last event.
 */
export async function endRun(
  { outbox, jobs }: EndDependencies,
  tx: Tx,
  runId: string,
  ending: Ending & Partial<UsedColumns>,
  now: number,
  events: { before: readonly StoredEvent[]; position: number | null } = { before: [], position: null },
): Promise<boolean> {
  const { status, output = null, structuredOutput = null, citations = [], model, error, ...usage } = ending
  const ended = await changeRun(
    tx,
    runId,
    withoutUndefined({
      status,
      output,
      structured_output: structuredOutput === null ? null : encodeJson(structuredOutput),
      citations: encodeJson<Record<string, unknown>[]>(citations),
      model,
      ...usage,
      error_code: error?.code ?? null,
      error_message: error?.message ?? null,
      finished_at: now,
    }),
  )
  if (ended === undefined) return false
  const position = events.position ?? positionBehindTakes(await lastEventPosition(tx, runId))
  const last = { position, type: endEventOf(status), data: {}, at: now }
  await insertRunEvents(tx, runId, [...events.before, last])
  await recordRunEvent(tx, outbox, ended, status, now)
  const next = await endTurn(tx, ended)
  if (next !== null) {
    await queueRun(tx, jobs, next)
  }
  await countPageRun(tx, ended, now)
  // Last, because other runs of the same key and agent wait for these rows until the transaction ends.
  await countRunBytes(tx, runId)
  await countRun(tx, ended, authorOf(ended), now)
  return true
}

/**
 * Ends a run that no process works on, after the runs within it. Each gets the usage of its own steps. Returns false
 * if the run had ended already.
 */
export async function endTree(
  dependencies: EndDependencies,
  tx: Tx,
  run: Pick<RunRow, 'id' | 'root_run_id'>,
  ending: Pick<Ending, 'status' | 'error'>,
  now: number,
): Promise<boolean> {
  await lockTree(tx, run.root_run_id ?? run.id)
  const end = async (id: string): Promise<boolean> => {
    const steps = (await stepsOf(tx, [id])).map(fromRow)
    return await endRun(dependencies, tx, id, { ...ending, model: lastModel(steps), ...used(steps) }, now)
  }
  for (const id of (await unfinishedWithin(tx, run)).toReversed()) await end(id)
  return await end(run.id)
}

/** Stops runs, given in the order of their turns. Returns how many ended at once; a worker ends the others soon. */
export async function stopRuns(
  dependencies: EndDependencies & { clock: Clock },
  tx: Tx,
  runs: readonly RunRow[],
): Promise<number> {
  const { jobs, clock } = dependencies
  /** False if no worker is left to end the run. */
  const tellWorker = async ({ job_id }: RunRow): Promise<boolean> =>
    job_id !== noJob && (await jobs.cancel(tx, job_id)) === 'requested'
  const idle: RunRow[] = []
  for (const run of runs) if (!(await tellWorker(run))) idle.push(run)
  let ended = 0
  // From the last run on, because the end of a run lets the next one begin.
  for (const run of idle.toReversed()) {
    await lockTree(tx, run.root_run_id ?? run.id)
    const current = await findRunOfJob(tx, run.id)
    // Since the run was read, an approval or the end of the run before it may have queued it.
    if (current !== undefined && current.job_id !== run.job_id && (await tellWorker(current))) continue
    if (await endTree(dependencies, tx, run, { status: 'cancelled' }, clock())) ended++
  }
  return ended
}

/** Writes the outbox row of a run that ends or begins to wait, in the transaction of the change. */
export async function recordRunEvent(
  tx: Tx,
  outbox: Outbox,
  run: ChangedRun,
  status: RunSummary['status'],
  now: number,
): Promise<void> {
  await outbox.record(tx, {
    workspaceId: run.workspace_id,
    environment: run.environment,
    type: `run.${status}`,
    data: {
      id: run.id,
      agentId: run.agent_id,
      conversationId: run.conversation_id,
      status,
      errorCode: run.error_code,
      usage: { inputTokens: run.input_tokens, outputTokens: run.output_tokens, costUsd: run.cost_usd },
      createdAt: toTimestamp(run.created_at),
      finishedAt: toOptionalTimestamp(run.finished_at),
    },
    agentId: run.agent_id,
    narrowing: run.narrowing,
    callback: run.callback_url === null ? undefined : callbackOf(run, run.callback_url),
    at: now,
  })
}

function callbackOf(run: ChangedRun, url: string): Callback {
  const { agentIds, collectionIds } = callerOf(run).scope
  return withoutUndefined({ url, runId: run.id, agentIds, collectionIds })
}

type UsedColumns = { input_tokens: number; output_tokens: number; cost_usd: number | null }

export function used(steps: readonly Step[]): UsedColumns {
  const { inputTokens, outputTokens, costUsd } = usageOf(steps)
  return { input_tokens: inputTokens, output_tokens: outputTokens, cost_usd: costUsd }
}
