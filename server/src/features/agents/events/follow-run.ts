/** Follows a run from any of its events to its end, even if another process works on the run. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Scope } from '../../../platform/caller.ts'
import { toTimestamp } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { found } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { isOfAnother } from '../records/ownership.ts'
import { presentRun, recordOf } from '../records/run-records.ts'
import { findRun, findRunState, type RunRow, stepsOf } from '../records/run-store.ts'
import { stepForPage } from '../records/shown-to-pages.ts'
import { fromRow, presentStep, type Step } from '../records/steps.ts'
import {
  type Cursor,
  endEventTypes,
  formatEventId,
  type RunEvent,
  type RunEventType,
  textEventTypes,
} from './run-event-schemas.ts'
import { lastEventPosition, readRunEvents } from './run-events-store.ts'
import type { Listener, LiveEvent, LiveRuns, StoredEvent } from './run-log.ts'
import type { RunWatch, WatchedRuns } from './watched-runs.ts'

export type FollowedEvent = { id: string; data: RunEvent }

type Dependencies = Pick<Platform, 'database' | 'log'> & {
  live: LiveRuns
  watched: WatchedRuns
  /** How often to check that another person's run is still shared with its reader. */
  callerCheckMs: number
}

const rowsAtOnce = 200

/**
 * The events after `after` until the run has ended, or waits for an approval or a result. Also ends once the signal
 * is aborted or the run is no longer shared with the reader. Throws `not_found`.
 */
export async function* followRun(
  dependencies: Dependencies,
  scope: Scope,
  runId: string,
  after: Cursor,
  signal: AbortSignal,
): AsyncGenerator<FollowedEvent> {
  const { database, log, callerCheckMs } = dependencies
  const run = await find(database, scope, runId)
  if (scope.endUser !== undefined) {
    for await (const event of followReadable(dependencies, scope, runId, after, signal)) {
      const shown = eventForPage(event)
      if (shown !== null) yield shown
    }
    return
  }
  if (!isOfAnother(scope, run)) return yield* followReadable(dependencies, scope, runId, after, signal)
  const unshared = new AbortController()
  const look = async (): Promise<void> => {
    if ((await findRunState(scope, database.read, runId)) === undefined) unshared.abort()
  }
  const timer = setInterval(() => {
    look().catch(error => log.warn('Whether a run is still shared could not be asked', { runId, error }))
  }, callerCheckMs)
  timer.unref()
  try {
    const until = AbortSignal.any([signal, unshared.signal])
    yield* followReadable(dependencies, scope, runId, after, until)
  } finally {
    clearInterval(timer)
  }
}

async function* followReadable(
  { database, live, watched }: Dependencies,
  scope: Scope,
  runId: string,
  after: Cursor,
  signal: AbortSignal,
): AsyncGenerator<FollowedEvent> {
  const cursor = { ...after }
  let watch: RunWatch | null = null
  try {
    while (!signal.aborted) {
      const queue = createQueue(signal)
      const happening = live.attach(runId, queue.listener)
      try {
        const run = await find(database, scope, runId)
        for await (const event of storedEvents(database, scope, runId, cursor)) {
          const shown = advance(cursor, event, runId)
          if (shown === null) continue
          yield shown
          if (isEnd(event.type)) return
          // If the run has gone on since it waited, it is followed further. It may be waiting again by now.
          if (event.type !== 'run.waiting') continue
          const { status } = await find(database, scope, runId)
          if (status !== 'waiting') continue
          if (event.position >= (await lastEventPosition(database.read, runId))) return
        }
        if (happening === null) {
          if (run.finished_at !== null) return yield* endWithoutEvents(database, scope, runId, cursor)
          // Another process works on the run, or no process does yet.
          watch ??= watched.watch(runId)
          await watch.changed({ signal })
          continue
        }
        watch?.end()
        watch = null
        for (const event of happening) {
          const shown = advance(cursor, event, runId)
          if (shown !== null) yield shown
        }
        for await (const event of queue.events()) {
          const shown = advance(cursor, event, runId)
          if (shown !== null) yield shown
        }
      } finally {
        live.detach(runId, queue.listener)
      }
    }
  } finally {
    watch?.end()
  }
}

/** Shows what `runForPage` shows of the whole run. The end user does not see what a model thinks. */
function eventForPage({ id, data }: FollowedEvent): FollowedEvent | null {
  const { type, runId, at, behind, stepIndex, stepType, name, toolCallId, text, step, run } = data
  if (type === 'reasoning.delta') return null
  const shownStep = step === undefined ? undefined : stepForPage(step)
  const about = { type, runId, at, behind, stepIndex, stepType, name, toolCallId, text, step: shownStep, run }
  return { id, data: withoutUndefined<RunEvent>(about) }
}

