/** The endpoints for what is done with a run after its end. */
import type { Route } from '../../../http/route.ts'
import type { RunService } from '../runs/run-service.ts'
import { comparisonRoutes } from './comparison-routes.ts'
import { feedbackRoutes } from './feedback-routes.ts'
import { rerunRoutes } from './rerun-routes.ts'
import type { ReviewService } from './review-service.ts'

export const reviewRoutes = (
  { feedback, compareRuns, prepareRerun }: ReviewService,
  runs: RunService,
): Route[] => [
  ...rerunRoutes(prepareRerun, runs),
  ...comparisonRoutes(compareRuns),
  ...feedbackRoutes(feedback, runs),
]
