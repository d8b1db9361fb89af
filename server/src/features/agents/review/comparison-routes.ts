/** The endpoint that compares two runs. */
import { defineRoute, ok, type Route } from '../../../http/route.ts'
import type { CompareRuns } from './comparison.ts'
import { ComparisonQuery, comparisonExample, RunComparison } from './comparison-schemas.ts'

export const comparisonRoutes = (compareRuns: CompareRuns): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/runs/:id/comparison',
    operationId: 'compareRuns',
    tag: 'agents',
    summary: 'Compare two runs',
    description:
      'This run and another of the same agent side by side: what was asked and which revision answered, what came of it, and what the other took more.',
    permission: 'agents:read',
    query: ComparisonQuery,
    data: RunComparison,
    example: comparisonExample,
    success: [200],
    errors: [],
    handle: async ({ caller, params, query }) => ok(await compareRuns(caller, params.id, query.with)),
  }),
]
