/** Starts a run: checks what it names, writes its row, and makes sure that a worker takes it up. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import {
  authorFor,
  browserPageOf,
  browserTokenIdOf,
  type Caller,
  narrowingOf,
  type Scope,
  scopeWithin,
} from '../../../platform/caller.ts'
import { secondMs } from '../../../platform/clock.ts'
import { takeTurn } from '../../../platform/database/between-processes.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { encodeJson, encodeUnusual } from '../../../platform/database/json.ts'
import { type FieldError, forbidden, found, invalidField, ServiceError } from '../../../platform/errors.ts'
import type { JobEnd } from '../../../platform/jobs/job.ts'
import type { StrangersSchemas } from '../../../platform/json-schema/strangers-schemas.ts'
import { searchToolName } from '../../../platform/models/extractive/model.ts'
import type { ResolvedModel } from '../../../platform/models/models.ts'
import { givenParameters, type ModelParameters, noParameters } from '../../../platform/models/parameters.ts'
import { notNarrowed, type RunNarrowing } from '../../../platform/narrowing.ts'
import { storeCaller } from '../../../platform/stored-caller.ts'
import type { Tool } from '../../../platform/tool.ts'
import { isRemoteToolName } from '../../integrations/connections/remote-tools-service.ts'
import { requireStorage } from '../../limits/service.ts'
import { claimPageRun, inputOf } from '../browser-tokens/page-runs.ts'
import { branchBefore } from '../conversations/branching.ts'
import { findConversation } from '../conversations/conversation-store.ts'
import { noConversation, positionRun } from '../conversations/turns.ts'
import { takenParameters } from '../definitions/agent-check.ts'
import {
  contentToRun,
  type RevisionToRun,
  type RunContent,
  revisionToRun,
  withinReach,
} from '../definitions/agent-content.ts'
import type { AgentContent, AgentLimits } from '../definitions/agent-fields.ts'
import { type AgentRow, findAgent } from '../definitions/agent-store.ts'
import { functionFaults } from '../definitions/functions.ts'
import { insertRunEvents } from '../events/run-events-store.ts'
import { queuedPosition } from '../events/run-log.ts'
import { checkImages, type RunInput } from '../inputs/messages.ts'
import { checkVariables } from '../inputs/variables.ts'
import { asRunner, ownerOf, requireContinuing, requireRunner } from '../records/ownership.ts'
import { requestBytes } from '../records/run-bytes.ts'
import { narrowingColumns, runNarrowingOf } from '../records/run-callers.ts'
import { jobOf, noJob } from '../records/run-job.ts'
import {
  defaultMaxSteps,
  defaultTimeoutSeconds,
  type NewRun,
  type ToolChoice,
} from '../records/run-schemas.ts'
import { countRunsUnderWay, insertRun, noFeedback, type RunRow } from '../records/run-store.ts'
import { hasPromptOfModel, insertShownBefore } from '../records/traces-store.ts'
import { wasShownBeyond } from '../records/withheld-runs.ts'
import type { RunDependencies } from './run-dependencies.ts'
import { stopRuns } from './run-ending.ts'

/** A run whose inputs are run again, on the agent's model if `model` is null. */
export type Repeated = { run: RunRow; model: string | null }

/** The schedule or the trigger that starts a run. */
export type Starter = {
  id: string
  /** Called in the transaction that writes the run. If it throws, no run is written. */
  claim(tx: Tx, runId: string): Promise<void>
}

/** A request to run an agent. */
export type Start = {
  agentId: string
  newRun: RunInput
  repeated?: Repeated | undefined
  starter?: Starter | undefined
  /** Used in place of the agent's model, without a fallback. */
  model?: string | null
  /** Earlier runs from which some of the messages come; the caller must reach them. */
  earlierIds?: readonly string[] | undefined
  /** Whether the run has to be able to search each of its `collectionIds`. */
  searches?: boolean
}

