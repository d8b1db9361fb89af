/** What the events of a run come to when they are put together, whether a client heard them or the server kept them. */
import type { RunEvent } from '../../features/agents/events/run-event-schemas.ts'

export type StreamedEvent = { id: string; data: Pick<RunEvent, 'type' | 'stepIndex' | 'text' | 'run'> }

export type StreamedRun = {
  /** The text of each step, and whether it was said to be finished. */
  steps: { text: string; isFinished: boolean }[]
  /** The last event, if the run ends with it. */
  end: string | null
  /** What cannot be: a place that goes back, something behind the end, a step that ends twice. */
  faults: string[]
}

/** From the run's first event on. */
export function putTogether(events: readonly StreamedEvent[]): StreamedRun {
  const told: StreamedRun = { steps: [], end: null, faults: [] }
  let last: readonly [number, number] = [0, 0]
  for (const { id, data } of events) {
    const place = placeOf(id)
    if (!isBehind(place, last)) told.faults.push(`${id} comes behind ${last.join('-')}`)
    if (told.end !== null) told.faults.push(`${data.type} comes behind ${told.end}`)
    last = place
    take(told, data)
  }
  return told
}

function take(told: StreamedRun, { type, stepIndex = 0, text = '' }: StreamedEvent['data']): void {
  const { steps, faults } = told
  switch (type) {
    case 'step.restarted':
      // All from there on is void.
      steps.splice(stepIndex)
      return
    case 'step.started':
      if (steps[stepIndex] !== undefined && steps[stepIndex].text !== '')
        faults.push(`step ${stepIndex} starts twice`)
      while (steps.length <= stepIndex) steps.push({ text: '', isFinished: false })
      return
    case 'text.delta': {
      const step = steps[stepIndex]
      if (step === undefined || step.isFinished)
        faults.push(`a text of step ${stepIndex}, which is not in progress`)
      else step.text += text
      return
    }
    case 'step.finished': {
      const step = steps[stepIndex]
      if (step === undefined || step.isFinished) faults.push(`step ${stepIndex} ends, and is not in progress`)
      else step.isFinished = true
      return
    }
    case 'run.succeeded':
    case 'run.failed':
    case 'run.cancelled':
      told.end = type
      return
    default:
  }
}

function placeOf(id: string): readonly [number, number] {
  const [position, offset = '0'] = id.split('-')
  return [Number(position), Number(offset)]
}

const isBehind = ([position, offset]: readonly [number, number], last: readonly [number, number]): boolean =>
  position > last[0] || (position === last[0] && offset > last[1])
