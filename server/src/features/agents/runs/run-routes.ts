/** The endpoints of runs, and the ways to answer: after waiting, in the background, or as a stream of events. */
import { type FollowEvents, HangUp } from '../../../http/replies/event-stream.ts'
import {
  defineRoute,
  endedOrAccepted,
  events,
  type ListOptions,
  listed,
  noContent,
  ok,
  type Reply,
  type Route,
  type RouteRequest,
  standardList,
} from '../../../http/route.ts'
import type { Caller } from '../../../platform/caller.ts'
import type { Patience } from '../../../platform/clock.ts'
import { invalidField } from '../../../platform/errors.ts'
import { Type } from '../../../platform/json-schema/type.ts'
import { disconnectAfter } from '../../../platform/models/sandbox/script.ts'
import { runMessages } from '../../events/schemas.ts'
import { beginning, parseEventId, RunEvent, runEventExample } from '../events/run-event-schemas.ts'
import { runInputOf } from '../inputs/messages.ts'
import { presentListed, presentRun, type RunRecord, runEtag } from '../records/run-records.ts'
import {
  AllRunsFilter,
  LastRun,
  ListedRun,
  lastRunExample,
  listedRunExample,
  NewRun,
  Run,
  RunFilter,
  runExample,
} from '../records/run-schemas.ts'
import type { RunService } from './run-service.ts'
import type { Start } from './run-start.ts'

export const runRoutes = (runs: RunService): Route[] => [...startAndStop(runs), ...runReads(runs)]

const startAndStop = (runs: RunService): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/agents/:id/run',
    operationId: 'runAgent',
    summary: 'Run an agent',
    description:
      'Answers 200 with the run once it has ended, whether `succeeded` or `failed`: check `status` and `error`. After 60 seconds, or after the `wait` of `Prefer`, it answers 202 with the run so far. `Prefer: respond-async` answers 202 at once, and the run continues in the background. With `Accept: text/event-stream` it answers 200 at once and streams the run like GET /runs/:id/events. The run continues if the client disconnects.',
    permission: 'agents:run',
    opensToPages: true,
    viewersToo: true,
    audit: 'run.create',
    waits: true,
    body: NewRun,
    needsOneOf: ['prompt', 'messages'],
    bodyExample: { prompt: 'How many days of leave do I have?' },
    data: Run,
    example: runExample,
    answersEvents: 'asked',
    events: RunEvent,
    eventsExample: runEventExample,
    callsBack: { field: 'callbackUrl', messages: runMessages },
    success: [200, 202],
    replyTexts: { 200: 'The run, which has ended; or its events, if `Accept` asks for them.' },
    errors: [
      'agent_paused',
      'call_depth',
      'price_unknown',
      'budget_exceeded',
      'conversation_busy',
      'run_limit',
      'token_limit',
      'storage_limit',
    ],
    handle: request =>
      startAndAnswer(runs, request, { agentId: request.params.id, newRun: runInputOf(request.body) }),
    followAgain: followedAgain(runs),
  }),
  defineRoute({
    method: 'POST',
    path: '/runs/:id/cancel',
    operationId: 'cancelRun',
    summary: 'Cancel a run',
    description:
      'Answers 200 once the run has stopped and its model call is aborted. The run keeps the usage up to that point. A run that has already ended is returned unchanged. 202 means that the run has not stopped yet.',
    permission: 'agents:run',
    opensToPages: true,
    viewersToo: true,
    audit: 'run.cancel',
    data: Run,
    example: { ...runExample, status: 'cancelled', output: null, citations: [] },
    success: [200, 202],
    replyTexts: { 200: 'The run, which has ended.' },
    errors: ['run_is_part'],
    handle: async ({ caller, params, signal }) => {
      const patience = { waitMs: longestCancelMs, signal: signal() }
      return answerOf(await runs.cancel(caller, params.id, patience), caller, patience)
    },
  }),
]

const runList: ListOptions = { ...standardList, sorts: ['createdAt'], dates: ['created'] }

const runReads = (runs: RunService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/agents/last-runs',
    operationId: 'listLastRuns',
    summary: 'List the last run of each agent',
    description:
      "One entry per agent, in the order and pages of GET /agents: the agent's newest run that the caller may read, or null.",
    permission: 'agents:read',
    list: { ...standardList, ranked: true },
    data: Type.Array(LastRun),
    example: [lastRunExample],
    handle: async ({ caller, page }) => listed(await runs.listLast(caller, page), page),
  }),
  defineRoute({
    method: 'GET',
    path: '/agents/:id/runs',
    operationId: 'listRuns',
    summary: "List an agent's runs",
    description:
      'All runs of the agent, newest first. `expand=steps,citations` adds their steps and citations.',
    permission: 'agents:read',
    query: RunFilter,
    list: runList,
    data: Type.Array(ListedRun),
    example: [listedRunExample],
    handle: async ({ caller, params, query, page }) =>
      listed(await runs.list(caller, params.id, query, page), page, run =>
        presentListed(run, query, caller.scope),
      ),
  }),
  defineRoute({
    method: 'GET',
    path: '/runs',
    operationId: 'listAllRuns',
    summary: 'List runs',
    description:
      'Runs of all agents that the key can access, newest first, those of deleted agents included. `expand=steps,citations` adds their steps and citations.',
    permission: 'agents:read',
    query: AllRunsFilter,
    list: runList,
    data: Type.Array(ListedRun),
    example: [listedRunExample],
    handle: async ({ caller, query, page }) =>
      listed(await runs.listAll(caller, query, page), page, run => presentListed(run, query, caller.scope)),
  }),
  defineRoute({
    method: 'GET',
    path: '/runs/:id',
    operationId: 'getRun',
    summary: 'Get a run',
    description:
      'Returns one run with its steps. `Prefer: wait=N` waits up to N seconds (at most 60) for the run to end.',
    permission: 'agents:read',
    opensToPages: true,
    waits: true,
    data: Run,
    example: runExample,
    handle: async ({ caller, params, patience }) => {
      const record = await runs.get(caller, params.id, patience())
      return ok(presentRun(record, caller.scope), runEtag(record))
    },
  }),
]

