/** Follows a run to its end, over breaks of the line that last longer than the SDK waits. */
import type { Atrium, Run, RunEvent } from '@atrium/sdk'
import { isUnreachable, reportFailure, untilReachable, untilWorthTrying } from '../../../api/connection.ts'

type Options = { signal: AbortSignal; onBreak: () => void }

export type Following = Options & {
  atrium: Atrium
  /** Begins the run; asked again, it follows the one that it has begun. Null if the run is known. */
  start: ((options: Options) => AsyncIterable<RunEvent>) | null
  runId: string | null
  lastEventId: string | null
  onEvent: (event: RunEvent) => void
}

/** About ten minutes of a server that is there and breaks the line all the same. */
const mostTries = 80
const longestPauseMs = 8_000

/** Resolves with the run if its events do not include its end; with null if they do, or if the caller has aborted. */
export async function followRun(following: Following): Promise<Run | null> {
  const { atrium, start, signal, onBreak, onEvent } = following
  let { runId, lastEventId } = following
  for (let tries = 0; ; tries++) {
    try {
      let type: RunEvent['type'] | null = null
      for await (const event of eventsOf({ ...following, start, runId, lastEventId })) {
        runId = event.runId
        lastEventId = event.id
        type = event.type
        tries = 0
        onEvent(event)
      }
      if (type !== null && type !== 'run.waiting') return null
      if (runId === null) return null
      // The run may have gone on since it told of its wait.
      const run = await atrium.runs.get(runId, { signal })
      if (type === null || run.status === 'waiting') return run
    } catch (error) {
      if (signal.aborted) return null
      if (!isUnreachable(error) || tries >= mostTries) throw error
      onBreak()
      reportFailure(error)
      await untilWorthTrying(Math.min(longestPauseMs, 500 * 2 ** tries), signal)
      await unlessAborted(untilReachable(), signal)
      if (signal.aborted) return null
    }
  }
}

function eventsOf({
  atrium,
  start,
  runId,
  lastEventId,
  signal,
  onBreak,
}: Following): AsyncIterable<RunEvent> {
  if (runId === null) {
    if (start === null) throw new Error('There is neither a run to begin nor one to follow')
    return start({ signal, onBreak })
  }
  const behind = lastEventId === null ? {} : { lastEventId }
  return atrium.runs.follow(runId, { signal, onBreak, ...behind })
}

/** A server that is away is waited for as long as it takes. */
function unlessAborted(waiting: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  const aborted = new Promise<void>(resolve => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  return Promise.race([waiting, aborted])
}
