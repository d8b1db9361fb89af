/** Calls that a run demands of its model: the first answer must hold one, or it is asked for once more. */
import type { ModelStep } from '../records/steps.ts'
import { callsOf, isAnswering } from '../records/steps.ts'
import type { Execution } from './execution.ts'

/** A call of any tool, or of one tool; null once the model has called it, and where no call is demanded. */
export type DemandedCall = 'any' | { name: string } | null

export function demandedCall({ toolChoice, steps }: Pick<Execution, 'toolChoice' | 'steps'>): DemandedCall {
  if (toolChoice === 'auto' || toolChoice === 'none') return null
  const answers = steps.filter(isAnswering).filter(({ record }) => record.error === undefined)
  // A model that had to call a function in each answer would never come to an end.
  if (answers.some(({ record }) => record.missingCall === undefined)) return null
  return toolChoice === 'required' ? 'any' : { name: toolChoice.function }
}

/** The answer without the demanded call, to be asked for once more; null if the answer has the call. */
export function withoutDemandedCall(step: ModelStep, execution: Execution): ModelStep | null {
  const demanded = demandedCall(execution)
  const { finish, content } = step.record
  const isWhole = finish === 'stop' || finish === 'tool-calls'
  if (demanded === null || !isWhole) return null
  const calls = callsOf(step)
  const hasCall =
    demanded === 'any' ? calls.length > 0 : calls.some(({ toolName }) => toolName === demanded.name)
  if (hasCall) return null
  const missingCall = demanded === 'any' ? 'a tool' : `the tool ${demanded.name}`
  return {
    ...step,
    record: {
      ...step.record,
      content: content.filter(({ type }) => type !== 'tool-call'),
      rejected: `It holds no call of ${missingCall}`,
      missingCall,
    },
  }
}

/** A demanded call is asked for once more. */
export const mayDemandAgain = ({ steps }: Pick<Execution, 'steps'>): boolean =>
  steps.filter(step => step.type === 'model' && step.record.missingCall !== undefined).length === 1

export const demandPrompt = (missingCall: string): string =>
  `Your answer holds no call of ${missingCall}. Call ${missingCall} now, and write no other answer.`