/** `ended` resolves when this process is done with the run; null if the run is left to the workers. */
export type StartedRun = { id: string; ended: Promise<JobEnd> | null }

/**
 * Throws `agent_paused` if the agent is paused, `permission_missing` if the caller may not run it or use one of its
 * tools, `storage_limit` and `run_limit`. In the foreground this process takes the run up at once, with the job
 * handler of `createRunQueue`.
 */
export async function startRun(
  dependencies: RunDependencies,
  caller: Caller,
  wanted: Start,
  inForeground: boolean,
): Promise<StartedRun> {
  const start = { ...wanted, newRun: inputOf(caller, wanted.newRun) }
  const agent = found(await findAgent(caller.scope, dependencies.database.read, start.agentId))
  const runner = asRunner(caller, agent)
  requireRunner(runner)
  const checked = await checkStart(dependencies, runner, agent, start).catch((refusal: unknown) => {
    throw refusalFor(caller, refusal)
  })
  return await dependencies.database.write(tx =>
    insertStart(dependencies, tx, runner, { ...start, ...checked, inForeground }),
  )
}

/** A visitor of a page is not told what the workspace's agents cost. */
const refusalFor = (caller: Caller, refusal: unknown): unknown =>
  browserPageOf(caller) !== null && refusal instanceof ServiceError && refusal.code === 'budget_exceeded'
    ? new ServiceError('budget_exceeded', undefined, { details: { unit: 'USD' } })
    : refusal

/** The same depth as for agents that call each other within Atrium. */
const mostHops = 3

const callDepth = (): ServiceError =>
  new ServiceError(
    'call_depth',
    `Agents ask agents through connections at most ${mostHops} levels deep; answer without another one`,
    { details: { limit: mostHops } },
  )

type CheckedStart = {
  agent: AgentRow
  toRun: RevisionToRun & { content: RunContent }
  /** The narrowing that the request and its conversation ask for. */
  asked: RunNarrowing
  /** The same, within the reach of the revision. */
  narrowing: RunNarrowing
  parameters: ModelParameters
  callbackUrl: string | null
  /** The runs whose words the request holds. */
  earlierIds: readonly string[]
}

/** All checks that come before the transaction, because they may ask models and documents. */
async function checkStart(
  dependencies: RunDependencies,
  caller: Caller,
  agent: AgentRow,
  start: Start,
): Promise<CheckedStart> {
  const { database, models, tools, budgets, attachments, schemas } = dependencies
  const { agentId, newRun, repeated, model: named = repeated?.model ?? null, searches = false } = start
  const { scope, hops = 0 } = caller
  if (hops > mostHops) throw callDepth()
  const revision = await revisionToRun(scope, database.read, agent, newRun.revision)
  const asked =
    repeated === undefined
      ? await narrowingOfNew(dependencies, caller, agent, newRun)
      : runNarrowingOf(repeated.run)
  const narrowing = withinReach(asked, revision)
  const earlierIds = await earlierOf(database.read, start)
  await checkEarlier(database.read, earlierIds, revision)
  const servesModels = agent.serves_models === 1
  const content = contentToRun(revision.content, { model: named, servesModels, narrowing })
  const toRun = { ...revision, content }
  checkDraft(caller, agent, toRun)
  if (searches) checkSearch(content, newRun)
  checkTools(caller, toRun, tools)
  if (agent.status === 'paused') throw new ServiceError('agent_paused', undefined, { details: { agentId } })
  // A model that is not configured is not refused here: the run itself fails with that reason.
  const model = () => models.find(scope, content.model)
  const limits = limitsOf(caller, content.limits, newRun.limits)
  checkVariables(content, newRun.variables ?? {})
  await checkSchema(schemas, newRun, scope)
  const narrowed = { ...caller, scope: scopeWithin(scope, narrowing) }
  await checkFunctions(dependencies, newRun, content, { ...scope, maxSteps: limits.maxSteps })
  const { callbackUrl: wantedUrl } = newRun
  const callbackUrl = wantedUrl === undefined ? null : await dependencies.callbacks.check(caller, wantedUrl)
  await attachments.check(narrowed, newRun.attachments ?? [], model, newRun.documentFields)
  await checkImages(newRun, model)
  const { isLimited } = await budgets.checkStart({
    workspace_id: scope.workspaceId,
    environment: scope.environment,
    agent_id: agent.id,
    agentLimitUsd: content.limits.maxCostUsdPerMonth,
  })
  if (isLimited || limits.maxCostUsd !== null) {
    // The limits of a rerun are not in its request, so there is no field to name.
    checkPrice(repeated === undefined ? newRun : {}, await model())
  }
  const wanted = parametersOf(content, newRun)
  const checked = { agent, toRun, asked, narrowing, callbackUrl, earlierIds }
  if (givenParameters(wanted).length === 0) return { ...checked, parameters: wanted }
  // A rerun on another model is made for a comparison, so it is not refused.
  const isLenient = content.modelParameters.lenient || (repeated?.model ?? null) !== null
  return { ...checked, parameters: await takenParameters(await model(), wanted, { isLenient }) }
}

