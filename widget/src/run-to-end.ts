/** A run from its first event to its end: over broken connections, functions of the page, and waits for a person. */
import { type Atrium, mayPass, type Run, type RunEvent, type RunFunction } from '@atrium/sdk'
import { pause } from '@atrium/sdk/pause'
import { isSameWait } from '@atrium/sdk/records'

type Following = { signal: AbortSignal; onBreak: () => void; reconnectMs: number; tools: Functions }
type Functions = Readonly<Record<string, RunFunction>>

export type Question = {
  atrium: Atrium
  /** Starts the run, or follows one. */
  begin: (options: Following) => AsyncIterable<RunEvent>
  /** Of the page. */
  tools: Functions
  signal: AbortSignal
  /** An event that a break has hidden comes once more. */
  onEvent: (event: RunEvent) => void
  onBreak: () => void
}

/** So long a server that cannot be reached is tried again. */
const reconnectMs = 600_000
/** So often a run that waits for a person is looked at. */
const waitingPauseMs = 5_000

/** Resolves with the run once it has ended. */
export async function runToEnd(question: Question): Promise<Run> {
  const { atrium, begin, tools, signal, onEvent, onBreak } = question
  const options = { signal, onBreak, reconnectMs, tools }
  let events = begin(options)
  for (;;) {
    let last: RunEvent | null = null
    for await (const event of events) {
      last = event
      onEvent(event)
    }
    if (last === null) throw new Error('The server told nothing of the run')
    if ('run' in last && last.type !== 'run.waiting') return last.run
    const run = await waitForChange(question, last)
    if (run.finishedAt !== null) return run
    events = atrium.runs.follow(run.id, { ...options, lastEventId: last.id })
  }
}

/** Resolves with the run once it does not wait as it did at the event; a person may take days for that. */
async function waitForChange({ atrium, signal, onEvent, onBreak }: Question, last: RunEvent): Promise<Run> {
  for (let isBroken = false; ; ) {
    await pause(waitingPauseMs, signal)
    try {
      const run = await atrium.runs.get(last.runId, { signal })
      if (!('run' in last && isSameWait(last.run, run))) return run
      if (isBroken) onEvent(last)
      isBroken = false
    } catch (error) {
      if (!mayPass(error)) throw error
      isBroken = true
      onBreak()
    }
  }
}
