/** One call of the model within a run: followers see the answer as it is written, and the call becomes a step. */

import type {
  JSONSchema7,
  LanguageModelV3CallOptions,
  LanguageModelV3FunctionTool,
  LanguageModelV3Prompt,
} from '@ai-sdk/provider'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { LeaseLost, WorkerStopping } from '../../../platform/jobs/job.ts'
import { approvalMark, builtInModels } from '../../../platform/models/built-in.ts'
import { costUsd } from '../../../platform/models/catalog.ts'
import type { ResolvedModel } from '../../../platform/models/models.ts'
import { createGrowingText } from '../../../platform/text/growing-text.ts'
import type { Tool } from '../../../platform/tool.ts'
import { calledIn } from '../inputs/messages.ts'
import type { ResponseSchema } from '../inputs/structured-output.ts'
import { toRunError } from '../records/run-errors.ts'
import { answersOf, type ModelStep } from '../records/steps.ts'
import { addStep, type Execution, type ExecutionDependencies, type RunFunction } from './execution.ts'
import { promptFor } from './prompt.ts'
import { needsApproval } from './tool-calls.ts'

/** A call that fails or is cut short is a step too, with its text so far. The error is thrown again. */
export async function askModel(
  { callModel, clock }: ExecutionDependencies,
  execution: Execution,
): Promise<ModelStep> {
  const { model, tools, functions, steps, context, maxOutputTokens, responseSchema, events } = execution
  // The fallback leaves out parameters that it does not take: an answer without them is better than none.
  const { options = {} } = (await model.readParameters?.(execution.parameters)) ?? {}
  const prompt = promptFor(execution)
  const stepIndex = steps.length
  const startedAt = clock()
  const begun = performance.now()
  const step = (record: Omit<ModelStep['record'], 'messages'>): ModelStep => ({
    type: 'model',
    name: model.name,
    startedAt,
    durationMs: Math.round(performance.now() - begun),
    record: { messages: prompt.length, ...record },
  })
  const heard = createGrowingText()
  const thought = createGrowingText()
  events.emit('step.started', { stepIndex, stepType: 'model', name: model.name })
  try {
    const offered = [...tools.map(tool => describe(tool, execution)), ...functions.map(describeFunction)]
    const named = offered.length > 0 ? offered : pastFunctions(execution)
    const answer = await callModel(
      model,
      withoutUndefined({
        ...options,
        prompt,
        abortSignal: context.signal,
        maxOutputTokens: maxOutputTokens ?? undefined,
        responseFormat: responseSchema === null ? undefined : formatOf(responseSchema),
        tools: named.length === 0 ? undefined : named,
        toolChoice: offered.length === 0 ? undefined : toolChoiceOf(execution),
      }),
      {
        text(delta) {
          heard.add(delta)
          events.write('text.delta', stepIndex, delta)
        },
        reasoning(delta) {
          thought.add(delta)
          events.write('reasoning.delta', stepIndex, delta)
        },
        restart() {
          heard.clear()
          thought.clear()
          events.emit('step.restarted', { stepIndex })
        },
      },
    )
    return step(answer)
  } catch (failure) {
    // The next worker that takes up the run calls the model again.
    if (failure instanceof WorkerStopping || failure instanceof LeaseLost) throw failure
    const error = toRunError(failure)
    const wasCutShort = context.signal.aborted || heard.text + thought.text !== ''
    const estimated = wasCutShort ? estimateUsage(model, prompt, heard.text + thought.text) : nothingUsed
    addStep(
      step(
        withoutUndefined({
          content: heard.text === '' ? [] : [{ type: 'text', text: heard.text }],
          finish: null,
          ...estimated,
          error: error ?? undefined,
        }),
      ),
      execution,
    )
    throw failure
  }
}

const nothingUsed = { usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 }, costUsd: 0 }

const charactersPerToken = 4

const withoutBytes = (_key: string, value: unknown): unknown => (value instanceof Uint8Array ? null : value)

/** Providers report the usage at the end of an answer. The usage of a cut answer is estimated from its length. */
export function estimateUsage({ price }: ResolvedModel, prompt: LanguageModelV3Prompt, heard: string) {
  const usage = {
    inputTokens: Math.ceil(JSON.stringify(prompt, withoutBytes).length / charactersPerToken),
    cachedInputTokens: 0,
    outputTokens: Math.ceil(heard.length / charactersPerToken),
  }
  return { usage, costUsd: costUsd(price, usage), isEstimate: true as const }
}

const formatOf = ({ schema }: ResponseSchema): NonNullable<LanguageModelV3CallOptions['responseFormat']> => ({
  type: 'json',
  name: 'answer',
  // The schema has been checked to be a JSON Schema.
  schema: schema as JSONSchema7,
})

function toolChoiceOf({ toolChoice, steps, maxSteps }: Execution): LanguageModelV3CallOptions['toolChoice'] {
  const answers = answersOf(steps)
  // On its last call a model is asked to answer with what it has.
  if (toolChoice === 'none' || answers === maxSteps - 1) return { type: 'none' }
  // A model that had to call a function in each answer would never come to an end.
  if (toolChoice === 'auto' || answers > 0) return undefined
  return toolChoice === 'required' ? { type: 'required' } : { type: 'tool', toolName: toolChoice.function }
}

const describeFunction = ({ name, description, inputSchema }: RunFunction): LanguageModelV3FunctionTool =>
  withoutUndefined<LanguageModelV3FunctionTool>({
    type: 'function',
    name,
    description,
    // The schema has been checked to be a JSON Schema.
    inputSchema: inputSchema as JSONSchema7,
  })

/**
 * Anthropic refuses messages with calls if there is no function to call, so the functions that the messages call are
 * named. The built-in models read only the last message.
 */
const pastFunctions = ({ model, messages }: Execution): LanguageModelV3FunctionTool[] =>
  builtInModels.includes(model.name)
    ? []
    : calledIn(messages).map(name => ({
        type: 'function',
        name,
        description: 'Not there any more: answer without it.',
        inputSchema: { type: 'object' },
      }))

const describe = (tool: Tool, execution: Execution): LanguageModelV3FunctionTool => ({
  type: 'function',
  name: tool.name,
  description: tool.description,
  // A TypeBox schema is a JSON Schema; the two packages only name the type differently.
  inputSchema: tool.input as unknown as JSONSchema7,
  ...approvalMark(needsApproval(tool, execution)),
})
