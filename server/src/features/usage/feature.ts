/** What a workspace uses, now and day by day, and the endpoints that read it. */
import type { Feature } from '../../http/feature.ts'
import { defineRoute, listed, ok, type Route, standardList } from '../../http/route.ts'
import type { Limiter } from '../../platform/admission.ts'
import { Type } from '../../platform/json-schema/type.ts'
import type { Platform } from '../../platform/platform.ts'
import { eachHour, eachMinute } from '../../platform/schedules/schedules.ts'
import type { Limits } from '../limits/service.ts'
import { createRequestMeter, type KeptRequestMeter } from './request-meter.ts'
import { Usage, UsageQuestion, UsageRow, usageRowExample } from './schemas.ts'
import {
  createUsageHistoryService,
  createUsageService,
  type UsageHistoryService,
  type UsageService,
  type UsageSources,
} from './service.ts'

export type UsageServices = { usageHistory: UsageHistoryService; requestMeter: KeptRequestMeter }

export function createUsageFeature(
  platform: Platform,
  others: { limits: Limits; limiter: Limiter; sources: UsageSources },
): Feature<UsageServices> {
  const requestMeter = createRequestMeter(platform)
  const usageHistory = createUsageHistoryService({ ...platform, usageMs: platform.settings.usageMs })
  return {
    services: { usageHistory, requestMeter },
    tag: 'workspace',
    routes: [...usageRoutes(createUsageService(others)), ...usageHistoryRoutes(usageHistory)],
    schedules: [
      eachMinute('measure what collections hold', usageHistory.measure),
      eachHour('remove old usage', usageHistory.tidy),
    ],
    workspaceData: {
      slices: [{ table: 'usage_periods', key: ['environment', 'kind', 'period', 'subject_id'] }],
    },
    close: requestMeter.close,
  }
}

const usageHistoryRoutes = (usage: UsageHistoryService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/usage/history',
    operationId: 'getUsageHistory',
    summary: 'List usage over time',
    description:
      "Returns usage in the key's environment by day or month, in total or by key, agent or collection, newest period first. Days are in UTC. Periods without usage have no row. A run counts once, on the day when it ends. Requests and storage are at most a minute behind. A narrowed key sees the agents and collections that it can access and its own requests. A key narrowed to collections also sees only its own runs, and none by agent.",
    permission: 'usage:read',
    query: UsageQuestion,
    // Grouped rows have no id from which a next page could continue.
    list: { ...standardList, ranked: true },
    data: Type.Array(UsageRow),
    example: [usageRowExample],
    handle: async ({ caller, query, page }) => listed(await usage.history(caller, query, page), page),
  }),
]

const usageRoutes = (usage: UsageService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/usage',
    operationId: 'getUsage',
    summary: 'Get limits and usage',
    description:
      "Returns the limits of the workspace's plan, each with its usage in the key's environment. A narrowed key gets no figures about resources that it cannot access. Requests over a limit are answered with 429 `rate_limited` or `run_limit`, 403 `storage_limit`, `member_limit` or `budget_exceeded`, or 413.",
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
    replyTexts: { 200: 'The limits of the plan, and what is used of each.' },
    handle: async ({ caller }) => ok(await usage.get(caller)),
  }),
]
