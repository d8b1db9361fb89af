/** The endpoints of runs. */
import Type from 'typebox'
import {
  accepted,
  defineRoute,
  listed,
  ok,
  type Route,
  type RouteRequest,
  standardList,
} from '../../../http/route.ts'
import { secondMs } from '../../../platform/clock.ts'
import { presentRun, type RunRecord, runEtag } from './run-present.ts'
import { NewRun, Run, RunFilter, runExample } from './run-schemas.ts'
import type { RunService } from './run-service.ts'

export const runRoutes = (runs: RunService): Route[] => [...startAndStop(runs), ...runReads(runs)]

const longestWaitSeconds = 60

/** A run that has ended is answered with 200, one that has not with 202 and the place to look again. */
function answer(record: RunRecord) {
  const run = presentRun(record)
  return record.row.finished_at === null
    ? accepted(run, `/runs/${run.id}`, runEtag(record))
    : ok(run, runEtag(record))
}

function patienceOf(
  { prefer, signal }: Pick<RouteRequest<string, unknown, unknown, unknown>, 'prefer' | 'signal'>,
  secondsUnlessSaid: number,
) {
  const seconds = prefer.respondAsync ? 0 : (prefer.waitSeconds ?? secondsUnlessSaid)
  return { waitMs: Math.min(seconds, longestWaitSeconds) * secondMs, signal }
}

const startAndStop = (runs: RunService): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/agents/:id/run',
    operationId: 'runAgent',
    tag: 'agents',
    summary: 'Run an agent',
    description:
      'Answers 200 with the run once it has ended, `succeeded` or `failed` alike: look at `status` and `error`. After 60 seconds, or the `wait` of `Prefer`, it answers 202 with the run as it stands; `Prefer: respond-async` answers 202 at once and leaves the run to the background. The run goes on when the client hangs up.',
    permission: 'agents:run',
    audit: 'run.create',
    waits: true,
    body: NewRun,
    bodyExample: { prompt: 'How many days of leave do I have?' },
    data: Run,
    example: runExample,
    success: [200, 202],
    errors: ['conflict', 'run_limit'],
    handle: async ({ caller, params, body, prefer, signal }) =>
      answer(await runs.run(caller, params.id, body, patienceOf({ prefer, signal }, longestWaitSeconds))),
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
    errors: [],
    handle: async ({ caller, params, signal }) => answer(await runs.cancel(caller, params.id, signal)),
  }),
]

const runReads = (runs: RunService): Route[] => [
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
    handle: async ({ caller, params, prefer, signal }) => {
      const record = await runs.get(caller, params.id, patienceOf({ prefer, signal }, 0))
      return ok(presentRun(record), runEtag(record))
    },
  }),
]
