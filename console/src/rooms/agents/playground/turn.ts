/** One prompt and what is known of its run: put together from the run's events, or from its record. */
import type { Run, RunEvent } from '@atrium/sdk'

export type RunStep = Run['steps'][number]

/** A step that may still be in progress. */
export type TurnStep = {
  index: number
  type: RunStep['type']
  name: string
  input: unknown
  /** What the model has written and thought so far. */
  text: string
  reasoning: string
  /** As it is on the run's record; null while it goes on. */
  record: RunStep | null
}

export type Phase = 'sending' | 'queued' | 'running' | 'waiting' | 'ended'

export type Turn = {
  key: string
  prompt: string
  runId: string | null
  /** Behind this event the story goes on after a break. */
  lastEventId: string | null
  phase: Phase
  steps: readonly TurnStep[]
  /** The run as it was last told whole: when it waits, and when it has ended. */
  run: Run | null
  /** The line to the server is broken, and is being taken up again. */
  isBroken: boolean
  /** Why it cannot be followed any further; null if nothing is wrong. */
  fault: unknown
}

export const newTurn = (key: string, prompt: string): Turn => ({
  key,
  prompt,
  runId: null,
  lastEventId: null,
  phase: 'sending',
  steps: [],
  run: null,
  isBroken: false,
  fault: null,
})

/** Of a run that was begun before, here or elsewhere. */
export function turnOf(run: Run): Turn {
  const turn = { ...newTurn(run.id, run.prompt), runId: run.id }
  const isOver = run.finishedAt !== null
  if (!isOver && run.status !== 'waiting') return { ...turn, phase: 'running' }
  return { ...turn, run, phase: isOver ? 'ended' : 'waiting', steps: run.steps.map(stepOf) }
}

export function withEvent(turn: Turn, event: RunEvent): Turn {
  const heard = { ...turn, runId: event.runId, lastEventId: event.id, isBroken: false, fault: null }
  switch (event.type) {
    case 'run.queued':
      return { ...heard, phase: 'queued' }
    case 'run.started':
      return { ...heard, phase: 'running' }
    case 'step.started':
      return { ...heard, phase: 'running', steps: withStep(turn.steps, begun(event)) }
    case 'step.restarted':
      return changed(heard, event, step => ({ ...step, text: '', reasoning: '', record: null }))
    case 'text.delta':
      return changed(heard, event, step => ({ ...step, text: step.text + event.text }))
    case 'reasoning.delta':
      return changed(heard, event, step => ({ ...step, reasoning: step.reasoning + event.text }))
    case 'step.finished':
      return changed(heard, event, step => ({ ...step, record: event.step ?? null }))
    case 'run.waiting':
      return { ...heard, phase: 'waiting', run: event.run }
    case 'run.succeeded':
    case 'run.failed':
    case 'run.cancelled':
      return { ...heard, phase: 'ended', run: event.run }
    // Later servers may tell of more.
    default:
      return heard
  }
}

/** The run as it was read, where its events say nothing more. */
export function settled(turn: Turn, run: Run): Turn {
  const { phase, steps } = turnOf(run)
  const kept = turn.steps.length === 0 ? steps : turn.steps
  return { ...turn, runId: run.id, run, phase, steps: kept, isBroken: false }
}

/** What is being written as the answer: the words of the last step, if it is the model's. */
export function writtenSoFar({ steps }: Turn): string {
  const last = steps.at(-1)
  return last?.type === 'model' ? last.text : ''
}

const begun = ({
  stepIndex,
  stepType,
  name,
  input,
}: Extract<StepEvent, { type: 'step.started' }>): TurnStep => ({
  index: stepIndex,
  type: stepType,
  name,
  input,
  text: '',
  reasoning: '',
  record: null,
})

export const stepOf = (record: RunStep, index: number): TurnStep => ({
  index,
  type: record.type,
  name: record.name,
  input: record.input,
  text: '',
  reasoning: '',
  record,
})

/** Calls of tools go on at the same time, so steps may begin and end in any order. */
const withStep = (steps: readonly TurnStep[], step: TurnStep): TurnStep[] =>
  [...steps.filter(({ index }) => index !== step.index), step].toSorted(
    (one, other) => one.index - other.index,
  )

type StepEvent = Extract<RunEvent, { stepIndex: number }>

function changed(turn: Turn, event: StepEvent, change: (step: TurnStep) => TurnStep): Turn {
  const isTold = turn.steps.some(({ index }) => index === event.stepIndex)
  // A step whose beginning was never told, such as the one that stands for attachments, begins with its record.
  const record = event.type === 'step.finished' ? event.step : undefined
  const steps =
    isTold || record === undefined ? turn.steps : withStep(turn.steps, stepOf(record, event.stepIndex))
  return { ...turn, steps: steps.map(step => (step.index === event.stepIndex ? change(step) : step)) }
}