/** The earlier runs from which words come with the request. The prompt of a person is that person's own to repeat. */
async function earlierOf(
  query: Query,
  { repeated, earlierIds = [] }: Pick<Start, 'repeated' | 'earlierIds'>,
): Promise<readonly string[]> {
  if (repeated === undefined) return earlierIds
  const { run } = repeated
  return run.messages !== null || (await hasPromptOfModel(query, run)) ? [run.id] : []
}

/** Throws 403 if the earlier runs may hold more than the writer of the revision may read. */
async function checkEarlier(
  query: Query,
  ids: readonly string[],
  { reach, revision }: RevisionToRun,
): Promise<void> {
  if (reach === null || ids.length === 0) return
  const runs = await query.selectFrom('runs').select('conversation_id').where('id', 'in', ids).execute()
  const isUnknown = runs.length < new Set(ids).size
  const conversationIds = runs.map(run => run.conversation_id)
  if (!isUnknown && !(await wasShownBeyond(query, conversationIds, reach))) return
  throw forbidden(
    'record',
    `Revision ${revision} of the agent was written by a key that does not reach all that the earlier runs may hold. Begin without them, or let an owner or admin publish the revision.`,
  )
}

/** The wanted narrowing, within the conversation's. Throws a 400 that names `conversationId`, or each fault. */
async function narrowingOfNew(
  { database, readNarrowing }: RunDependencies,
  caller: Caller,
  agent: AgentRow,
  { conversationId, collectionIds, filter }: NewRun,
): Promise<RunNarrowing> {
  const wanted = withoutUndefined({ collectionIds, filter })
  if (conversationId === undefined) return await readNarrowing(caller, wanted, notNarrowed)
  const conversation = await findConversation(caller.scope, database.read, conversationId)
  if (conversation?.agent_id !== agent.id) throw noConversation('for this agent and end user')
  requireContinuing(caller, conversation)
  return await readNarrowing(caller, wanted, runNarrowingOf(conversation))
}

/** The agent's parameters, or in their place those that the request names. */
export function parametersOf(
  { modelParameters }: AgentContent,
  { modelParameters: wanted }: Pick<NewRun, 'modelParameters'>,
): ModelParameters {
  const { lenient: _, ...own } = modelParameters
  return { ...own, ...wanted }
}

/** Only callers who could publish a revision may run one that is not published. */
function checkDraft(caller: Caller, agent: AgentRow, { revision }: RevisionToRun): void {
  if (revision === agent.published_revision || caller.permissions.has('agents:write')) return
  throw forbidden(
    'permission',
    `Revision ${revision} is not the published one; to run it the key needs the permission agents:write`,
    { permission: 'agents:write' },
  )
}

