/** The endpoints for work on a run after its end: rerun, comparison and feedback. */
import { defineRoute, noContent, ok, preview, type Route } from '../../../http/route.ts'
import { RunEvent, runEventExample } from '../events/run-event-schemas.ts'
import { feedbackExample, NewFeedback } from '../records/answer-schemas.ts'
import { presentRun, runEtag } from '../records/run-records.ts'
import { Run, runExample } from '../records/run-schemas.ts'
import { followedAgain, startAndAnswer } from '../runs/run-routes.ts'
import type { RunService } from '../runs/run-service.ts'
import { ComparisonQuery, comparisonExample, Rerun, RunComparison } from './review-schemas.ts'
import type { ReviewService } from './review-service.ts'

export const reviewRoutes = (review: ReviewService, runs: RunService): Route[] => [
  ...rerunRoutes(review, runs),
  ...comparisonRoutes(review),
  ...feedbackRoutes(review, runs),
]

const rerunRoutes = (review: ReviewService, runs: RunService): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/runs/:id/rerun',
    operationId: 'rerunRun',
    summary: 'Run a run again',
    description:
      "Starts a new run with the same inputs, on the agent's published revision or another one. The new run remembers what the first run remembered, in a new conversation, and names the first run in `rerunOf`. It answers like POST /agents/:id/run: after waiting, in the background, or as a stream.",
    permission: 'agents:run',
    viewersToo: true,
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
    replyTexts: { 200: 'The run, which has ended; or its events, if `Accept` asks for them.' },
    errors: [
      'agent_deleted',
      'agent_paused',
      'call_depth',
      'price_unknown',
      'budget_exceeded',
      'run_limit',
      'storage_limit',
    ],
    handle: async request => {
      const { caller, params, body } = request
      return startAndAnswer(runs, request, await review.prepareRerun(caller, params.id, body))
    },
    followAgain: followedAgain(runs),
  }),
]

const comparisonRoutes = (review: ReviewService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/runs/:id/comparison',
    operationId: 'compareRuns',
    summary: 'Compare two runs',
    description:
      'Compares this run with another run of the same agent: their inputs, revisions and outcomes, and the difference in time, tokens and cost.',
    permission: 'agents:read',
    query: ComparisonQuery,
    data: RunComparison,
    example: comparisonExample,
    replyTexts: { 200: 'Both runs, and where they differ.' },
    handle: async ({ caller, params, query }) => ok(await review.compareRuns(caller, params.id, query.with)),
  }),
]

const feedbackRoutes = (review: ReviewService, runs: RunService): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/runs/:id/feedback',
    operationId: 'giveRunFeedback',
    summary: 'Give feedback on a run',
    description:
      'Rates the answer of an ended run as `positive` or `negative`, with an optional comment. New feedback replaces earlier feedback. The run shows it.',
    permission: 'agents:run',
    opensToPages: true,
    viewersToo: true,
    audit: 'run.feedback',
    body: NewFeedback,
    bodyExample: { rating: 'negative', comment: 'It is 28 days since January.', endUserId: 'ada' },
    data: Run,
    example: { ...runExample, feedback: feedbackExample },
    errors: ['run_in_progress'],
    handle: async ({ caller, params, body, signal }) => {
      await review.giveFeedback(caller, params.id, body)
      const record = await runs.get(caller, params.id, { waitMs: 0, signal: signal() })
      return ok(presentRun(record, caller.scope), runEtag(record))
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/runs/:id/feedback',
    operationId: 'deleteRunFeedback',
    summary: 'Take feedback back',
    description: 'Removes the feedback from the run. Succeeds if there is none.',
    permission: 'agents:run',
    opensToPages: true,
    viewersToo: true,
    audit: 'run.feedback_delete',
    destructive: true,
    success: [204],
    errors: ['precondition_failed'],
    handle: async ({ caller, params, ifMatch, dryRun }) => {
      const isThere = await review.removeFeedback(caller, params.id, { ifMatch, dryRun })
      if (!dryRun) return noContent()
      const ids = isThere ? [params.id] : []
      return preview([{ effect: 'deleted', resource: 'feedback', count: ids.length, ids }])
    },
  }),
]
