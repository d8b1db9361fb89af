/** What is used. Times are milliseconds. */
import type { Environment } from '../../caller.ts'

export type UsageTables = {
  /** What somebody or something used in a day, or an agent in a month: one row for each, raised as it is used. */
  usage_periods: {
    workspace_id: string
    environment: Environment
    /**
     * Of what: `actor` is a key, a person or the system, `stored` all collections together; `agent_month` is what budgets
     * are kept by.
     */
    kind: 'actor' | 'agent' | 'collection' | 'stored' | 'agent_month'
    /** A day such as `2026-11-21`, of `agent_month` a month such as `2026-11`; in UTC. */
    period: string
    /** The id of the key, person, agent or collection; `system` for whoever is neither. */
    subject_id: string
    /** As it was called then; null where it was not looked up. */
    name: string | null
    requests: number
    /** Runs that ended; of a collection, those that were shown passages of it. */
    runs: number
    /** Those of them whose cost is not known. */
    unpriced_runs: number
    input_tokens: number
    output_tokens: number
    cost_usd: number
    /** Of a collection, as it was last seen on that day; null where it was not. */
    documents: number | null
    stored_bytes: number | null
  }
}