export const runEventRoutes = (runs: RunService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/runs/:id/events',
    operationId: 'streamRun',
    summary: 'Follow a run',
    description:
      'Streams the run as server-sent events from its beginning, also if it has ended. After a disconnect, `Last-Event-ID` resumes right after the last event received: in the middle of an answer too, and after a server restart. The stream ends with `run.succeeded`, `run.failed` or `run.cancelled`, which contain the whole run, or with `run.waiting`. 204 means that no more events will come.',
    permission: 'agents:read',
    opensToPages: true,
    headers: Type.Object({
      'Last-Event-ID': Type.Optional(
        Type.String({ maxLength: 100, description: 'The `id` of the last event that arrived.' }),
      ),
    }),
    answersEvents: 'always',
    events: RunEvent,
    eventsExample: runEventExample,
    success: [200, 204],
    replyTexts: { 204: 'The run has ended, and no event is behind the one that you have.' },
    handle: ({ caller, params, lastEventId }) => followed(runs, { caller, runId: params.id, lastEventId }),
  }),
]

const longestWaitSeconds = 60
/** A run in another process notices the cancel within a second, but may have to wait for a tool or a database. */
const longestCancelMs = 10_000

/** Starts a run and answers it as the client's `Prefer` and `Accept` ask. */
export async function startAndAnswer(
  runs: RunService,
  request: Pick<
    RouteRequest<string, unknown, unknown, unknown>,
    'caller' | 'patience' | 'wantsEvents' | 'lastEventId'
  >,
  { agentId, newRun, repeated }: Start,
): Promise<Reply<Run>> {
  const { caller, wantsEvents, lastEventId } = request
  if (!wantsEvents) {
    const patience = request.patience(longestWaitSeconds)
    return answerOf(await runs.run(caller, agentId, newRun, patience, repeated), caller, patience)
  }
  if (lastEventId !== null) throw wouldBeginAgain()
  const runId = await runs.begin(caller, agentId, newRun, repeated)
  const reply = await followed(runs, { caller, runId, lastEventId: null })
  return brokenAsSimulated(reply, caller, newRun.prompt)
}

/** Some readers of streams repeat a broken POST: each time, another run would begin, and its text would follow. */
const wouldBeginAgain = () =>
  invalidField(
    'Last-Event-ID',
    'is of a run that has begun, and this request would begin another: follow GET /runs/{id}/events, or send an Idempotency-Key with the first request already',
  )

export const answerOf = (record: RunRecord, { scope }: Caller, patience: Patience): Reply<Run> =>
  endedOrAccepted(patience, {
    data: presentRun(record, scope),
    ended: record.row.finished_at !== null,
    location: `/runs/${record.row.id}`,
    headers: runEtag(record),
  })

/** Answers a client that lost the reply and sends its request again: with the run that it started, as it is now. */
export const followedAgain =
  (runs: RunService): NonNullable<Route['followAgain']> =>
  async ({ caller, location, asEvents, lastEventId, patience }) => {
    const runId = location.split('/').at(-1) ?? ''
    if (asEvents) return await followed(runs, { caller, runId, lastEventId })
    const waiting = patience(longestWaitSeconds)
    return answerOf(await runs.get(caller, runId, waiting), caller, waiting)
  }

/** Streams the events after the client's last one. If no event follows, 204 stops a browser's reconnecting. */
async function followed(
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

/**
 * Breaks off the stream of a sandbox run whose prompt says `sim:disconnect_after=N`, as networks do. It breaks only
 * the first stream, so that a client that reconnects receives the rest.
 */
function brokenAsSimulated(
  reply: Reply<never>,
  { scope }: Pick<Caller, 'scope'>,
  prompt: string,
): Reply<never> {
  const events = scope.environment === 'test' ? disconnectAfter(prompt) : null
  if (events === null || reply.kind !== 'events') return reply
  return { ...reply, follow: brokenAfter(events, reply.follow) }
}

const brokenAfter = (count: number, follow: FollowEvents): FollowEvents =>
  async function* (signal) {
    let sent = 0
    for await (const event of follow(signal)) {
      yield event
      sent += 1
      if (sent === count) throw new HangUp()
    }
  }
