/** Events, the webhooks that deliver them, and usage. Times are milliseconds. */
import type { Environment } from '../../caller.ts'
import type { Json } from '../json.ts'

export type EventTables = {
  /** What happened, for those who are told of it: written with the change itself. */
  events: {
    id: string
    workspace_id: string
    environment: Environment
    type: string
    data: Json<Record<string, unknown>>
    /** The agent that it concerns; a key that is narrowed to agents sees no others. */
    agent_id: string | null
    /** The collection that it concerns; a key that is narrowed to collections sees no others. */
    collection_id: string | null
    /** The narrowing of what it concerns, as `narrowingOf` writes it. */
    narrowing: string | null
    /** What happens once only; another event with this key is not written. */
    unique_key: string | null
    created_at: number
  }
  /** An endpoint outside that is told of events. */
  webhooks: {
    id: string
    workspace_id: string
    environment: Environment
    url: string
    description: string | null
    /** Null where it is told of all. */
    event_types: Json<string[]> | null
    /** The narrowing of the key that made it: it is told of no more than that key could read. */
    agent_ids: Json<string[]> | null
    collection_ids: Json<string[]> | null
    /** The two as one text, so that a narrowed key finds the endpoints of its own narrowing; empty without one. */
    narrowing: string
    enabled: number
    disabled_reason: 'manual' | 'gone' | 'failing' | 'creator_lost_access' | null
    /** Encrypted; null once the endpoint is deleted. */
    secret: string | null
    /** Signed with as well until it runs out. */
    previous_secret: string | null
    previous_secret_expires_at: number | null
    /** How often in a row nothing that was sent at once was taken. */
    failures: number
    /** Since when nothing has succeeded; null while it works. */
    failing_since: number | null
    last_failure_at: number | null
    /** Nothing is sent before that. */
    paused_until: number | null
    /** It is not there any more, and its deliveries are being erased. */
    deleted_at: number | null
    created_by: string | null
    created_at: number
    updated_at: number
    revision: number
  }
  webhook_deliveries: {
    id: string
    webhook_id: string
    /** The event may be gone before its delivery is. */
    event_id: string
    event_type: string
    origin: 'event' | 'test' | 'redelivery' | 'replay'
    status: 'pending' | 'delivered' | 'failed'
    /** Why it was given up. */
    error: string | null
    attempts: number
    /** Null once it has ended. */
    next_attempt_at: number | null
    created_at: number
    finished_at: number | null
  }
  webhook_attempts: {
    delivery_id: string
    number: number
    url: string
    started_at: number
    duration_ms: number
    /** Null where no reply came. */
    status_code: number | null
    reply_headers: Json<Record<string, string>> | null
    reply_body: string | null
    error: string | null
  }
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
    /** The id of the key, person, agent or collection; otherwise `system`. */
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
