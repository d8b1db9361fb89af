/** Adds a step to a run, and tells its followers. */
import { presentStep, type Step } from '../records/steps.ts'
import type { Execution } from './execution.ts'

export function add(step: Step, { steps, events }: Pick<Execution, 'steps' | 'events'>): void {
  const stepIndex = steps.length
  steps.push(step)
  events.emit('step.finished', { stepIndex, step: presentStep(step) }, { stepIndex })
}
