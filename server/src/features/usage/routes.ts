/** Reading what was used, day by day. */
import { defineRoute, listed, ok, type Route, standardList } from '../../http/route.ts'
import { Type } from '../../platform/json-schema/type.ts'
import { Usage, UsageQuestion, UsageRow, usageRowExample } from './schemas.ts'
import type { UsageHistoryService, UsageService } from './service.ts'

export const usageHistoryRoutes = (usage: UsageHistoryService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/usage/history',
    operationId: 'getUsageHistory',
    tag: 'workspace',
    summary: 'List usage over time',
    description:
      "What was used in the key's environment: by day or month, in all or by key, agent or collection; newest period first. Days are UTC. Periods without any use have no row. Runs count once, in the day in which they end; requests and what is stored are at most a minute behind. A narrowed key sees the agents and collections that it reaches, and of requests its own. One that is narrowed to collections sees of runs its own too, and none by agent.",
    permission: 'usage:read',
    query: UsageQuestion,
    // Grouped rows have no id to go on after.
    list: { ...standardList, ranked: true },
    data: Type.Array(UsageRow),
    example: [usageRowExample],
    success: [200],
    errors: [],
    handle: async ({ caller, query, page }) => listed(await usage.history(caller, query, page), page),
  }),
]

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
