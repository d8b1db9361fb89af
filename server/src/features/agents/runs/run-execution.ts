/** Builds the input of a run's loop from the agent's revision, the run's row and its stored calls. */
import { type Caller, scopeWithin } from '../../../platform/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import { decodeJson } from '../../../platform/database/json.ts'
import type { StrangersSchemas } from '../../../platform/json-schema/strangers-schemas.ts'
import { noParameters } from '../../../platform/models/parameters.ts'
import type { CallableAgents, Tool, ToolContext } from '../../../platform/tool.ts'
import type { ModelChoice } from '../../models/models-service.ts'
import { watchPageRun } from '../browser-tokens/page-runs.ts'
import { remember } from '../conversations/memory.ts'
import type { AgentContent } from '../definitions/agent-fields.ts'
import type { RunLog } from '../events/run-log.ts'
import { addStep, type Execution, type RunFunction, type StoredCalls } from '../execution/execution.ts'
import { attachmentTokensOf, historyTokensOf } from '../execution/prompt.ts'
import type { Attachments, Images } from '../inputs/attachments.ts'
import { hasImages } from '../inputs/messages.ts'
import type { ResponseSchema } from '../inputs/structured-output.ts'
import { fillVariables } from '../inputs/variables.ts'
import { messagesOf } from '../records/message-schemas.ts'
import { runNarrowingOf } from '../records/run-callers.ts'
import type { RunRow } from '../records/run-store.ts'
import { type Approval, attachedTo, type SentResult } from '../records/steps.ts'
import { insertBegun, type ToolCallRow, toolCallsOf } from '../records/tool-calls-store.ts'
import { wasShownBeyond } from '../records/withheld-runs.ts'
import type { RunLease } from './called-agents.ts'
import type { RunDependencies } from './run-dependencies.ts'
import type { RunRecorder } from './run-recorder.ts'
import type { TakenRun } from './take-run.ts'

/** `tools` are the agent's tools; `signal` is aborted when the run has to stop. */
type Work = {
  tools: readonly Tool[]
  agents: CallableAgents
  caller: () => Caller
  signal: AbortSignal
  lease: RunLease
  recorder: RunRecorder
  events: RunLog
}

export async function executionOf(
  dependencies: RunDependencies,
  { run, content, reach, goesOn, steps, takes }: TakenRun,
  { tools, agents, caller, signal, lease, recorder, events }: Work,
): Promise<Execution> {
  const { database, clock, budgets, attachments, schemas } = dependencies
  const narrowing = runNarrowingOf(run)
  const context: ToolContext = {
    // Read for each call, because the caller's permissions may have changed.
    get caller() {
      const author = caller()
      return { ...author, scope: scopeWithin(author.scope, narrowing) }
    },
    collectionIds: content.collectionIds,
    connectionIds: content.connectionIds,
    httpHosts: content.httpHosts,
    agents,
    signal,
  }
  const checkBudget = budgets.watch({ ...run, agentLimitUsd: content.limits.maxCostUsdPerMonth })
  const checkPage = watchPageRun(dependencies, run, steps)
  const messages = messagesOf(run) ?? [{ role: 'user', content: run.prompt }]
  const execution: Execution = {
    instructions: fillVariables(content.instructions, content.variables, decodeJson(run.variables)),
    isBare: content.isBare,
    messages,
    history: [],
    ...(await chooseModels(dependencies, run, content)),
    tools: await Promise.all(tools.map(tool => describedFor(context, tool))),
    approvalTools: content.approvalTools,
    functions: functionsOf(run, content, schemas),
    toolChoice: run.tool_choice === null ? 'auto' : decodeJson(run.tool_choice),
    // A run that no worker has taken up yet has no stored calls.
    calls: storedCalls(takes === 0 ? [] : await toolCallsOf(database.read, [run.id]), run, lease, clock),
    maxSteps: run.max_steps,
    maxCostUsd: run.max_cost_usd,
    maxOutputTokens: run.max_output_tokens,
    parameters: { ...noParameters, ...decodeJson(run.model_parameters) },
    async checkBudget(costUsd) {
      await checkBudget(costUsd)
      await checkPage()
    },
    responseSchema: responseSchemaOf(run, schemas),
    images: [],
    context,
    steps,
    record: recorder.record,
    events,
  }
  execution.images = await attach(attachments, run, execution)
  const showsImages = execution.images.length > 0 || hasImages(messages)
  if (showsImages && execution.fallback?.seesImages === false) execution.fallback = null
  // The writer of the revision may send on what it remembers.
  if (goesOn && !(await wasShownBeyond(database.read, [run.conversation_id], reach))) {
    const mostTokens = historyTokensOf(execution)
    execution.history = await remember(dependencies, { ...execution, run, signal, mostTokens })
  }
  return execution
}

