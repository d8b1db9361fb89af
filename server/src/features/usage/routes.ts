/** Reading what was used, day by day. */

import { defineRoute, listed, type Route, standardList } from '../../http/route.ts'
import { Type } from '../../platform/json-schema/type.ts'
import { UsageQuestion, UsageRow, usageRowExample } from './schemas.ts'
import type { UsageHistoryService } from './service.ts'

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
