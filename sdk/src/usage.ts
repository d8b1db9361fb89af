/** What is used: of the plan's limits now, and day by day. */
import { get } from './calls.ts'
import { rankedListOf } from './list.ts'
import type { Item, QueryOf } from './operations.ts'
import type { CallOptions, Transport } from './transport.ts'

export const createUsage = (transport: Transport) => ({
  /** What the plan allows, and how much of it is used. */
  get: (options?: CallOptions) => get<'getUsage'>(transport, '/usage', options),
  /** Requests, runs, tokens, cost and storage by day or month; in all, or by key, agent or collection. Newest period first. */
  history: (query: QueryOf<'getUsageHistory'> = {}, options?: CallOptions) =>
    rankedListOf<Item<'getUsageHistory'>>(transport, '/usage/history', query, options),
})
