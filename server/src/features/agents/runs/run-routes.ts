/** The endpoints of runs. */

import { defineRoute, listed, ok, type Route, standardList } from '../../../http/route.ts'
import { Type } from '../../../platform/json-schema/type.ts'
import { RunEvent, runEventExample } from '../events/run-event-schemas.ts'
import { LastRun, lastRunExample } from '../records/last-run-schemas.ts'
import { presentRun, runEtag } from '../records/run-present.ts'
import { NewRun, Run, RunFilter, runExample } from '../records/run-schemas.ts'
import { answerOf, followedAgain, startAndAnswer } from './replies-for-routes.ts'
import type { RunService } from './run-service.ts'

export const runRoutes = (runs: RunService): Route[] => [...startAndStop(runs), ...runReads(runs)]

const startAndStop = (runs: RunService): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/agents/:id/run',
    operationId: 'runAgent',
    tag: 'agents',
    summary: 'Run an agent',
    description:
      'Answers 200 with the run once it has ended, `succeeded` or `failed` alike: look at `status` and `error`. After 60 seconds, or the `wait` of `Prefer`, it answers 202 with the run as it stands; `Prefer: respond-async` answers 202 at once and leaves the run to the background. With `Accept: text/event-stream` it answers 200 at once and streams the run as GET /runs/:id/events does. The run goes on when the client hangs up.',
    permission: 'agents:run',
    audit: 'run.create',
    waits: true,
    body: NewRun,
    bodyExample: { prompt: 'How many days of leave do I have?' },
    data: Run,
    example: runExample,
    answersEvents: 'asked',
    events: RunEvent,
    eventsExample: runEventExample,
    success: [200, 202],
    errors: ['conflict', 'budget_exceeded', 'conversation_busy', 'run_limit', 'storage_limit'],
    handle: request => startAndAnswer(runs, request, { agentId: request.params.id, wanted: request.body }),
    followAgain: followedAgain(runs),
  }),
  defineRoute({
    method: 'POST',
    path: '/runs/:id/cancel',
    operationId: 'cancelRun',
    tag: 'agents',
    summary: 'Cancel a run',
    description:
      'Answers 200 once the run has stopped and its call of the model is aborted; what it used until then is on its record. A run that has ended already is answered as it is. 202 means that it has been told to stop and has not stopped yet.',
    permission: 'agents:run',
    audit: 'run.cancel',
    data: Run,
    example: { ...runExample, status: 'cancelled', output: null, citations: [] },
    success: [200, 202],
    errors: ['conflict'],
    handle: async ({ caller, params, signal }) => answerOf(await runs.cancel(caller, params.id, signal)),
  }),
]

const runReads = (runs: RunService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/agents/last-runs',
    operationId: 'listLastRuns',
    tag: 'agents',
    summary: 'List the last run of each agent',
    description:
      'One entry for each agent, page by page as GET /agents lists them: the newest of its runs that the caller may read, or null where it has none.',
    permission: 'agents:read',
    list: { ...standardList, ranked: true },
    data: Type.Array(LastRun),
    example: [lastRunExample],
    success: [200],
    errors: [],
    handle: async ({ caller, page }) => listed(await runs.listLast(caller, page), page),
  }),
  defineRoute({
    method: 'GET',
    path: '/agents/:id/runs',
    operationId: 'listRuns',
    tag: 'agents',
    summary: "List an agent's runs",
    description: 'Every run of the agent, newest first, each with its steps.',
    permission: 'agents:read',
    query: RunFilter,
    list: standardList,
    data: Type.Array(Run),
    example: [runExample],
    success: [200],
    errors: [],
    handle: async ({ caller, params, query, page }) => {
      const { items, total } = await runs.list(caller, params.id, query, page)
      return listed({ items: items.map(presentRun), total }, page)
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/runs/:id',
    operationId: 'getRun',
    tag: 'agents',
    summary: 'Get a run',
    description:
      'One run with its steps. `Prefer: wait=N` waits up to N seconds (60 at the most) for the run to end.',
    permission: 'agents:read',
    waits: true,
    data: Run,
    example: runExample,
    success: [200],
    errors: [],
    handle: async ({ caller, params, patience }) => {
      const record = await runs.get(caller, params.id, patience())
      return ok(presentRun(record), runEtag(record))
    },
  }),
]
