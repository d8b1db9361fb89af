/** The loop of a run: the model, the tools that it calls, the model again, until there is an answer or a reason why not. */
import type { JSONSchema7, LanguageModelV3FunctionTool } from '@ai-sdk/provider'
import type { Clock } from '../../../platform/clock.ts'
import type { CallModel } from '../../../platform/models/call.ts'
import type { ResolvedModel } from '../../../platform/models/models.ts'
import type { Tool, ToolContext } from '../../../platform/tool.ts'
import { RunFailure, toRunError } from '../runs/run-errors.ts'
import type { Citation } from '../runs/run-schemas.ts'
import { type ModelStep, passagesOf, type Step, type ToolStep, textOf, usageOf } from '../runs/steps.ts'
import { citationsOf } from './citations.ts'
import { type PastTurn, promptOf } from './prompt.ts'
import type { CallTools } from './tool-calls.ts'

export type Execution = {
  instructions: string
  prompt: string
  history: readonly PastTurn[]
  model: ResolvedModel
  tools: readonly Tool[]
  maxSteps: number
  maxCostUsd: number | null
  context: ToolContext
  /** The steps so far; those of a run that is taken up again are there already, and each new one is added. */
  steps: Step[]
  /** Called before each further call of the model, so that the steps so far are kept. */
  record: () => Promise<void>
}

export type Answer = { output: string; citations: Citation[] }

export type Execute = (execution: Execution) => Promise<Answer>

/** After so many steps in which every tool call failed, another one would fail too. */
const mostFailedSteps = 3

/** Throws `RunFailure` or `ModelError` with the reason, or the signal's own reason once that is aborted. */
export function createExecute(dependencies: {
  callModel: CallModel
  callTools: CallTools
  clock: Clock
}): Execute {
  const { callModel, callTools, clock } = dependencies

  async function askModel(execution: Execution): Promise<ModelStep> {
    const { model, tools, steps, context, maxSteps } = execution
    const prompt = promptOf({ ...execution, hasTools: tools.length > 0 })
    const startedAt = clock()
    const begun = performance.now()
    const step = (record: Omit<ModelStep['record'], 'messages'>): ModelStep => ({
      type: 'model',
      name: model.name,
      startedAt,
      durationMs: Math.round(performance.now() - begun),
      record: { messages: prompt.length, ...record },
    })
    try {
      const isLast = steps.filter(({ type }) => type === 'model').length === maxSteps - 1
      return step(
        await callModel(model, {
          prompt,
          abortSignal: context.signal,
          ...(tools.length === 0 ? {} : { tools: tools.map(describe) }),
          // On its last call a model is asked to answer with what it has.
          ...(isLast && tools.length > 0 ? { toolChoice: { type: 'none' } } : {}),
        }),
      )
    } catch (failure) {
      const error = toRunError(failure)
      const usage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 }
      if (error !== null) steps.push(step({ content: [], finish: null, usage, costUsd: 0, error }))
      throw failure
    }
  }

  return async execution => {
    const { steps, record } = execution
    let failedSteps = 0
    for (;;) {
      checkLimits(execution)
      const asked = await askModel(execution)
      steps.push(asked)
      const calls = asked.record.content.filter(part => part.type === 'tool-call')
      if (calls.length === 0) return answerOf(asked, steps)
      const results = await callTools(calls, execution)
      steps.push(...results)
      failedSteps = results.every(({ record }) => record.error !== undefined) ? failedSteps + 1 : 0
      if (failedSteps === mostFailedSteps) throw failedTools(results)
      await record()
    }
  }
}

function checkLimits({ steps, maxSteps, maxCostUsd }: Execution): void {
  const asked = steps.filter(({ type }) => type === 'model').length
  if (asked >= maxSteps) {
    throw new RunFailure('max_steps', `The model gave no answer within ${maxSteps} steps`)
  }
  const { costUsd } = usageOf(steps)
  if (maxCostUsd !== null && costUsd !== null && costUsd >= maxCostUsd) {
    throw new RunFailure('max_cost', `The run has cost ${costUsd} of at most ${maxCostUsd} US dollars`)
  }
}

const failedTools = ([first]: readonly ToolStep[]): RunFailure =>
  new RunFailure(
    'tool_error',
    `The tool ${first?.name} failed ${mostFailedSteps} times in a row: ${first?.record.error?.message}`,
  )

function answerOf({ record: { content, finish } }: ModelStep, steps: readonly Step[]): Answer {
  if (finish === 'length')
    throw new RunFailure('output_truncated', "The model's answer was cut off at its limit")
  if (finish === 'content-filter') {
    throw new RunFailure('content_filtered', "The model's provider withheld the answer")
  }
  const output = textOf(content)
  if (output.trim() === '') throw new RunFailure('model_invalid_response', 'The model answered without text')
  return { output, citations: citationsOf(output, passagesOf(steps)) }
}

const describe = (tool: Tool): LanguageModelV3FunctionTool => ({
  type: 'function',
  name: tool.name,
  description: tool.description,
  // A TypeBox schema is a JSON Schema; the two packages only name the type differently.
  inputSchema: tool.input as unknown as JSONSchema7,
})
