/** Starts a run: checks what it names, writes its row, and sees to it that somebody takes it up. */
import { type Caller, narrowingOf, type Scope } from '../../../platform/caller.ts'
import { type Clock, secondMs } from '../../../platform/clock.ts'
import type { Database, Tx } from '../../../platform/database/database.ts'
import { encodeJson } from '../../../platform/database/json.ts'
import { takeTurn } from '../../../platform/database/take-turns.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { Faults } from '../../../platform/faults.ts'
import type { NewId } from '../../../platform/ids.ts'
import type { JobEnd } from '../../../platform/jobs/job.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { Worker } from '../../../platform/jobs/worker.ts'
import { storeCaller } from '../../../platform/stored-caller.ts'
import type { AuditService } from '../../audit/service.ts'
import type { Limits } from '../../limits/service.ts'
import { requireStorage } from '../../limits/storage-service.ts'
import { branchBefore } from '../conversations/branching.ts'
import { noJob, type Place, placeRun, type StopRuns } from '../conversations/turns.ts'
import type { AgentRow } from '../definitions/agent-store.ts'
import type { RevisionToRun } from '../definitions/agent-to-run.ts'
import { insertRunEvents } from '../events/run-events-store.ts'
import { queuedPosition } from '../events/run-log.ts'
import { askedBytes } from '../records/run-bytes-store.ts'
import { jobOf } from '../records/run-job.ts'
import { limitsOf } from '../records/run-limits.ts'
import type { NewRun } from '../records/run-schemas.ts'
import { countRunsUnderWay, insertRun, type RunRow } from '../records/run-store.ts'
import type { BegunRun, Handover } from './handover.ts'
import type { CheckedStart, CheckStart } from './start-check.ts'

/** A run whose inputs are asked again, on another model where one is named. */
export type Repeated = { run: RunRow; model: string | null }

/** An agent with what it is asked. */
export type Start = { agentId: string; wanted: NewRun; repeated?: Repeated }

export type StartOptions = { inForeground: boolean; repeated?: Repeated | undefined }

/** `ended` tells when this process has done with the run; null where the run is left to the workers. */
export type StartedRun = { id: string; ended: Promise<JobEnd> | null }

/**
 * Throws `conflict` where the agent is paused, `permission_missing` where the caller may not use one of its tools,
 * `storage_limit` and `run_limit`. In the foreground this process takes it up at once.
 */
export type StartRun = (
  caller: Caller,
  agentId: string,
  wanted: NewRun,
  options: StartOptions,
) => Promise<StartedRun>