/** A tool acts as the caller does, so a caller without its permission gets an error before anything runs. */
export function checkTools(caller: Caller, { content }: RevisionToRun, tools: readonly Tool[]): void {
  const refused = tools.find(
    tool => content.tools.includes(tool.name) && !caller.permissions.has(tool.permission),
  )
  const remote = content.tools.find(isRemoteToolName)
  if (refused === undefined && remote !== undefined && !caller.permissions.has('integrations:read')) {
    throw forbidden(
      'permission',
      `The key lacks the permission integrations:read, which the agent's tool ${remote} needs`,
      { permission: 'integrations:read' },
    )
  }
  if (refused === undefined) return
  throw forbidden(
    'permission',
    `The key lacks the permission ${refused.permission}, which the agent's tool ${refused.name} needs`,
    { permission: refused.permission },
  )
}

/** Throws one 400 that names each collection that the agent does not search. */
function checkSearch({ tools, collectionIds }: AgentContent, { collectionIds: wanted = [] }: NewRun): void {
  if (!tools.includes(searchToolName)) {
    throw invalidField('collectionIds', `cannot be searched: the agent lacks the tool ${searchToolName}`)
  }
  const errors = wanted.flatMap((id, index) =>
    collectionIds.length === 0 || collectionIds.includes(id)
      ? []
      : [{ field: `collectionIds.${index}`, message: 'The agent does not search this collection' }],
  )
  if (errors.length > 0) throw new ServiceError('validation_failed', undefined, { errors })
}

/** The limits that an agent and a run both have. */
const limitNames = ['maxSteps', 'maxCostUsd', 'timeoutSeconds', 'maxOutputTokens'] as const

type RunLimits = {
  maxSteps: number
  maxCostUsd: number | null
  timeoutSeconds: number
  maxOutputTokens: number | null
}

/**
 * Uses the agent's limit where the request gives none. A browser token's cost limit applies too. Throws one 400 that
 * names each limit above the agent's.
 */
function limitsOf(caller: Caller, agent: AgentLimits, requested: NewRun['limits'] = {}): RunLimits {
  const errors: FieldError[] = limitNames.flatMap(name => {
    const [most, value] = [agent[name], requested[name]]
    return most !== null && value !== undefined && value > most
      ? [{ field: `limits.${name}`, message: `must be at most ${most}, which is the agent's limit` }]
      : []
  })
  if (errors.length > 0) throw new ServiceError('validation_failed', undefined, { errors })
  return {
    maxSteps: requested.maxSteps ?? agent.maxSteps ?? defaultMaxSteps,
    maxCostUsd: lesser(requested.maxCostUsd ?? agent.maxCostUsd, browserPageOf(caller)?.maxCostUsd ?? null),
    timeoutSeconds: requested.timeoutSeconds ?? agent.timeoutSeconds ?? defaultTimeoutSeconds,
    maxOutputTokens: requested.maxOutputTokens ?? agent.maxOutputTokens,
  }
}

/** Null means no limit. */
export const lesser = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other)

async function checkSchema(
  schemas: StrangersSchemas,
  { responseSchema }: NewRun,
  { workspaceId }: Scope,
): Promise<void> {
  const fault = responseSchema === undefined ? null : await schemas.faultOf(responseSchema, workspaceId)
  if (fault === null) return
  const { field, message } = fault
  throw invalidField(['responseSchema', field].filter(part => part !== '').join('.'), message)
}

/**
 * Throws one 400 that names each function with a fault, and a `toolChoice` without a matching function or without a
 * step left for the answer.
 */
async function checkFunctions(
  { tools, schemas }: Pick<RunDependencies, 'tools' | 'schemas'>,
  { functions = [], toolChoice = 'auto' }: NewRun,
  content: RunContent,
  { workspaceId, maxSteps }: { workspaceId: string; maxSteps: number },
): Promise<void> {
  // An agent may get any of the tools later; a model without an agent may not.
  const taken = [...(content.isBare ? [] : tools), ...content.tools.map(name => ({ name }))]
  const errors = await functionFaults(functions, { tools: taken, schemas }, workspaceId, content.functions)
  const names = [...content.functions, ...functions].map(({ name }) => name).concat(content.tools)
  errors.push(...choiceFaults(toolChoice, names, maxSteps))
  if (errors.length > 0) throw new ServiceError('validation_failed', undefined, { errors })
}

