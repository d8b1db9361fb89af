/** Reading the limits and what is used of them. */
import { defineRoute, ok, type Route } from '../../http/route.ts'
import { Usage } from './current-schemas.ts'
import type { UsageService } from './current-service.ts'

export const usageRoutes = (usage: UsageService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/usage',
    operationId: 'getUsage',
    tag: 'workspace',
    summary: 'Get limits and usage',
    description:
      "The limits of the workspace's plan, each with what is used of it in the key's environment; a key that is narrowed is told no figure that tells of what it does not reach. What is over a limit answers 429 `rate_limited` or `run_limit`, 403 `storage_limit`, `member_limit` or `budget_exceeded`, or 413.",
    permission: 'usage:read',
    data: Usage,
    example: {
      plan: 'starter',
      environment: 'live',
      requestsPerMinute: { limit: 100, used: 7, resetsAt: '2026-11-21T09:31:00.000Z' },
      storageBytes: { limit: 5_242_880_000, used: 48_213_004 },
      uploadBytes: { limit: 104_857_600 },
      members: { limit: 10, used: 3 },
      runsAtOnce: { limit: 5, used: 1 },
      month: {
        name: '2026-11',
        resetsAt: '2026-12-01T00:00:00.000Z',
        runs: 412,
        unpricedRuns: 0,
        inputTokens: 1_204_311,
        outputTokens: 88_120,
        costUsd: { limit: 250, used: 4.93 },
      },
    },
    success: [200],
    errors: [],
    handle: async ({ caller }) => ok(await usage.get(caller)),
  }),
]