export function createStartRun(dependencies: {
  database: Database
  clock: Clock
  newId: NewId
  audit: AuditService
  limits: Limits
  jobs: Jobs
  runNow: Worker['runNow']
  check: CheckStart
  faults: Faults
  handover: Handover
  stopRuns: StopRuns
}): StartRun {
  const { database, clock, newId, audit, limits, jobs, runNow, check, faults, handover, stopRuns } =
    dependencies

  const insert = (
    caller: Caller,
    { agent, toRun }: CheckedStart,
    wanted: NewRun,
    { inForeground, repeated }: StartOptions,
  ): Promise<StartedRun> =>
    database.write(async tx => {
      const { runsAtOnce } = limits.of(caller)
      await takeTurn(tx, database.engine, `runs ${caller.scope.workspaceId}`)
      if ((await countRunsUnderWay(caller.scope, tx)) >= runsAtOnce) throw tooManyRuns(runsAtOnce)
      const own = newRunRow(caller, agent, toRun, wanted)
      await requireStorage(limits, caller, tx, own.stored_bytes)
      const id = newId('run')
      const now = clock()
      const placed = await place(caller.scope, tx, agent, { ...wanted, repeated: repeated?.run }, now)
      const job = jobOf({ id, workspace_id: agent.workspace_id }, placed.begins === null)
      const begins = inForeground && !placed.waits
      const begun = begins
        ? await runNow(tx, job)
        : { jobId: placed.waits ? noJob : await jobs.enqueue(tx, job), ended: null }
      const row: RunRow = {
        ...own,
        rerun_of: repeated?.run.id ?? null,
        wanted_model: repeated?.model ?? null,
        id,
        conversation_id: placed.conversationId,
        turn: placed.turn,
        status: begins ? 'running' : 'queued',
        job_id: begun.jobId,
        created_at: now,
        started_at: begins ? now : null,
      }
      await insertRun(caller.scope, tx, row, placed.begins)
      if (begins) handOver({ run: row, content: toRun.content }, tx)
      else
        await insertRunEvents(tx, id, [{ position: queuedPosition, type: 'run.queued', data: {}, at: now }])
      const details = { agentId: agent.id, rerunOf: repeated === undefined ? undefined : repeated.run.id }
      await audit.record(tx, caller, { action: 'run.create', resourceId: id, details })
      faults.reach('run.before-commit')
      return { id, ended: begun.ended }
    })

  /** A run that is repeated remembers what it did then, and leaves its conversation alone. */
  async function place(
    scope: Scope,
    tx: Tx,
    { id: agentId }: AgentRow,
    wanted: NewRun & { repeated: RunRow | undefined },
    now: number,
  ): Promise<Place> {
    const { prompt, endUserId = null, whenBusy = 'enqueue', repeated } = wanted
    const conversationId =
      repeated === undefined
        ? wanted.conversationId
        : await branchBefore(scope, tx, repeated, { id: newId('conversation'), now })
    return await placeRun(
      scope,
      tx,
      { conversationId, agentId, endUserId, prompt, whenBusy, now },
      { newId, stop: stopRuns },
    )
  }

  function handOver(begun: BegunRun, tx: Tx): void {
    handover.give(begun)
    database.afterEnd(tx, isCommitted => {
      if (!isCommitted) handover.take(begun.run.id)
    })
  }

  return async (caller, agentId, wanted, options) => {
    const checked = await check(caller, agentId, wanted, options.repeated?.model ?? null)
    const started = await insert(caller, checked, wanted, options)
    faults.reach('run.committed')
    return started
  }
}

const tooManyRuns = (runsAtOnce: number): ServiceError =>
  new ServiceError('run_limit', `The plan allows ${runsAtOnce} runs at once`, {
    headers: { 'retry-after': '2' },
  })

/** Makes the row of a new run outside any conversation. The input must have been checked. */
export function newRunRow(
  caller: Caller,
  agent: AgentRow,
  { revision, content }: RevisionToRun,
  wanted: NewRun,
) {
  const limits = limitsOf(content.limits, wanted.limits)
  const asked = {
    prompt: wanted.prompt,
    metadata: encodeJson(wanted.metadata ?? {}),
    response_schema: wanted.responseSchema === undefined ? null : encodeJson(wanted.responseSchema),
    variables: encodeJson(wanted.variables ?? {}),
  }
  return {
    workspace_id: caller.scope.workspaceId,
    environment: caller.scope.environment,
    agent_id: agent.id,
    agent_revision: revision,
    end_user_id: wanted.endUserId ?? null,
    ...asked,
    stored_bytes: askedBytes(asked),
    attachments: encodeJson(wanted.attachments ?? []),
    max_steps: limits.maxSteps,
    max_cost_usd: limits.maxCostUsd,
    max_output_tokens: limits.maxOutputTokens,
    timeout_ms: limits.timeoutSeconds * secondMs,
    caller: storeCaller(caller),
    author_id: caller.userId,
    narrowing: narrowingOf(caller.scope),
    ...noOutcome,
    ...standsAlone,
    ...noFeedback,
  }
}

const noOutcome = {
  output: null,
  structured_output: null,
  citations: encodeJson<Record<string, unknown>[]>([]),
  model: null,
  input_tokens: 0,
  output_tokens: 0,
  cost_usd: 0,
  error_code: null,
  error_message: null,
  finished_at: null,
}

const noFeedback = {
  feedback_rating: null,
  feedback_comment: null,
  feedback_end_user_id: null,
  feedback_at: null,
  change_count: 0,
}

const standsAlone = {
  parent_run_id: null,
  parent_call_id: null,
  root_run_id: null,
  waited_ms: 0,
  waiting_since: null,
}