function choiceFaults(choice: ToolChoice, names: readonly string[], maxSteps: number): FieldError[] {
  if (choice === 'auto' || choice === 'none') return []
  if (names.length === 0) {
    return [{ field: 'toolChoice', message: 'needs a function or a tool, and the run has none' }]
  }
  if (choice !== 'required' && !names.includes(choice.function)) {
    const message = `There is no function or tool of this name in the run; there is ${names.join(', ')}`
    return [{ field: 'toolChoice.function', message }]
  }
  if (maxSteps > 1) return []
  return [{ field: 'toolChoice', message: 'needs at least 2 for limits.maxSteps: the call, and the answer' }]
}

/** Throws if the model's price is unknown, because a cost limit could not be kept. */
function checkPrice({ limits }: Pick<NewRun, 'limits'>, model: ResolvedModel | null): void {
  if (model === null || model.price !== null) return
  const unknown = `The price of ${model.name} is not known, so`
  if (limits?.maxCostUsd !== undefined) {
    throw invalidField('limits.maxCostUsd', `${unknown} its cost cannot be limited; use limits.maxSteps`)
  }
  throw new ServiceError(
    'price_unknown',
    `${unknown} what the agent or the workspace may cost cannot be kept to: the operator can name the price (ATRIUM_MODEL_PRICES)`,
    { details: { model: model.name } },
  )
}

/** Writes the run with its job, its event and its audit row. */
async function insertStart(
  dependencies: RunDependencies,
  tx: Tx,
  caller: Caller,
  {
    newRun,
    repeated,
    model = repeated?.model ?? null,
    earlierIds,
    starter,
    agent,
    toRun,
    parameters,
    asked,
    narrowing,
    callbackUrl,
    inForeground,
  }: Start & CheckedStart & { inForeground: boolean },
): Promise<StartedRun> {
  const { scope } = caller
  const { database, clock, newId, audit, limits, jobs, runNow, handover } = dependencies
  const { runsAtOnce } = limits.of(caller)
  await takeTurn(tx, `runs ${scope.workspaceId}`)
  if ((await countRunsUnderWay(scope, tx)) >= runsAtOnce) throw tooManyRuns(runsAtOnce)
  const ownRow = newRunRow(caller, agent, toRun, { newRun, narrowing, parameters })
  await requireStorage(limits, caller, tx, ownRow.stored_bytes)
  if (callbackUrl !== null) await dependencies.callbacks.admit(tx, caller, callbackUrl)
  const id = newId('run')
  const now = clock()
  const { prompt, endUserId = null, whenBusy = 'enqueue' } = newRun
  // The workspace owns the runs of schedules and triggers, because it owns the schedules and triggers.
  const ownerId = starter === undefined ? ownerOf(caller) : null
  // A rerun remembers what the first run remembered, and does not change that run's conversation.
  const conversationId =
    repeated === undefined
      ? newRun.conversationId
      : await branchBefore(scope, tx, repeated.run, { id: newId('conversation'), now, ownerId })
  const position = await positionRun(
    scope,
    tx,
    {
      conversationId,
      agentId: agent.id,
      ownerId,
      endUserId,
      prompt,
      // A later revision may reach further in the same conversation.
      narrowing: asked,
      whenBusy,
      now,
    },
    { newId, stop: runs => stopRuns(dependencies, tx, runs) },
  )
  const job = jobOf({ id, workspace_id: agent.workspace_id }, position.begins === null)
  const waits = position.behind > 0
  const begins = inForeground && !waits
  const begun = begins
    ? await runNow(tx, job)
    : { jobId: waits ? noJob : await jobs.enqueue(tx, job), ended: null }
  const row: RunRow = {
    ...ownRow,
    rerun_of: repeated?.run.id ?? null,
    wanted_model: model,
    started_by_id: starter?.id ?? browserTokenIdOf(caller),
    callback_url: callbackUrl,
    id,
    conversation_id: position.conversationId,
    owner_id: position.ownerId,
    turn: position.turn,
    status: begins ? 'running' : 'queued',
    job_id: begun.jobId,
    created_at: now,
    started_at: begins ? now : null,
  }
  // After the conversation's row and before the agent's, in the same order as at the end of a run.
  await claimPageRun(tx, caller, { now, runsAtOnce })
  await insertRun(scope, tx, row, position.begins)
  await insertShownBefore(tx, earlierIds, id)
  // After the agent's row, because a deletion of the agent locks that row before the rows of its schedules.
  await starter?.claim(tx, id)
  if (begins) {
    handover.set(id, { run: row, content: toRun.content, reach: toRun.reach })
    database.afterEnd(tx, isCommitted => {
      if (!isCommitted) handover.delete(id)
    })
  } else {
    const data = { behind: position.behind }
    await insertRunEvents(tx, id, [{ position: queuedPosition, type: 'run.queued', data, at: now }])
  }
  const details = { agentId: agent.id, rerunOf: repeated?.run.id, startedBy: starter?.id }
  await audit.record(tx, caller, { action: 'run.create', resourceId: id, details })
  return { id, ended: begun.ended }
}

