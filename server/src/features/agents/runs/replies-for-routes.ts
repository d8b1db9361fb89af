/** How a run is answered: waited for, left to the background, or as a stream of its events. */
import { accepted, ok, type Reply, type Route, type RouteRequest } from '../../../http/route.ts'
import { presentRun, type RunRecord, runEtag } from '../records/run-present.ts'
import type { Run } from '../records/run-schemas.ts'
import { brokenAsSimulated } from './broken-stream-for-routes.ts'
import { followed } from './run-event-routes.ts'
import type { RunService } from './run-service.ts'
import type { Start } from './run-start.ts'

type Asked = Pick<RouteRequest<string, unknown, unknown, unknown>, 'caller' | 'patience' | 'wantsEvents'>

export const longestWaitSeconds = 60

/** A run that has ended is answered with 200, one that has not with 202 and the place to look again. */
export function answerOf(record: RunRecord): Reply<Run> {
  const run = presentRun(record)
  return record.row.finished_at === null
    ? accepted(run, `/runs/${run.id}`, runEtag(record))
    : ok(run, runEtag(record))
}

/** Starts a run and answers it as the client's `Prefer` and `Accept` ask for. */
export async function startAndAnswer(
  runs: RunService,
  asked: Asked,
  { agentId, wanted, repeated }: Start,
): Promise<Reply<Run>> {
  const { caller, wantsEvents } = asked
  if (!wantsEvents) {
    const patience = asked.patience(longestWaitSeconds)
    return answerOf(await runs.run(caller, agentId, wanted, patience, repeated))
  }
  const runId = await runs.begin(caller, agentId, wanted, repeated)
  const reply = await followed(runs, { caller, runId, lastEventId: null })
  return brokenAsSimulated(reply, caller, wanted.prompt)
}

/** For a client that lost the reply to a run that it started, and sends the same request again: that run as it is now. */
export const followedAgain =
  (runs: RunService): NonNullable<Route['followAgain']> =>
  async ({ caller, location, asEvents, lastEventId, patience }) => {
    const runId = location.split('/').at(-1) ?? ''
    if (asEvents) return await followed(runs, { caller, runId, lastEventId })
    return answerOf(await runs.get(caller, runId, patience(longestWaitSeconds)))
  }
