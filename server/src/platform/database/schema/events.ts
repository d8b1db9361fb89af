/** Events, the webhooks that deliver them, and usage. Times are milliseconds. */
import type { Environment } from '../../caller.ts'
import { id, integer, json, real, table, text } from '../table.ts'

export const eventsTables = {
  /** Events for webhooks and lists, written in the transaction of the change. */
  events: table({
    id: id().primaryKey(),
    workspace_id: id().belongsTo('workspaces'),
    environment: id<Environment>(),
    type: id(),
    data: json<Record<string, unknown>>(),
    /** The agent that the event is about. A key that is narrowed to other agents does not see the event. */
    agent_id: id().nullable(),
    /** The collection that the event is about. A key that is narrowed to other collections does not see the event. */
    collection_id: id().nullable(),
    /** The narrowing of a run, as `narrowingOf` writes it; of a key or an endpoint, as `narrowingText` writes it. */
    narrowing: id().nullable(),
    /** The key of an event that happens only once. A second event with the same key is not written. */
    unique_key: id().nullable(),
    created_at: integer(),
  }).with(
    'INDEX events_list (workspace_id, environment, id)',
    'UNIQUE INDEX events_unique (workspace_id, environment, unique_key) WHERE unique_key IS NOT NULL',
  ),
  /** An outside endpoint that receives events, or a host of callbacks, told only of the runs that name it. */
  webhooks: table({
    id: id().primaryKey(),
    workspace_id: id().belongsTo('workspaces'),
    environment: id<Environment>(),
    kind: id<'endpoint' | 'callbacks'>().default('endpoint'),
    /** For callbacks, the origin. */
    url: text(),
    /** Keeps one row for a URL and a narrowing; null once the row is deleted, and in rows of older versions. */
    unique_key: id().nullable(),
    description: text().nullable(),
    /** Null means all event types. */
    event_types: json<string[]>().nullable(),
    /** The narrowing of the key that made the endpoint. The endpoint receives only what that key could read. */
    agent_ids: json<string[]>().nullable(),
    collection_ids: json<string[]>().nullable(),
    /** Both lists as one text, by which a narrowed key finds the endpoints of its narrowing; or empty. */
    narrowing: text(),
    enabled: integer(),
    disabled_reason: id<'manual' | 'gone' | 'failing' | 'creator_lost_access'>().nullable(),
    /** Encrypted; null once the endpoint is deleted. */
    secret: text().nullable(),
    /** The older secret, which also signs deliveries until it expires. */
    previous_secret: text().nullable(),
    previous_secret_expires_at: integer().nullable(),
    /** How many times in a row no delivery of a batch was accepted. */
    failures: integer(),
    /** Since when no delivery has succeeded; null while the endpoint works. */
    failing_since: integer().nullable(),
    last_failure_at: integer().nullable(),
    /** Nothing is sent before this time. */
    paused_until: integer().nullable(),
    /** When the endpoint was deleted. Its deliveries are erased after that. */
    deleted_at: integer().nullable(),
    created_by: id().nullable(),
    created_at: integer(),
    updated_at: integer(),
    revision: integer(),
  }).with(
    'INDEX webhooks_of_kind (workspace_id, environment, kind, id)',
    'UNIQUE INDEX webhooks_unique (workspace_id, environment, unique_key) WHERE unique_key IS NOT NULL',
  ),
  /** The secrets that sign callbacks. */
  callback_secrets: table({
    workspace_id: id().belongsTo('workspaces'),
    environment: id<Environment>(),
    /** Encrypted. */
    secret: text(),
    /** The older secret, which also signs callbacks until it expires. */
    previous_secret: text().nullable(),
    previous_secret_expires_at: integer().nullable(),
    created_at: integer(),
    updated_at: integer(),
  }).with('PRIMARY KEY (workspace_id, environment)'),
  webhook_deliveries: table({
    id: id().primaryKey(),
    webhook_id: id().belongsTo('webhooks'),
    /** The event may be gone before its delivery is. */
    event_id: id(),
    event_type: id(),
    /** For a callback: the address that the run named, and the run. */
    url: text().nullable(),
    run_id: id().nullable(),
    origin: id<'event' | 'test' | 'redelivery' | 'replay'>(),
    status: id<'pending' | 'delivered' | 'failed'>(),
    /** Why the delivery was given up. */
    error: text().nullable(),
    attempts: integer(),
    /** Null once the delivery has ended. */
    next_attempt_at: integer().nullable(),
    created_at: integer(),
    finished_at: integer().nullable(),
  }).with(
    'INDEX webhook_deliveries_list (webhook_id, id)',
    'INDEX webhook_deliveries_event (webhook_id, event_id)',
    'INDEX webhook_deliveries_run (run_id) WHERE run_id IS NOT NULL',
    "INDEX webhook_deliveries_due (webhook_id, next_attempt_at) WHERE status = 'pending'",
  ),
  webhook_attempts: table({
    delivery_id: id().belongsTo('webhook_deliveries'),
    number: integer(),
    url: text(),
    started_at: integer(),
    duration_ms: integer(),
    /** Null if no reply came. */
    status_code: integer().nullable(),
    reply_headers: json<Record<string, string>>().nullable(),
    reply_body: text().nullable(),
    error: text().nullable(),
  }).with('PRIMARY KEY (delivery_id, number)'),
  /** What a subject used in a day, or an agent in a month: one row for each, raised with each use. */
  usage_periods: table({
    workspace_id: id().belongsTo('workspaces'),
    environment: id<Environment>(),
    /** `actor` is a key, a person or the system; `stored` is all collections; `agent_month` serves budgets. */
    kind: id<'actor' | 'agent' | 'collection' | 'stored' | 'agent_month'>(),
    /** A day in UTC such as `2026-11-21`; for `agent_month` a month such as `2026-11`. */
    period: id(),
    /** The id of the key, person, agent or collection; `system` for the system; empty for `stored`. */
    subject_id: id(),
    /** The subject's name at that time; null if it was not looked up. */
    name: text().nullable(),
    requests: integer(),
    /** Runs that ended; for a collection, runs that were shown passages of it. */
    runs: integer(),
    /** The number of these runs whose cost is not known. */
    unpriced_runs: integer(),
    input_tokens: integer(),
    output_tokens: integer(),
    cost_usd: real(),
    /** For a collection, as it was last seen on that day; null if it was not seen. */
    documents: integer().nullable(),
    stored_bytes: integer().nullable(),
  }).with(
    'PRIMARY KEY (workspace_id, environment, kind, period, subject_id)',
    'INDEX usage_periods_by_age (period)',
  ),
}
