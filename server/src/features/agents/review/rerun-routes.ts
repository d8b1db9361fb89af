/** The endpoint that runs a run again. */
import { defineRoute, type Route } from '../../../http/route.ts'
import { RunEvent, runEventExample } from '../events/run-event-schemas.ts'
import { Run, runExample } from '../records/run-schemas.ts'
import { followedAgain, startAndAnswer } from '../runs/replies-for-routes.ts'
import type { RunService } from '../runs/run-service.ts'
import type { PrepareRerun } from './rerun.ts'
import { Rerun } from './rerun-schemas.ts'

export const rerunRoutes = (prepareRerun: PrepareRerun, runs: RunService): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/runs/:id/rerun',
    operationId: 'rerunRun',
    tag: 'agents',
    summary: 'Run a run again',
    description:
      'Starts a new run with the same inputs, on the published revision of the agent or another one. It remembers what the first one remembered, in a conversation of its own, and names it in `rerunOf`. Answered as POST /agents/:id/run: waited for, in the background, or as a stream.',
    permission: 'agents:run',
    audit: 'run.create',
    waits: true,
    body: Rerun,
    bodyExample: { revision: 'latest' },
    data: Run,
    example: {
      ...runExample,
      id: 'run_01kajz9m2ceq4t7v0x3y6z8abd',
      agentRevision: 2,
      rerunOf: runExample.id,
    },
    answersEvents: 'asked',
    events: RunEvent,
    eventsExample: runEventExample,
    success: [200, 202],
    errors: ['conflict', 'budget_exceeded', 'run_limit', 'storage_limit'],
    handle: async request => {
      const { caller, params, body } = request
      return startAndAnswer(runs, request, await prepareRerun(caller, params.id, body))
    },
    followAgain: followedAgain(runs),
  }),
]
