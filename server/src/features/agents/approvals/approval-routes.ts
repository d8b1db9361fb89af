/** The endpoint by which calls of tools are approved or rejected. */
import { defineRoute, type Route } from '../../../http/route.ts'
import { Decisions, Run, runExample } from '../records/run-schemas.ts'
import { answerOf } from '../runs/run-routes.ts'
import type { ApprovalService } from './approval-service.ts'

export const approvalRoutes = (approvals: ApprovalService): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/runs/:id/approvals',
    operationId: 'decideRun',
    tag: 'agents',
    summary: 'Approve or reject tool calls',
    description:
      'Approves or rejects some or all of the tool calls in the `pendingApprovals` of a `waiting` run. Once all calls are decided, the run continues in the background and this answers 202. With `Prefer: wait=N` it answers 200 if the run ends in time. A call that is unknown or already decided is a 400 that names it. A run that has ended or does not wait is a 409 `run_ended`.',
    permission: 'agents:run',
    audit: 'run.approve',
    waits: true,
    body: Decisions,
    bodyExample: {
      decisions: [{ toolCallId: 'call_1', decision: 'reject', reason: 'Not before the customer agrees.' }],
    },
    data: Run,
    example: {
      ...runExample,
      status: 'queued',
      output: null,
      citations: [],
      finishedAt: null,
      durationMs: null,
    },
    success: [200, 202],
    errors: ['run_ended'],
    handle: async ({ caller, params, body, patience }) => {
      const waiting = patience()
      return answerOf(await approvals.decide(caller, params.id, body, waiting), caller, waiting)
    },
  }),
]
