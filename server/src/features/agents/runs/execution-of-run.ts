/** What a run's loop is given: all that the agent's revision, the run's row and what is kept of it say. */
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { decodeJson } from '../../../platform/database/json.ts'
import type { CallModel } from '../../../platform/models/call.ts'
import type { Tool, ToolContext } from '../../../platform/tool.ts'
import type { ModelChoice, WorkspaceModels } from '../../models/models-service.ts'
import type { Budgets } from '../budgets/budgets.ts'
import { createMemory } from '../conversations/memory.ts'
import type { AgentContent } from '../definitions/agent-fields.ts'
import type { RunLog } from '../events/run-log.ts'
import type { Execution } from '../execution/execution.ts'
import { historyTokensOf } from '../execution/prompt-within.ts'
import type { Images } from '../inputs/attachments.ts'
import { fillVariables } from '../inputs/variables.ts'
import type { RunRow } from '../records/run-store.ts'
import type { CallerWatch } from './caller-watch.ts'
import { readKeptCalls } from './kept-calls.ts'
import type { ReadInputs } from './read-inputs.ts'
import type { RunRecorder } from './run-recorder.ts'
import type { CallPart, Hold, RunToWorkOn } from './work.ts'

export type StartedRun = RunToWorkOn & { recorder: RunRecorder; events: RunLog }

/** `tools` are those of the agent; `signal` is aborted where the run has to stop. */
type Within = { tools: readonly Tool[]; watch: CallerWatch; signal: AbortSignal; hold: Hold }

export type ExecutionOf = (started: StartedRun, within: Within) => Promise<Execution>

export function createExecutionOf(dependencies: {
  database: Database
  clock: Clock
  models: WorkspaceModels
  budgets: Budgets
  inputs: ReadInputs
  callModel: CallModel
  callPart: CallPart
}): ExecutionOf {
  const { database, clock, models, budgets, inputs, callModel, callPart } = dependencies
  const remember = createMemory({ database, callModel, clock })

  /** A limit on the cost could not be kept by a fallback whose price is not known. */
  async function choose(run: RunRow, { model, fallbackModel, limits }: AgentContent): Promise<ModelChoice> {
    const scope = { workspaceId: run.workspace_id, environment: run.environment }
    const chosen = await models.resolveBoth(scope, model, fallbackModel)
    if (fallbackModel === null || (chosen.fallback ?? chosen.model).price !== null) return chosen
    const isLimited =
      run.max_cost_usd !== null ||
      (await budgets.isLimited({ ...run, agentLimitUsd: limits.maxCostUsdPerMonth }))
    return isLimited ? await models.resolveBoth(scope, model, null) : chosen
  }

  return async (started, within) => {
    const { run, goesOn, content, steps, recorder, events } = started
    const { watch, signal, hold } = within
    const context = {
      // Read for each call, because the caller's permissions may have changed.
      get caller() {
        return watch.caller()
      },
      collectionIds: content.collectionIds,
      connectionIds: content.connectionIds,
      httpHosts: content.httpHosts,
      agents: callPart({
        run,
        steps,
        agentIds: content.agentIds,
        caller: watch.caller,
        hold: { ...hold, signal },
      }),
      signal,
    }
    const isFresh = started.takes === 0
    const given = decodeJson(run.variables)
    const execution = {
      instructions: fillVariables(content.instructions, content.variables, given),
      prompt: run.prompt,
      ...(await choose(run, content)),
      tools: await Promise.all(within.tools.map(tool => described(tool, context))),
      approvalTools: content.approvalTools,
      calls: await readKeptCalls(database.read, run, { isFresh, write: hold.write, clock }),
      maxSteps: run.max_steps,
      maxCostUsd: run.max_cost_usd,
      maxOutputTokens: run.max_output_tokens,
      checkBudget: budgets.watch({ ...run, agentLimitUsd: content.limits.maxCostUsdPerMonth }),
      responseSchema: inputs.responseSchema(run),
      images: [] as Images,
      context,
      steps,
      record: recorder.record,
      events,
    }
    execution.images = await inputs.attach(run, execution)
    if (execution.images.length > 0 && execution.fallback?.seesImages === false) execution.fallback = null
    const mostTokens = historyTokensOf(execution)
    const history = goesOn ? await remember({ ...execution, run, signal, mostTokens }) : []
    return { ...execution, history }
  }
}

/** With what the model is told of it for this agent. */
async function described(known: Tool, context: ToolContext): Promise<Tool> {
  const tool = (await known.forAgent?.(context)) ?? known
  if (tool.describe === undefined) return tool
  return { ...tool, description: `${tool.description} ${await tool.describe(context)}` }
}
