/** The verbs of runs: start, follow to the end, look up, cancel. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller, Scope } from '../../../platform/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Tx } from '../../../platform/database/database.ts'
import { decodeJson, encodeJson } from '../../../platform/database/json.ts'
import type { Page, PageRequest } from '../../../platform/database/page.ts'
import { invalidField, notFound, ServiceError } from '../../../platform/errors.ts'
import type { NewId } from '../../../platform/ids.ts'
import type { JobEnd } from '../../../platform/jobs/job.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { Worker } from '../../../platform/jobs/worker.ts'
import type { Models } from '../../../platform/models/models.ts'
import type { Tool } from '../../../platform/tool.ts'
import type { AuditService } from '../../audit/service.ts'
import type { Limits } from '../../limits/service.ts'
import { type AgentRow, findAgent } from '../definitions/agent-store.ts'
import type { RunRecord } from './run-present.ts'
import { type RunPayload, runQueueName, storeCaller } from './run-queue.ts'
import { defaultMaxSteps, defaultTimeoutSeconds, type NewRun, type RunFilter } from './run-schemas.ts'
import {
  countRunsUnderWay,
  findConversation,
  findRun,
  findRunEnd,
  insertRun,
  listRuns,
  lockRunStarts,
  narrowingOf,
  stepsOf,
  updateRun,
} from './run-store.ts'
import { fromRow } from './steps.ts'

/** How long to wait for a run's end; `signal` is the client's, whose going away does not stop the run. */
export type Patience = { waitMs: number; signal: AbortSignal }

export type RunService = {
  /** How many runs of the workspace are queued or running, in both environments. */
  underWay(scope: Scope): Promise<number>
  /**
   * Starts a run and answers it once it has ended, or as it stands when the patience is over; with none, it is
   * left to the workers. Throws `conflict` where the agent is paused, `permission_missing` where the caller may
   * not use one of its tools, and `run_limit`.
   */
  run(caller: Caller, agentId: string, wanted: NewRun, patience: Patience): Promise<RunRecord>
  list(caller: Caller, agentId: string, filter: RunFilter, page: PageRequest): Promise<Page<RunRecord>>
  get(caller: Caller, id: string, patience: Patience): Promise<RunRecord>
  /** Answers once the run has stopped; a run that has ended is answered as it is. */
  cancel(caller: Caller, id: string, signal: AbortSignal): Promise<RunRecord>
}

const pollMs = 100
/** A run in another process learns of its end at the next heartbeat of its lease. */
const longestCancelMs = 10_000

export function createRunService(dependencies: {
  database: Database
  clock: Clock
  newId: NewId
  audit: AuditService
  limits: Limits
  jobs: Jobs
  runNow: Worker['runNow']
  models: Models
  tools: readonly Tool[]
}): RunService {
  const { database, clock, newId, audit, limits, jobs, runNow, models, tools } = dependencies

  async function run(
    caller: Caller,
    agentId: string,
    wanted: NewRun,
    patience: Patience,
  ): Promise<RunRecord> {
    await checkCostLimit(caller.scope, agentId, wanted)
    const { id, ended } = await start(caller, agentId, wanted, patience)
    if (ended !== null) await firstOf(ended, patience)
    return await read(caller.scope, id)
  }

  const start = (caller: Caller, agentId: string, wanted: NewRun, { waitMs }: Patience) =>
    database.write(async tx => {
      const agent = (await findAgent(caller.scope, tx, agentId)) ?? missing()
      checkTools(caller, agent, tools)
      if (agent.status === 'paused') throw new ServiceError('conflict', 'The agent is paused')
      await checkConversation(caller.scope, tx, agent, wanted)
      const { runsAtOnce } = limits.of(caller)
      await lockRunStarts(caller.scope, tx, database.engine)
      if ((await countRunsUnderWay(caller.scope, tx)) >= runsAtOnce) throw tooManyRuns(runsAtOnce)
      const id = newId('run')
      const payload: RunPayload = { runId: id, goesOn: wanted.conversationId !== undefined }
      const job = { queue: runQueueName, payload, workspaceId: caller.scope.workspaceId }
      const inForeground = waitMs > 0
      const begun = inForeground ? await runNow(tx, job) : { jobId: await jobs.enqueue(tx, job), ended: null }
      const now = clock()
      await insertRun(caller.scope, tx, {
        ...rowOf(caller, agent, wanted),
        id,
        conversation_id: wanted.conversationId ?? newId('conversation'),
        status: inForeground ? 'running' : 'queued',
        job_id: begun.jobId,
        created_at: now,
        started_at: inForeground ? now : null,
      })
      await audit.record(tx, caller, { action: 'run.create', resourceId: id, details: { agentId } })
      return { id, ended: begun.ended }
    })

  /** A limit on an unknown cost could not be kept. */
  async function checkCostLimit(scope: Scope, agentId: string, wanted: NewRun): Promise<void> {
    if (wanted.limits?.maxCostUsd === undefined) return
    const agent = (await findAgent(scope, database.read, agentId)) ?? missing()
    const model = await models.resolve(agent.model, agent.environment).catch(() => null)
    if (model === null || model.price !== null) return
    throw invalidField(
      'limits.maxCostUsd',
      `The price of ${model.name} is not known, so its cost cannot be limited; use limits.maxSteps`,
    )
  }

  async function checkFilter(scope: Scope, agent: AgentRow, { conversationId }: RunFilter): Promise<void> {
    if (conversationId === undefined) return
    const found = await findConversation(scope, database.read, conversationId)
    if (found?.agent_id !== agent.id) throw noConversation('for this agent')
  }

  async function read(scope: Scope, id: string): Promise<RunRecord> {
    const row = (await findRun(scope, database.read, id)) ?? missing()
    return { row, steps: (await stepsOf(database.read, [id])).map(fromRow) }
  }

  /** By asking the database: the run may be in another process. */
  async function waitForEnd(scope: Scope, id: string, { waitMs, signal }: Patience): Promise<RunRecord> {
    const until = performance.now() + waitMs
    for (;;) {
      const run = (await findRunEnd(scope, database.read, id)) ?? missing()
      const leftMs = until - performance.now()
      if (run.finished_at !== null || leftMs <= 0 || signal.aborted) return await read(scope, id)
      await sleep(Math.min(pollMs, leftMs), undefined, { signal }).catch(() => undefined)
    }
  }

  return {
    run,
    underWay: scope => countRunsUnderWay(scope, database.read),
    async list(caller, agentId, filter, page) {
      const agent = (await findAgent(caller.scope, database.read, agentId)) ?? missing()
      await checkFilter(caller.scope, agent, filter)
      const { createdAfter, createdBefore, ...rest } = filter
      const selection = {
        ...rest,
        ...(createdAfter === undefined ? {} : { createdAfterMs: Date.parse(createdAfter) }),
        ...(createdBefore === undefined ? {} : { createdBeforeMs: Date.parse(createdBefore) }),
      }
      const runs = await listRuns(caller.scope, database.read, agent, selection, page)
      const steps = await stepsOf(
        database.read,
        runs.items.map(({ id }) => id),
      )
      const byRun = Map.groupBy(steps, step => step.run_id)
      const items = runs.items.map(row => ({ row, steps: (byRun.get(row.id) ?? []).map(fromRow) }))
      return { items, total: runs.total }
    },
    get: (caller, id, patience) => waitForEnd(caller.scope, id, patience),
    async cancel(caller, id, signal) {
      await database.write(async tx => {
        const row = (await findRun(caller.scope, tx, id)) ?? missing()
        const state = await jobs.cancel(tx, row.job_id)
        if (state === 'cancelled') await updateRun(tx, id, { status: 'cancelled', finished_at: clock() })
        await audit.record(tx, caller, { action: 'run.cancel', resourceId: id })
      })
      return await waitForEnd(caller.scope, id, { waitMs: longestCancelMs, signal })
    },
  }
}