/** Drops a fallback whose price is unknown if a cost limit applies, because the limit could not be kept. */
async function chooseModels(
  { models, budgets }: RunDependencies,
  run: RunRow,
  { model, fallbackModel, limits }: AgentContent,
): Promise<ModelChoice> {
  const scope = { workspaceId: run.workspace_id, environment: run.environment }
  const chosen = await models.resolveBoth(scope, model, fallbackModel)
  if (fallbackModel === null || (chosen.fallback ?? chosen.model).price !== null) return chosen
  const isLimited =
    run.max_cost_usd !== null ||
    (await budgets.isLimited({ ...run, agentLimitUsd: limits.maxCostUsdPerMonth }))
  return isLimited ? await models.resolveBoth(scope, model, null) : chosen
}

/** The tool with its description for this agent. */
async function describedFor(context: ToolContext, known: Tool): Promise<Tool> {
  const tool = (await known.forAgent?.(context)) ?? known
  if (tool.describe === undefined) return tool
  return { ...tool, description: `${tool.description} ${await tool.describe(context)}` }
}

function storedCalls(
  rows: readonly ToolCallRow[],
  run: RunRow,
  { write }: Pick<RunLease, 'write'>,
  clock: Clock,
): StoredCalls {
  const stored = new Map(
    rows.map(row => [
      row.call_id,
      { approval: approvalOf(row), result: sentResultOf(row), startedAt: row.started_at },
    ]),
  )
  return {
    find: callId => stored.get(callId),
    async begin(calls) {
      const startedAt = clock()
      await write(tx => insertBegun(tx, run, calls, startedAt))
      for (const { callId } of calls) {
        stored.set(callId, { approval: stored.get(callId)?.approval ?? null, result: null, startedAt })
      }
    },
  }
}

function approvalOf(row: ToolCallRow): Approval | null {
  if (row.decision !== 'approve' && row.decision !== 'reject') return null
  return {
    decision: row.decision,
    reason: row.reason,
    userId: row.decided_by_user_id,
    keyId: row.decided_by_key_id,
    at: row.decided_at ?? 0,
  }
}

function sentResultOf(row: ToolCallRow): SentResult | null {
  const { decision, result, requested_at: requestedAt, decided_at: at } = row
  if (result === null || requestedAt === null || at === null) return null
  const sent = decodeJson(result)
  return {
    answer: decision === 'error' ? { error: String(sent) } : { output: sent },
    requestedAt,
    sender: { userId: row.decided_by_user_id, keyId: row.decided_by_key_id, at },
  }
}

/** The functions of the agent and the functions of this run. */
const functionsOf = (run: RunRow, content: AgentContent, schemas: StrangersSchemas): RunFunction[] =>
  [...content.functions, ...decodeJson(run.functions)].map(one => ({
    ...one,
    check: input => schemas.check(one.inputSchema, input, run.workspace_id, 'arguments'),
  }))

function responseSchemaOf(run: RunRow, schemas: StrangersSchemas): ResponseSchema | null {
  if (run.response_schema === null) return null
  const schema = decodeJson(run.response_schema)
  return { schema, check: value => schemas.check(schema, value, run.workspace_id, 'output') }
}

/** Makes the attachments the first step of a run that has none yet. Returns the images among them. */
async function attach(attachments: Attachments, run: RunRow, execution: Execution): Promise<Images> {
  const ids = decodeJson(run.attachments)
  if (ids.length === 0) return []
  const { caller } = execution.context
  const present = attachedTo(execution.steps)
  const step = present ?? (await attachments.read(caller, ids, attachmentTokensOf(execution)))
  if (present === undefined) addStep(step, execution)
  return await attachments.images(caller, step)
}
