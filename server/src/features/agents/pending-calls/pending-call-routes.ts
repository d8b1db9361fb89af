/** The endpoints that approve or reject tool calls, and that take results of functions. */
import { defineRoute, type Route } from '../../../http/route.ts'
import { Decisions, ToolResults } from '../records/answer-schemas.ts'
import { Run, runExample } from '../records/run-schemas.ts'
import { answerOf } from '../runs/run-routes.ts'
import type { PendingCallService } from './pending-call-service.ts'

const resumedExample: Run = {
  ...runExample,
  status: 'queued',
  output: null,
  citations: [],
  finishedAt: null,
  durationMs: null,
}

export const pendingCallRoutes = (pendingCalls: PendingCallService): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/runs/:id/approvals',
    operationId: 'decideRun',
    summary: 'Approve or reject tool calls',
    description:
      'Approves or rejects some or all of the tool calls in the `pendingApprovals` of a `waiting` run. Once nothing is missing, the run continues in the background and this answers 202. With `Prefer: wait=N` it answers 200 if the run ends in time. A call that is unknown or already decided is a 400 that names it. A run that has ended or does not wait is a 409 `run_ended`.',
    permission: 'agents:run',
    viewersToo: true,
    audit: 'run.approve',
    waits: true,
    body: Decisions,
    bodyExample: {
      decisions: [{ toolCallId: 'call_1', decision: 'reject', reason: 'Not before the customer agrees.' }],
    },
    data: Run,
    example: resumedExample,
    success: [200, 202],
    errors: ['run_ended'],
    handle: async ({ caller, params, body, patience }) => {
      const waiting = patience()
      return answerOf(await pendingCalls.decide(caller, params.id, body, waiting), caller, waiting)
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/runs/:id/tool-results',
    operationId: 'sendToolResults',
    summary: 'Send results of functions',
    description:
      'Sends results for some or all of the calls in the `pendingToolCalls` of a `waiting` run. Once nothing is missing, the run continues in the background and this answers 202. With `Prefer: wait=N` it answers 200 if the run ends in time. The same result may be sent again; another result for an answered call, and an unknown call, are a 400 that names it. A new result for a run that has ended is a 409 `run_ended`.',
    permission: 'agents:run',
    opensToPages: true,
    viewersToo: true,
    audit: 'run.tool_results',
    waits: true,
    body: ToolResults,
    bodyExample: { results: [{ toolCallId: 'call_1', output: { status: 'shipped' } }] },
    data: Run,
    example: resumedExample,
    success: [200, 202],
    errors: ['run_ended'],
    handle: async ({ caller, params, body, patience }) => {
      const waiting = patience()
      return answerOf(await pendingCalls.answer(caller, params.id, body, waiting), caller, waiting)
    },
  }),
]
