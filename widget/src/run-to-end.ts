/** A run from its first event to its end: over broken connections, functions of the page, and waits for a person. */
import type { Atrium, Run, RunEvent } from '@atrium/sdk'
import { pause } from '@atrium/sdk/pause'

type Following = { signal: AbortSignal; onBreak: () => void; reconnectMs: number }

export type Question = {
  atrium: Atrium
  /** Starts the run, or follows one. */
  begin: (options: Following) => AsyncIterable<RunEvent>
  signal: AbortSignal
  onEvent: (event: RunEvent) => void
  onBreak: () => void
}

/** So long a server that cannot be reached is tried again. */
const reconnectMs = 600_000
/** So often a run that waits for a person is looked at. */
const waitingPauseMs = 5_000

/** Resolves with the run once it has ended. */
export async function runToEnd({ atrium, begin, signal, onEvent, onBreak }: Question): Promise<Run> {
  const options = { signal, onBreak, reconnectMs }
  let events = begin(options)
  for (;;) {
    let last: RunEvent | null = null
    for await (const event of events) {
      last = event
      onEvent(event)
    }
    if (last === null) throw new Error('The server told nothing of the run')
    if ('run' in last && last.type !== 'run.waiting') return last.run
    const { runId, id: lastEventId } = last
    for (;;) {
      await pause(waitingPauseMs, signal)
      const run = await atrium.runs.get(runId, { signal })
      if (run.finishedAt !== null) return run
      if (run.status !== 'waiting') break
    }
    events = atrium.runs.follow(runId, { ...options, lastEventId })
  }
}
