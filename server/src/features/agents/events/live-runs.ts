/** The runs that this process works on, for those who follow them here. */
import type { LiveEvent, RunLog } from './run-log.ts'

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
