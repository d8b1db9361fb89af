/** A run as a stream of events: from its start, or from anywhere in it. */

import { defineRoute, events, noContent, type Reply, type Route } from '../../../http/route.ts'
import type { Caller } from '../../../platform/caller.ts'
import { invalidField } from '../../../platform/errors.ts'
import { Type } from '../../../platform/json-schema/type.ts'
import { beginning, parseEventId, RunEvent, runEventExample } from '../events/run-event-schemas.ts'
import type { RunService } from './run-service.ts'

/** The events of a run behind the client's last one; 204 where there is nothing behind it, which ends a browser's reconnecting. */
export async function followed(
  runs: RunService,
  { caller, runId, lastEventId }: { caller: Caller; runId: string; lastEventId: string | null },
): Promise<Reply<never>> {
  const after = lastEventId === null ? beginning : parseEventId(lastEventId)
  if (after === null) {
    throw invalidField('Last-Event-ID', 'must be the id of an event of this run, as the stream gave it')
  }
  if (await runs.isOver(caller, runId, after)) return noContent()
  const follow = async function* (signal: AbortSignal) {
    for await (const { id, data } of runs.follow(caller, runId, after, signal)) {
      yield { id, event: data.type, data }
    }
  }
  return events(follow, { location: `/api/v1/runs/${runId}` })
}

export const runEventRoutes = (runs: RunService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/runs/:id/events',
    operationId: 'streamRun',
    tag: 'agents',
    summary: 'Follow a run',
    description:
      'The run as server-sent events, from its beginning, also of a run that has ended; after a break, `Last-Event-ID` goes on right behind the last event that arrived, in the middle of an answer too, and after a restart of the server. The stream ends with `run.succeeded`, `run.failed` or `run.cancelled`, which hold the whole run, or with `run.waiting`. 204 means that nothing follows any more.',
    permission: 'agents:read',
    headers: Type.Object({
      'Last-Event-ID': Type.Optional(
        Type.String({ maxLength: 100, description: 'The `id` of the last event that arrived.' }),
      ),
    }),
    answersEvents: 'always',
    events: RunEvent,
    eventsExample: runEventExample,
    success: [200, 204],
    errors: [],
    handle: ({ caller, params, lastEventId }) => followed(runs, { caller, runId: params.id, lastEventId }),
  }),
]
