/** The endpoints of feedback. */
import { defineRoute, noContent, ok, preview, type Route } from '../../../http/route.ts'
import { feedbackExample, NewFeedback } from '../records/feedback-schemas.ts'
import { presentRun, runEtag } from '../records/run-present.ts'
import { Run, runExample } from '../records/run-schemas.ts'
import type { RunService } from '../runs/run-service.ts'
import type { FeedbackService } from './feedback-service.ts'

export const feedbackRoutes = (feedback: FeedbackService, runs: RunService): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/runs/:id/feedback',
    operationId: 'giveRunFeedback',
    tag: 'agents',
    summary: 'Give feedback on a run',
    description:
      'Says whether the answer was good, and why. It replaces what was said before, and is shown on the run. Only a run that has ended takes it.',
    permission: 'agents:run',
    audit: 'run.feedback',
    body: NewFeedback,
    bodyExample: { rating: 'negative', comment: 'It is 28 days since January.', endUserId: 'ada' },
    data: Run,
    example: { ...runExample, feedback: feedbackExample },
    success: [200],
    errors: ['conflict'],
    handle: async ({ caller, params, body, signal }) => {
      await feedback.give(caller, params.id, body)
      const record = await runs.get(caller, params.id, { waitMs: 0, signal })
      return ok(presentRun(record), runEtag(record))
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/runs/:id/feedback',
    operationId: 'deleteRunFeedback',
    tag: 'agents',
    summary: 'Take feedback back',
    description: 'The run is without feedback again; also where it had none.',
    permission: 'agents:run',
    audit: 'run.feedback_delete',
    destructive: true,
    success: [204],
    errors: ['precondition_failed'],
    handle: async ({ caller, params, ifMatch, dryRun }) => {
      const isThere = await feedback.takeBack(caller, params.id, { ifMatch, dryRun })
      if (!dryRun) return noContent()
      const ids = isThere ? [params.id] : []
      return preview([{ effect: 'deleted', resource: 'feedback', count: ids.length, ids }])
    },
  }),
]