/** Whether the run has ended and has no event after the cursor. Throws `not_found`. */
export async function isRunOver(
  { database }: Pick<Dependencies, 'database'>,
  scope: Scope,
  runId: string,
  after: Cursor,
): Promise<boolean> {
  const run = await find(database, scope, runId)
  if (run.finished_at === null || after.position === 0) return false
  return after.position >= (await lastEventPosition(database.read, runId))
}

async function find({ read }: Database, scope: Scope, runId: string): Promise<RunRow> {
  const run = found(await findRun(scope, read, runId))
  return run
}

const isEnd = (type: RunEventType): boolean => endEventTypes.some(end => end === type)
const isText = (type: RunEventType): boolean => textEventTypes.some(text => text === type)

/** The stored events from the cursor on. The steps and runs that they refer to are read from the record. */
async function* storedEvents(
  database: Database,
  scope: Scope,
  runId: string,
  after: Cursor,
): AsyncGenerator<StoredEvent> {
  let steps: Step[] | null = null
  const stepAt = async (index: number): Promise<Step | undefined> => {
    if (steps?.[index] === undefined) steps = (await stepsOf(database.read, [runId])).map(fromRow)
    return steps[index]
  }
  for (let from = after.position; ; ) {
    const events = await readRunEvents(database.read, runId, from, rowsAtOnce)
    for (const event of events) yield { ...event, data: await complete(event) }
    const last = events.at(-1)
    if (last === undefined || events.length < rowsAtOnce) return
    from = last.position + 1
  }

  async function complete({ type, data }: StoredEvent): Promise<Record<string, unknown>> {
    if (type === 'step.finished') {
      const step = await stepAt(Number(data.stepIndex))
      return step === undefined ? data : { ...data, step: presentStep(step) }
    }
    if (!isEnd(type) && type !== 'run.waiting') return data
    const row = await find(database, scope, runId)
    return { run: presentRun(await recordOf(database.read, row), scope) }
  }
}

/** Versions before run events stored none: followers of those runs get only the end. */
async function* endWithoutEvents(
  database: Database,
  scope: Scope,
  runId: string,
  cursor: Cursor,
): AsyncGenerator<FollowedEvent> {
  if (cursor.position > 0 || (await lastEventPosition(database.read, runId)) > 0) return
  const row = await find(database, scope, runId)
  const run = presentRun(await recordOf(database.read, row), scope)
  const type = endEventTypes.find(end => end === `run.${row.status}`)
  if (type !== undefined) yield { id: '1', data: { type, runId, at: toTimestamp(row.finished_at ?? 0), run } }
}

/** The part of the event after the cursor; moves the cursor past it. Null if the follower has seen it all. */
function advance(cursor: Cursor, event: LiveEvent, runId: string): FollowedEvent | null {
  const { position, type, data, at, from = 0 } = event
  if (position < cursor.position) return null
  const seen = position === cursor.position ? cursor.offset : 0
  const about = { type, runId, at: toTimestamp(at) }
  if (!isText(type)) {
    if (position === cursor.position) return null
    Object.assign(cursor, { position, offset: Number.MAX_SAFE_INTEGER })
    return { id: formatEventId(cursor, false), data: { ...about, ...data } }
  }
  const text = String(data.text)
  if (from + text.length <= seen) return null
  Object.assign(cursor, { position, offset: from + text.length })
  return {
    id: formatEventId(cursor, true),
    data: { ...about, ...data, text: text.slice(Math.max(0, seen - from)) },
  }
}

/** A follower that falls further behind continues from the stored events. */
const mostQueued = 10_000

/** A listener, and the events that it gets, to be taken one by one. */
function createQueue(signal: AbortSignal) {
  let waiting: LiveEvent[] = []
  let isOver = false
  let wake: () => void = () => undefined
  const end = (): void => {
    isOver = true
    wake()
  }
  const listener: Listener = {
    tell(event) {
      if (waiting.length === mostQueued) return end()
      waiting.push(event)
      wake()
    },
    over: end,
  }
  async function* events(): AsyncGenerator<LiveEvent> {
    signal.addEventListener('abort', end, { once: true })
    // The signal may have been aborted while the stored events were read, and it says so only once.
    if (signal.aborted) end()
    try {
      for (;;) {
        const taken = waiting
        waiting = []
        yield* taken
        if (waiting.length > 0) continue
        if (isOver) return
        await new Promise<void>(resolve => {
          wake = resolve
        })
      }
    } finally {
      signal.removeEventListener('abort', end)
    }
  }
  return { listener, events }
}