const tooManyRuns = (runsAtOnce: number): ServiceError =>
  new ServiceError('run_limit', `The plan allows ${runsAtOnce} runs at once`, {
    headers: { 'retry-after': '2' },
    details: { limit: runsAtOnce },
  })

/** Makes the row of a new run that is the first of its conversation. The input must have been checked. */
export function newRunRow(
  caller: Caller,
  agent: AgentRow,
  { revision, content }: RevisionToRun,
  {
    newRun,
    narrowing,
    parameters,
  }: { newRun: RunInput; narrowing: RunNarrowing; parameters: ModelParameters },
) {
  const limits = limitsOf(caller, content.limits, newRun.limits)
  const texts = {
    prompt: newRun.prompt,
    messages: newRun.messages === undefined ? null : encodeJson(newRun.messages),
    metadata: encodeJson(newRun.metadata ?? {}),
    response_schema: newRun.responseSchema === undefined ? null : encodeJson(newRun.responseSchema),
    variables: encodeJson(newRun.variables ?? {}),
    ...narrowingColumns(narrowing),
    functions: encodeJson(newRun.functions ?? []),
  }
  return {
    workspace_id: caller.scope.workspaceId,
    environment: caller.scope.environment,
    agent_id: agent.id,
    agent_revision: revision,
    end_user_id: newRun.endUserId ?? null,
    ...texts,
    stored_bytes: requestBytes(texts),
    tool_choice: newRun.toolChoice === undefined ? null : encodeJson(newRun.toolChoice),
    attachments: encodeJson(newRun.attachments ?? []),
    max_steps: limits.maxSteps,
    max_cost_usd: limits.maxCostUsd,
    max_output_tokens: limits.maxOutputTokens,
    model_parameters: encodeUnusual<Partial<ModelParameters>>(parameters, noParameters),
    // The time of a run within a run is no whole number of seconds, and a rerun of that run gets the same time.
    timeout_ms: Math.round(limits.timeoutSeconds * secondMs),
    caller: storeCaller(authorFor(caller)),
    author_id: caller.userId,
    narrowing: narrowingOf(caller.scope),
    turn: 1,
    status: 'queued' as const,
    started_at: null,
    rerun_of: null,
    wanted_model: null,
    started_by_id: null,
    callback_url: null,
    ...noOutcome,
    ...standsAlone,
    ...noFeedback,
    change_count: 0,
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

const standsAlone = {
  parent_run_id: null,
  parent_call_id: null,
  root_run_id: null,
  waited_ms: 0,
  waiting_since: null,
}
