/** The queue of runs: takes a run up, executes it, and sees to it that its record says how it ended. */
import type { Caller, Permission, Scope } from '../../../platform/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Tx } from '../../../platform/database/database.ts'
import { decodeJson, encodeJson, type Json } from '../../../platform/database/json.ts'
import { type Job, JobCancelled, JobTimedOut, type Queue } from '../../../platform/jobs/job.ts'
import type { Log } from '../../../platform/log.ts'
import { createCallModel } from '../../../platform/models/call.ts'
import type { Models } from '../../../platform/models/models.ts'
import type { Tool } from '../../../platform/tool.ts'
import { findRevision, type RevisionRow } from '../definitions/agent-store.ts'
import { type Answer, createExecute } from '../execution/executor.ts'
import type { PastTurn } from '../execution/prompt.ts'
import { createCallTools } from '../execution/tool-calls.ts'
import { insertShown } from '../traces/traces-store.ts'
import { type RunError, RunFailure, toRunError } from './run-errors.ts'
import { findRunOfJob, insertSteps, type RunRow, recentTurns, stepsOf, updateRun } from './run-store.ts'
import { fromRow, passagesOf, type Step, toRow, usageOf } from './steps.ts'

export const runQueueName = 'runs'

export type RunPayload = {
  runId: string
  /** Whether there are earlier runs of its conversation to remember. */
  goesOn: boolean
}

/** Longer than the longest run, so that it is the run's own deadline that ends it. */
const timeoutMs = 660_000

const mostTurns = 20
const mostHistoryCharacters = 40_000

export function createRunQueue(dependencies: {
  database: Database
  clock: Clock
  log: Log
  models: Models
  tools: readonly Tool[]
  /** How many background runs this process works on at once. */
  concurrency: number
  /** Numbers from 0 to 1, for the pauses between attempts. */
  random?: () => number
}): Queue<RunPayload> {
  const { database, clock, log, models, tools, concurrency, random = Math.random } = dependencies
  const callModel = createCallModel({ clock, random })
  const execute = createExecute({ callModel, callTools: createCallTools({ clock, log }), clock })

  async function handle(job: Job<RunPayload>): Promise<void> {
    const run = await findRunOfJob(database.read, job.payload.runId)
    if (run === undefined || run.finished_at !== null) return
    const scope = callerOf(run).scope
    const revision = await findRevision(scope, database.read, run.agent_id, run.agent_revision)
    if (revision === undefined) throw new Error(`Run ${run.id} names a revision that does not exist`)
    const startedAt = run.started_at ?? (await begin(job, run))
    const steps = (await stepsOf(database.read, [run.id])).map(fromRow)
    const recorded = { count: steps.length }
    const record = async () => {
      await job.write(tx => recordSteps(tx, run, steps, recorded.count))
      recorded.count = steps.length
    }
    const { goesOn } = job.payload
    const ending = await executeToEnd(job, { run, goesOn, revision, startedAt, steps, record })
    await job.complete(async tx => {
      await recordSteps(tx, run, steps, recorded.count)
      await end(tx, run.id, { ...ending, ...used(steps) })
    })
  }

  async function begin(job: Job<RunPayload>, run: RunRow): Promise<number> {
    const startedAt = clock()
    await job.write(tx => updateRun(tx, run.id, { status: 'running', started_at: startedAt }))
    return startedAt
  }

  /** Answers how the run ended; throws where it has not, and is to be taken up again. */
  async function executeToEnd(job: Job<RunPayload>, started: StartedRun): Promise<Ending> {
    const { run, startedAt, steps } = started
    const deadline = new AbortController()
    const remainingMs = startedAt + run.timeout_ms - clock()
    const late = () => deadline.abort(tooLate(run.timeout_ms))
    const timer = setTimeout(late, Math.max(0, remainingMs))
    if (remainingMs <= 0) late()
    const signal = AbortSignal.any([job.signal, deadline.signal])
    try {
      signal.throwIfAborted()
      return { ...(await answer(started, signal)), status: 'succeeded', model: lastModel(steps) }
    } catch (failure) {
      const model = lastModel(steps)
      if (failure instanceof JobCancelled) return { status: 'cancelled', model }
      const error = failure instanceof JobTimedOut ? tooLate(run.timeout_ms) : toRunError(failure)
      if (error !== null) return { status: 'failed', model, error }
      if (job.signal.aborted) throw failure
      log.error('A run failed by a fault of the server', { runId: run.id, error: failure })
      return { status: 'failed', model, error: internalError }
    } finally {
      clearTimeout(timer)
    }
  }

  async function answer(started: StartedRun, signal: AbortSignal): Promise<Answer> {
    const { run, goesOn, revision, steps, record } = started
    const caller = callerOf(run)
    const { model, instructions, collectionIds, tools: toolNames } = decodeJson(revision.content)
    return await execute({
      instructions,
      prompt: run.prompt,
      history: goesOn ? await historyOf(caller.scope, run) : [],
      model: await models.resolve(model, run.environment),
      tools: tools.filter(({ name }) => toolNames.includes(name)),
      maxSteps: run.max_steps,
      maxCostUsd: run.max_cost_usd,
      context: { caller, collectionIds, signal },
      steps,
      record,
    })
  }

  /** The latest turns that fit, oldest first. */
  async function historyOf(scope: Scope, run: RunRow): Promise<PastTurn[]> {
    const turns: PastTurn[] = []
    let characters = 0
    for (const { prompt, output } of await recentTurns(scope, database.read, run, mostTurns)) {
      characters += prompt.length + (output?.length ?? 0)
      if (characters > mostHistoryCharacters) break
      turns.unshift({ prompt, output: output ?? '' })
    }
    return turns
  }

  /** Where the engine gave the job up, the handler had no chance to say why. */
  async function onDead({ payload }: { payload: RunPayload }, error: Error, tx: Tx): Promise<void> {
    const isCancelled = error instanceof JobCancelled
    await end(
      tx,
      payload.runId,
      isCancelled ? { status: 'cancelled' } : { status: 'failed', error: interrupted },
    )
  }

  async function end(tx: Tx, runId: string, ending: Ending & Partial<Used>): Promise<void> {
    const { status, output = null, citations = [], model, error, ...usage } = ending
    await updateRun(tx, runId, {
      status,
      output,
      citations: encodeJson<Record<string, unknown>[]>(citations),
      ...(model === undefined ? {} : { model }),
      ...usage,
      error_code: error?.code ?? null,
      error_message: error?.message ?? null,
      finished_at: clock(),
    })
  }

  return { concurrency, leaseMs: 15_000, maxAttempts: 3, timeoutMs, backoffMs: 1_000, handle, onDead }
}

