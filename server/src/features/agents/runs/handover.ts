/** Runs that this process has just written and is about to take up: neither they nor their agent's content are read again. */
import type { AgentContent } from '../definitions/agent-fields.ts'
import type { RunRow } from '../records/run-store.ts'

/** A run as it was written, with what it works with. */
export type BegunRun = { run: RunRow; content: AgentContent }

export type Handover = {
  give(begun: BegunRun): void
  /** Null for a run that was not begun here, or has been taken. */
  take(runId: string): BegunRun | null
}

export function createHandover(): Handover {
  const runs = new Map<string, BegunRun>()
  return {
    give: begun => void runs.set(begun.run.id, begun),
    take(runId) {
      const begun = runs.get(runId) ?? null
      runs.delete(runId)
      return begun
    },
  }
}
