/** One call of the model within a run: followers see the answer as it is written, and the call becomes a step. */

import type { JSONSchema7, LanguageModelV3CallOptions, LanguageModelV3FunctionTool } from '@ai-sdk/provider'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { LeaseLost, WorkerStopping } from '../../../platform/jobs/job.ts'
import { approvalMark, builtInModels } from '../../../platform/models/built-in.ts'
import { nothingLost } from '../../../platform/models/call.ts'
import { createGrowingText } from '../../../platform/text/growing-text.ts'
import type { Tool } from '../../../platform/tool.ts'
import { calledIn } from '../inputs/messages.ts'
import type { ResponseSchema } from '../inputs/structured-output.ts'
import { toRunError } from '../records/run-errors.ts'
import { answersOf, type ModelStep } from '../records/steps.ts'
import { demandedCall } from './demanded-calls.ts'
import { addStep, type Execution, type ExecutionDependencies, type RunFunction } from './execution.ts'
import { narrowedBy } from './narrow-window.ts'
import { promptFor } from './prompt.ts'
import { needsApproval } from './tool-calls.ts'

/**
 * A call that fails or is cut short is a step too, with its text so far. The error is thrown again. If the prompt is
 * too long, the oldest turns go, and the model is asked again.
 */
export async function askModel(
  dependencies: ExecutionDependencies,
  execution: Execution,
): Promise<ModelStep> {
  for (;;) {
    try {
      return await askOnce(dependencies, execution)
    } catch (failure) {
      const narrowed = narrowedBy(failure, execution)
      if (narrowed === null) throw failure
      Object.assign(execution, narrowed)
    }
  }
}

async function askOnce(
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
  let lost = nothingLost
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
          events.write('reasoning.delta', stepIndex, delta)
        },
        restart() {
          heard.clear()
          events.emit('step.restarted', { stepIndex })
        },
        lost(used) {
          lost = used
        },
      },
    )
    return step(answer)
  } catch (failure) {
    // The next worker that takes up the run calls the model again.
    if (failure instanceof WorkerStopping || failure instanceof LeaseLost) throw failure
    const error = toRunError(failure)
    addStep(
      step(
        withoutUndefined({
          content: heard.text === '' ? [] : [{ type: 'text', text: heard.text }],
          finish: null,
          ...lost,
          isEstimate: lost === nothingLost ? undefined : (true as const),
          error: error ?? undefined,
        }),
      ),
      execution,
    )
    throw failure
  }
}

const formatOf = ({ schema }: ResponseSchema): NonNullable<LanguageModelV3CallOptions['responseFormat']> => ({
  type: 'json',
  name: 'answer',
  // The schema has been checked to be a JSON Schema.
  schema: schema as JSONSchema7,
})

function toolChoiceOf(execution: Execution): LanguageModelV3CallOptions['toolChoice'] {
  const { toolChoice, steps, maxSteps } = execution
  const demanded = demandedCall(execution)
  if (demanded !== null)
    return demanded === 'any' ? { type: 'required' } : { type: 'tool', toolName: demanded.name }
  // On its last call a model is asked to answer with what it has.
  return toolChoice === 'none' || answersOf(steps) === maxSteps - 1 ? { type: 'none' } : undefined
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
