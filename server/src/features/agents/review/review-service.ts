/** Everything that is done with a run after its end: feedback, running it again, comparing. */
import { type CompareRuns, createCompareRuns } from './comparison.ts'
import { createFeedbackService, type FeedbackService } from './feedback-service.ts'
import { createPrepareRerun, type PrepareRerun } from './rerun.ts'

export type ReviewService = {
  feedback: FeedbackService
  compareRuns: CompareRuns
  prepareRerun: PrepareRerun
}

export const createReviewService = (
  dependencies: Parameters<typeof createFeedbackService>[0] &
    Parameters<typeof createCompareRuns>[0] &
    Parameters<typeof createPrepareRerun>[0],
): ReviewService => ({
  feedback: createFeedbackService(dependencies),
  compareRuns: createCompareRuns(dependencies),
  prepareRerun: createPrepareRerun(dependencies),
})
