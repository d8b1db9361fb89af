/** The events of a run while a process works on it: numbered, told to those who follow here, and kept until they are stored. */
import type { Clock } from '../../../platform/clock.ts'
import type { RunEventType, TextEventType } from './run-event-schemas.ts'

/** What is kept of an event: the record holds the rest. */
export type StoredEvent = {
  position: number
  type: RunEventType
  data: Record<string, unknown>
  at: number
}

/** An event as it happens; of a text, `from` is where in the text at this position the piece begins. */
export type LiveEvent = StoredEvent & { from?: number }

/** Each time that a process takes a run up, it counts on from the next multiple. */
export const positionsPerTake = 100_000

/** Of `run.queued`, before anybody has taken the run up. */
export const queuedPosition = 1

/** Behind all that those who took the run up so far may have told without storing it; `last` is stored. */
export const positionBehindTakes = (last: number): number =>
  (Math.floor(last / positionsPerTake) + 1) * positionsPerTake + queuedPosition + 1

export type RunLog = {
  /** `stored` is what is kept of it where that is less than what is told. */
  emit(type: RunEventType, data: Record<string, unknown>, stored?: Record<string, unknown>): void
  /** A piece of a text; the pieces of one text are stored as one. */
  write(type: TextEventType, stepIndex: number, piece: string): void
  /** The position of an event that is stored without having been told here. */
  nextPosition(): number
  /** What is to be stored; a text that goes on does so in an event of its own. */
  unstored(): StoredEvent[]
  /** So many of them, from the first, have been. */
  forget(count: number): void
  /** All that has happened and is not stored, an unfinished text included. */
  snapshot(): readonly LiveEvent[]
}

export function createRunLog(options: {
  /** How often the run was taken up before. */
  takes: number
  clock: Clock
  tell: (event: LiveEvent) => void
}): RunLog {
  const { takes, clock, tell } = options
  let position = takes * positionsPerTake + queuedPosition
  /** `stored` is null where all of the event is stored. */
  const kept: { event: LiveEvent; stored: Record<string, unknown> | null }[] = []
  let open: { event: LiveEvent; text: string } | null = null
  /** The first half of a character whose second half has not come yet. */
  let half = ''

  const close = (): void => {
    half = ''
    open = null
  }

  return {
    emit(type, data, stored) {
      close()
      const event = { position: ++position, type, data, at: clock() }
      kept.push({ event, stored: stored ?? null })
      tell(event)
    },
    write(type, stepIndex, piece) {
      // As the record will have it: NUL cannot be stored on every database, and half a character nowhere.
      const joined = (half + piece).replaceAll('\0', '')
      half = /[\ud800-\udbff]$/.exec(joined)?.[0] ?? ''
      const text = joined.slice(0, joined.length - half.length).toWellFormed()
      if (text === '') return
      if (open === null || open.event.type !== type || open.event.data.stepIndex !== stepIndex) {
        const event = { position: ++position, type, data: { stepIndex, text: '' }, at: clock(), from: 0 }
        open = { event, text: '' }
        kept.push({ event, stored: null })
      }
      const from = open.text.length
      open.text += text
      open.event.data = { stepIndex, text: open.text }
      tell({ ...open.event, data: { stepIndex, text }, from })
    },
    nextPosition: () => ++position,
    unstored() {
      const pending = half
      close()
      half = pending
      return kept.map(({ event: { position, type, data, at }, stored }) => ({
        position,
        type,
        at,
        data: stored ?? data,
      }))
    },
    forget: count => void kept.splice(0, count),
    snapshot: () => kept.map(({ event }) => event),
  }
}

/** Gets what happens from now on; `over` is called once, when the process has done with the run. */
export type Listener = { tell(event: LiveEvent): void; over(): void }

export type LiveRuns = {
  /** `makeLog` is given whom to tell. */
  open(runId: string, makeLog: (tell: (event: LiveEvent) => void) => RunLog): RunLog
  /** Once all of its events are stored, or the run is given back. */
  close(runId: string): void
  /** What has happened and is not stored yet; null where the run is not here. */
  attach(runId: string, listener: Listener): readonly LiveEvent[] | null
  detach(runId: string, listener: Listener): void
}

export function createLiveRuns(): LiveRuns {
  const runs = new Map<string, { log: RunLog; listeners: Set<Listener> }>()
  return {
    open(runId, makeLog) {
      const listeners = new Set<Listener>()
      const log = makeLog(event => {
        for (const listener of listeners) listener.tell(event)
      })
      runs.set(runId, { log, listeners })
      return log
    },
    close(runId) {
      const run = runs.get(runId)
      runs.delete(runId)
      for (const listener of run?.listeners ?? []) listener.over()
    },
    attach(runId, listener) {
      const run = runs.get(runId)
      if (run === undefined) return null
      run.listeners.add(listener)
      return [...run.log.snapshot()]
    },
    detach: (runId, listener) => void runs.get(runId)?.listeners.delete(listener),
  }
}
