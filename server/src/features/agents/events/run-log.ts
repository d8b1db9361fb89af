/** The events of a run while a process works on it: numbered, sent to followers here, and held until stored. */
import type { Clock } from '../../../platform/clock.ts'
import type { RunEventType, TextEventType } from './run-event-schemas.ts'

/** An event as it is stored: the run's record holds the rest. */
export type StoredEvent = {
  position: number
  type: RunEventType
  data: Record<string, unknown>
  at: number
}

/** An event as it happens. For a piece of text, `from` is where the piece begins in the text at this position. */
export type LiveEvent = StoredEvent & { from?: number }

/** Each time that a process takes up a run, the positions go on from the next multiple of this. */
export const positionsPerTake = 100_000

/** The position of `run.queued`, before a worker has taken the run up. */
export const queuedPosition = 1

/** A position after all events that earlier takes may have sent but not stored; `last` is the last stored one. */
export const positionBehindTakes = (last: number): number =>
  (Math.floor(last / positionsPerTake) + 1) * positionsPerTake + queuedPosition + 1

export type RunLog = ReturnType<typeof createRunLog>

export function createRunLog(options: {
  /** How often the run was taken up before. */
  takes: number
  clock: Clock
  tell: (event: LiveEvent) => void
}) {
  const { takes, clock, tell } = options
  let position = takes * positionsPerTake + queuedPosition
  /** `stored` is null if the whole `data` is stored. */
  const pending: { event: LiveEvent; stored: Record<string, unknown> | null }[] = []
  let open: { event: LiveEvent; text: string } | null = null
  /** The first half of a character whose second half has not come yet. */
  let half = ''

  const close = (): void => {
    half = ''
    open = null
  }

  return {
    /** `stored` is the part of `data` to store; all of it unless given. */
    emit(type: RunEventType, data: Record<string, unknown>, stored?: Record<string, unknown>): void {
      close()
      const event = { position: ++position, type, data, at: clock() }
      pending.push({ event, stored: stored ?? null })
      tell(event)
    },
    /** A piece of a text. The pieces of one text are stored as one event. */
    write(type: TextEventType, stepIndex: number, piece: string): void {
      // Followers get the text as it is stored: no database takes half a character, and some do not take NUL.
      const joined = (half + piece).replaceAll('\0', '')
      half = /[\ud800-\udbff]$/.exec(joined)?.[0] ?? ''
      const text = joined.slice(0, joined.length - half.length).toWellFormed()
      if (text === '') return
      if (open === null || open.event.type !== type || open.event.data.stepIndex !== stepIndex) {
        const event = { position: ++position, type, data: { stepIndex, text: '' }, at: clock(), from: 0 }
        open = { event, text: '' }
        pending.push({ event, stored: null })
      }
      const from = open.text.length
      open.text += text
      open.event.data = { stepIndex, text: open.text }
      tell({ ...open.event, data: { stepIndex, text }, from })
    },
    /** The position of an event that is stored without being sent here. */
    nextPosition: () => ++position,
    /** The events to store. A text that is still being written continues in a new event. */
    unstored(): StoredEvent[] {
      const unfinished = half
      close()
      half = unfinished
      return pending.map(({ event: { position, type, data, at }, stored }) => ({
        position,
        type,
        at,
        data: stored ?? data,
      }))
    },
    /** Drops the first events, which have been stored. */
    forget: (count: number): void => void pending.splice(0, count),
    /** The events that are not stored, including an unfinished text. */
    snapshot: (): readonly LiveEvent[] => pending.map(({ event }) => event),
  }
}

/** Gets each event from now on; `over` is called once, when the process is done with the run. */
export type Listener = { tell(event: LiveEvent): void; over(): void }

export type LiveRuns = ReturnType<typeof createLiveRuns>

/** The runs that this process works on, for followers in this process. */
export function createLiveRuns() {
  const runs = new Map<string, { log: RunLog; listeners: Set<Listener> }>()
  return {
    /** `makeLog` gets the function that tells the listeners. */
    open(runId: string, makeLog: (tell: (event: LiveEvent) => void) => RunLog): RunLog {
      const listeners = new Set<Listener>()
      const log = makeLog(event => {
        for (const listener of listeners) listener.tell(event)
      })
      runs.set(runId, { log, listeners })
      return log
    },
    /** Call this once all events of the run are stored, or once the run is given back. */
    close(runId: string): void {
      const run = runs.get(runId)
      runs.delete(runId)
      for (const listener of run?.listeners ?? []) listener.over()
    },
    /** Returns the events that are not stored yet; null if this process does not work on the run. */
    attach(runId: string, listener: Listener): readonly LiveEvent[] | null {
      const run = runs.get(runId)
      if (run === undefined) return null
      run.listeners.add(listener)
      return [...run.log.snapshot()]
    },
    detach: (runId: string, listener: Listener): void => void runs.get(runId)?.listeners.delete(listener),
  }
}