const missing = (): never => {
  throw notFound()
}

/** A tool acts as the caller does; a caller who may not do that is told so before anything runs. */
function checkTools(caller: Caller, agent: AgentRow, tools: readonly Tool[]): void {
  const names = decodeJson(agent.tools)
  const refused = tools.find(tool => names.includes(tool.name) && !caller.permissions.has(tool.permission))
  if (refused === undefined) return
  throw new ServiceError(
    'permission_missing',
    `The key lacks the permission ${refused.permission}, which the agent's tool ${refused.name} needs`,
  )
}

async function checkConversation(scope: Scope, tx: Tx, agent: AgentRow, wanted: NewRun): Promise<void> {
  if (wanted.conversationId === undefined) return
  const found = await findConversation(scope, tx, wanted.conversationId)
  const isTheirs = found?.agent_id === agent.id && found.end_user_id === (wanted.endUserId ?? null)
  if (!isTheirs) throw noConversation('for this agent and end user')
}

const noConversation = (whose: string): ServiceError =>
  invalidField('conversationId', `There is no conversation with this id ${whose}`)

const tooManyRuns = (runsAtOnce: number): ServiceError =>
  new ServiceError('run_limit', `The plan allows ${runsAtOnce} runs at once`, {
    headers: { 'retry-after': '2' },
  })

const rowOf = (caller: Caller, agent: AgentRow, { prompt, endUserId, metadata, limits }: NewRun) => ({
  workspace_id: caller.scope.workspaceId,
  environment: caller.scope.environment,
  agent_id: agent.id,
  agent_revision: agent.revision,
  end_user_id: endUserId ?? null,
  prompt,
  output: null,
  citations: encodeJson<Record<string, unknown>[]>([]),
  model: null,
  input_tokens: 0,
  output_tokens: 0,
  cost_usd: 0,
  error_code: null,
  error_message: null,
  metadata: encodeJson(metadata ?? {}),
  max_steps: limits?.maxSteps ?? defaultMaxSteps,
  max_cost_usd: limits?.maxCostUsd ?? null,
  timeout_ms: (limits?.timeoutSeconds ?? defaultTimeoutSeconds) * 1000,
  caller: storeCaller(caller),
  narrowing: narrowingOf(caller.scope),
  finished_at: null,
})

/** The end of the run, of the patience, or of the client's interest, whichever comes first. */
async function firstOf(ended: Promise<JobEnd>, { waitMs, signal }: Patience): Promise<void> {
  const enough = new AbortController()
  const timer = setTimeout(() => enough.abort(), waitMs)
  const patience = AbortSignal.any([enough.signal, signal])
  const over = new Promise<void>(resolve => {
    if (patience.aborted) resolve()
    patience.addEventListener('abort', () => resolve(), { once: true })
  })
  await Promise.race([ended, over])
  clearTimeout(timer)
}
