/** The loop of a run: the model, the tools that it calls, the model again, until there is an answer or an error. */

import { freeId } from '../../../platform/models/asking/call-ids.ts'
import { searchToolName } from '../../../platform/models/extractive/model.ts'
import { isWorthAnother } from '../../../platform/models/model-error.ts'
import type { ResolvedModel } from '../../../platform/models/models.ts'
import { type ReadOutput, readOutput } from '../inputs/structured-output.ts'
import { citationsOf } from '../records/citations.ts'
import { RunFailure } from '../records/run-errors.ts'
import {
  answersOf,
  callsOf,
  type ModelStep,
  passagesOf,
  type Step,
  spentOf,
  type ToolStep,
  textOf,
  unansweredCalls,
  usageOf,
} from '../records/steps.ts'
import { askModel } from './ask-model.ts'
import { mayDemandAgain, withoutDemandedCall } from './demanded-calls.ts'
import { type Answer, addStep, type Execution, type ExecutionDependencies, type Pause } from './execution.ts'
import { callTools } from './tool-calls.ts'

/** After so many steps in a row in which every tool call failed, another step would fail too. */
const mostFailedSteps = 3

/** Throws `RunFailure` or `ModelError` with the reason, or the signal's reason once the signal is aborted. */
export async function execute(
  dependencies: ExecutionDependencies,
  begun: Execution,
): Promise<Answer | Pause> {
  const execution = { ...begun }
  const { steps } = execution
  let failedSteps = 0
  for (;;) {
    let calls = unansweredCalls(steps)
    if (calls.length === 0) {
      const step = withUniqueCalls(await ask(dependencies, execution), steps)
      const uncalled = withoutDemandedCall(step, execution)
      if (uncalled !== null) {
        addStep(uncalled, execution)
        if (mayDemandAgain(execution) || takesOver(execution)) continue
        throw new RunFailure('tool_not_called', `The model did not call ${uncalled.record.missingCall}`)
      }
      calls = callsOf(step)
      const read = calls.length === 0 ? await readAnswer(step, execution) : null
      if (read !== null && 'faults' in read) {
        addStep(rejecting(step, read.faults), execution)
        if (mayRepair(execution)) continue
        throw new RunFailure('output_invalid', `The answer does not fit the response schema: ${read.faults}`)
      }
      addStep(step, execution)
      if (calls.length === 0) return await answerOf(step, steps, read?.value ?? null)
    }
    const { results, waiting } = await callTools(dependencies, calls, execution)
    if (waiting !== null) return { waitsFor: waiting }
    failedSteps = results.every(isFailed) ? failedSteps + 1 : 0
    if (failedSteps === mostFailedSteps) throw failedTools(results)
  }
}

/** Whether there is a fallback, which then takes over. */
function takesOver(execution: Execution): boolean {
  const { fallback } = execution
  if (fallback === null) return false
  Object.assign(execution, { model: fallback, fallback: null })
  return true
}

/** Once the model has failed, the fallback takes over for the rest of the run. */
async function ask(dependencies: ExecutionDependencies, execution: Execution): Promise<ModelStep> {
  checkLimits(execution)
  await execution.checkBudget(usageOf(execution.steps).costUsd)
  try {
    return await askModel(dependencies, execution)
  } catch (failure) {
    const { fallback } = execution
    if (fallback === null || !mayTakeOver(fallback, failure, execution)) throw failure
    return await ask(dependencies, Object.assign(execution, { model: fallback, fallback: null }))
  }
}

/** A model that can only quote takes over where there is something to quote. */
const mayTakeOver = (fallback: ResolvedModel, failure: unknown, { tools, steps }: Execution): boolean =>
  (isWorthAnother(failure) || isTooLong(failure)) &&
  (fallback.name !== 'extractive' ||
    tools.some(({ name }) => name === searchToolName) ||
    passagesOf(steps).length > 0)

/** A prompt that was not sent, since it is longer than the model reads at once. */
const isTooLong = (failure: unknown): boolean =>
  failure instanceof RunFailure && failure.code === 'context_too_long'

function checkLimits({ steps, maxSteps, maxCostUsd }: Execution): void {
  if (answersOf(steps) >= maxSteps) {
    throw new RunFailure('max_steps', `The model gave no answer within ${maxSteps} steps`)
  }
  const costUsd = spentOf(steps)
  if (maxCostUsd !== null && costUsd !== null && costUsd >= maxCostUsd) {
    throw new RunFailure('max_cost', `The run has cost ${costUsd} of at most ${maxCostUsd} US dollars`)
  }
}

/** Gives every tool call of a run a unique id: some model servers start at `call_1` in each answer. */
function withUniqueCalls(step: ModelStep, before: readonly Step[]): ModelStep {
  const taken = new Set(
    before
      .filter(earlier => earlier.type === 'model')
      .flatMap(earlier => callsOf(earlier).map(({ toolCallId }) => toolCallId)),
  )
  const content = step.record.content.map(part => {
    if (part.type !== 'tool-call') return part
    const toolCallId = freeId(part.toolCallId, taken)
    taken.add(toolCallId)
    return toolCallId === part.toolCallId ? part : { ...part, toolCallId }
  })
  return { ...step, record: { ...step.record, content } }
}

/**
 * A call that a person has rejected has not failed: the model may have to ask for other calls. A call that the
 * caller's program has answered has not failed either, even with an error.
 */
const isFailed = ({ record }: ToolStep): boolean =>
  record.error !== undefined && record.approval?.decision !== 'reject' && record.sent === undefined

const failedTools = ([first]: readonly ToolStep[]): RunFailure =>
  new RunFailure(
    'tool_error',
    `The tool ${first?.name} failed ${mostFailedSteps} times in a row: ${first?.record.error?.message}`,
  )

/** Returns null if there is no schema, or the answer is not whole. */
async function readAnswer({ record }: ModelStep, { responseSchema }: Execution): Promise<ReadOutput | null> {
  const text = textOf(record.content)
  const isWhole = record.finish !== 'length' && record.finish !== 'content-filter' && text.trim() !== ''
  return responseSchema === null || !isWhole ? null : await readOutput(text, responseSchema.check)
}

const rejecting = (step: ModelStep, faults: string): ModelStep => ({
  ...step,
  record: { ...step.record, rejected: faults },
})

/** An answer is repaired once, and only while the run has steps left. */
const mayRepair = ({ steps, maxSteps }: Execution): boolean =>
  steps.filter(isRejectedOutput).length === 1 && answersOf(steps) < maxSteps

const isRejectedOutput = (step: Step): boolean =>
  step.type === 'model' && step.record.rejected !== undefined && step.record.missingCall === undefined

async function answerOf(
  { record: { content, finish } }: ModelStep,
  steps: readonly Step[],
  structuredOutput: unknown,
): Promise<Answer> {
  if (finish === 'length')
    throw new RunFailure('output_truncated', "The model's answer was cut off at its limit")
  if (finish === 'content-filter') {
    throw new RunFailure('content_filtered', "The model's provider withheld the answer")
  }
  const output = textOf(content)
  if (output.trim() === '') throw new RunFailure('model_invalid_response', 'The model answered without text')
  return { output, structuredOutput, citations: await citationsOf(output, passagesOf(steps)) }
}
