/** Sees to it that a run acts for its author only as long as the author may. */
import { type Caller, narrowingOf } from '../../../platform/caller.ts'
import { secondMs } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { Tool } from '../../../platform/tool.ts'
import type { CurrentCaller } from './run-callers.ts'
import { RunFailure } from './run-errors.ts'
import type { RunRow } from './run-store.ts'

export type CallerWatch = {
  /** The author as it was last looked up. */
  caller(): Caller
  /** Aborted with `RunFailure` once the author may not do this any more. */
  signal: AbortSignal
  stop(): void
}

/** Twice in the ten seconds within which a revocation takes effect. */
const lookEveryMs = 4 * secondMs

/** Looks at once unless `isFresh`: the author has just been let in. */
export async function watchCaller(options: {
  run: Pick<RunRow, 'id' | 'agent_id' | 'narrowing'>
  stored: Caller
  tools: readonly Tool[]
  currentCaller: CurrentCaller
  isFresh: boolean
  log: Log
}): Promise<CallerWatch> {
  const { run, stored, tools, currentCaller, isFresh, log } = options
  const lost = new AbortController()
  let caller = stored

  const look = async (): Promise<void> => {
    const now = await currentCaller(stored)
    const fault = faultOf(now, run, tools)
    if (fault !== null) lost.abort(new RunFailure('access_revoked', fault))
    else if (now !== null) caller = { ...now, requestId: stored.requestId, address: stored.address }
  }
  if (!isFresh) await look()
  const timer = setInterval(() => {
    look().catch(error => log.warn("A run's author could not be looked up", { runId: run.id, error }))
  }, lookEveryMs)
  timer.unref()
  return { caller: () => caller, signal: lost.signal, stop: () => clearInterval(timer) }
}

/** What it is that the author may not do any more; null where there is nothing. */
function faultOf(
  caller: Caller | null,
  run: Pick<RunRow, 'agent_id' | 'narrowing'>,
  tools: readonly Tool[],
): string | null {
  if (caller === null) return 'The key that began the run has been revoked or has expired'
  const needed = ['agents:run' as const, ...tools.map(({ permission }) => permission)]
  const missing = needed.find(permission => !caller.permissions.has(permission))
  if (missing !== undefined) return `The key that began the run has lost the permission ${missing}`
  const { agentIds } = caller.scope
  const reachesAgent = agentIds === undefined || agentIds.includes(run.agent_id)
  if (!reachesAgent || narrowingOf(caller.scope) !== run.narrowing) {
    return 'The key that began the run has been narrowed to other agents or collections'
  }
  return null
}
