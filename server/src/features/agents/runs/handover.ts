/** Runs whose row this process has just written and is about to take up: it need not read them again. */
import type { RunRow } from './run-store.ts'

export type Handover = {
  give(run: RunRow): void
  /** Null for a run that was not begun here, or has been taken. */
  take(runId: string): RunRow | null
}

export function createHandover(): Handover {
  const runs = new Map<string, RunRow>()
  return {
    give: run => void runs.set(run.id, run),
    take(runId) {
      const run = runs.get(runId) ?? null
      runs.delete(runId)
      return run
    },
  }
}
