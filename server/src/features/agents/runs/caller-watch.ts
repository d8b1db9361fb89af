/** Makes sure that a run acts for its author only as long as the author may. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { type Caller, isViewer, narrowingOf } from '../../../platform/caller.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { Log } from '../../../platform/log.ts'
import type { Tool } from '../../../platform/tool.ts'
import { findAgentOfRun } from '../definitions/agent-store.ts'
import { asRunner } from '../records/ownership.ts'
import type { CurrentCaller } from '../records/run-callers.ts'
import { RunFailure } from '../records/run-errors.ts'
import { findRunState, type RunRow } from '../records/run-store.ts'

export type CallerWatch = {
  /** The author as last looked up. */
  caller(): Caller
  /** Aborted with `RunFailure` once the author may no longer do this. */
  signal: AbortSignal
  stop(): void
}

/** Looks the author up at once, unless `isFresh`: the author has just been let in. */
export async function watchCaller(
  { database, currentCaller, log }: { database: Database; currentCaller: CurrentCaller; log: Log },
  options: {
    run: Pick<RunRow, 'id' | 'agent_id' | 'narrowing'>
    stored: Caller
    tools: readonly Tool[]
    isFresh: boolean
    /** How often the author is looked up again. */
    everyMs: number
  },
): Promise<CallerWatch> {
  const { run, stored, tools, isFresh, everyMs } = options
  const lost = new AbortController()
  let caller = stored

  const look = async (): Promise<void> => {
    const now = await currentRunner()
    const fault = faultOf(now, run, tools, stored.kind) ?? (await faultOfWithheld(now))
    if (fault !== null) lost.abort(new RunFailure('access_revoked', fault))
    else if (now !== null) {
      const { requestId, address, hops } = stored
      caller = withoutUndefined({ ...now, requestId, address, hops })
    }
  }
  async function currentRunner(): Promise<Caller | null> {
    const now = await currentCaller(stored)
    if (now === null || !isViewer(now)) return now
    const agent = await findAgentOfRun(database.read, run)
    return agent === undefined ? now : asRunner(now, agent)
  }
  async function faultOfWithheld(now: Caller | null): Promise<string | null> {
    if (now?.scope.withheld === undefined) return null
    if ((await findRunState(now.scope, database.read, run.id)) !== undefined) return null
    return 'What the run was shown is kept to teams that its author is in none of'
  }
  // Other members may have used withheld sources in the conversation while the run waited for its turn.
  if (!isFresh || stored.scope.withheld !== undefined) await look()
  const timer = setInterval(() => {
    look().catch(error => log.warn("A run's author could not be looked up", { runId: run.id, error }))
  }, everyMs)
  timer.unref()
  return { caller: () => caller, signal: lost.signal, stop: () => clearInterval(timer) }
}

/** What the author may no longer do; null if nothing has changed. */
function faultOf(
  caller: Caller | null,
  run: Pick<RunRow, 'agent_id' | 'narrowing'>,
  tools: readonly Tool[],
  kind: Caller['kind'],
): string | null {
  if (caller === null) return gone(kind)
  const needed = ['agents:run' as const, ...tools.map(({ permission }) => permission)]
  const missing = needed.find(permission => !caller.permissions.has(permission))
  if (missing !== undefined) {
    return `The ${kind === 'person' ? 'person' : 'key'} that began the run has lost the permission ${missing}`
  }
  const { agentIds, withheld } = caller.scope
  if (withheld?.agentIds.includes(run.agent_id) === true) {
    return 'The agent is kept to teams that the author of the run is in none of'
  }
  const reachesAgent = agentIds === undefined || agentIds.includes(run.agent_id)
  if (!reachesAgent || narrowingOf(caller.scope) !== run.narrowing) {
    return 'The key that began the run has been narrowed to other agents or collections'
  }
  return null
}

const gone = (kind: Caller['kind']): string =>
  kind === 'person'
    ? 'The person who began the run is no member of the workspace any more, or the workspace is deleted'
    : 'The key that began the run has been revoked or has expired'