type StartedRun = {
  run: RunRow
  goesOn: boolean
  revision: RevisionRow
  startedAt: number
  steps: Step[]
  record: () => Promise<void>
}

type Ending = Partial<Answer> & {
  status: 'succeeded' | 'failed' | 'cancelled'
  /** The model as the steps name it; absent where it is left as it was. */
  model?: string | null
  error?: RunError
}

type Used = { input_tokens: number; output_tokens: number; cost_usd: number | null }

const interrupted: RunError = {
  code: 'run_interrupted',
  message: 'The run was cut short several times and has been given up',
}

const internalError: RunError = { code: 'internal_error', message: 'Something went wrong on our side' }

const tooLate = (timeoutMs: number): RunFailure =>
  new RunFailure('run_timeout', `The run did not end within its ${timeoutMs / 1000} seconds`)

const lastModel = (steps: readonly Step[]): string | null =>
  steps.findLast(({ type }) => type === 'model')?.name ?? null

function used(steps: readonly Step[]): Used {
  const { inputTokens, outputTokens, costUsd } = usageOf(steps)
  return { input_tokens: inputTokens, output_tokens: outputTokens, cost_usd: costUsd }
}

async function recordSteps(
  tx: Tx,
  run: RunRow,
  steps: readonly Step[],
  recordedCount: number,
): Promise<void> {
  const fresh = steps.slice(recordedCount)
  await insertSteps(
    tx,
    fresh.map((step, index) => toRow(run.id, step, recordedCount + index + 1)),
  )
  const shown = passagesOf(fresh).map(({ passage }) => passage.documentId)
  await insertShown(tx, run.id, [...new Set(shown)])
}

/** What a run keeps of its author, so that any worker can act on their behalf. */
export type StoredCaller = Omit<Caller, 'permissions' | 'address' | 'idempotencyId'> & {
  permissions: Permission[]
}

export const storeCaller = (caller: Caller): Json<Record<string, unknown>> => {
  const { kind, userId, keyId, role, scope, plan, requestsPerMinute, requestId } = caller
  const permissions = [...caller.permissions]
  const stored: StoredCaller = {
    kind,
    userId,
    keyId,
    role,
    permissions,
    scope,
    plan,
    requestsPerMinute,
    requestId,
  }
  return encodeJson<Record<string, unknown>>(stored)
}

function callerOf(run: RunRow): Caller {
  // What `storeCaller` wrote.
  const stored = decodeJson(run.caller as Json<StoredCaller>)
  return { ...stored, permissions: new Set(stored.permissions), address: null, idempotencyId: null }
}
