/** A question from its first event to its end: over broken connections, functions of the page, and waits for a person. */
import type { Atrium, Run, RunEvent, RunRequest } from '@atrium/sdk'
import { pause } from '@atrium/sdk/pause'

export type Question = {
  atrium: Atrium
  agentId: string
  request: RunRequest
  signal: AbortSignal
  onEvent: (event: RunEvent) => void
  onBreak: () => void
}

/** So long a server that cannot be reached is tried again. */
const reconnectMs = 600_000
/** So often a run that waits for a person is looked at. */
const waitingPauseMs = 5_000

/** Resolves with the run once it has ended. */
export async function runToEnd({
  atrium,
  agentId,
  request,
  signal,
  onEvent,
  onBreak,
}: Question): Promise<Run> {
  const options = { signal, onBreak, reconnectMs }
  let events: AsyncIterable<RunEvent> = atrium.agents.stream(agentId, request, options)
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
