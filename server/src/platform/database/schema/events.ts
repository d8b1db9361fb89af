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
    /** The agent that it concerns; a key that is narrowed to agents sees no others. */
    agent_id: id().nullable(),
    /** The collection that it concerns; a key that is narrowed to collections sees no others. */
    collection_id: id().nullable(),
    /** The narrowing of what it concerns, as `narrowingOf` writes it. */
    narrowing: id().nullable(),
    /** What happens once only; another event with this key is not written. */
    unique_key: id().nullable(),
    created_at: integer(),
  }).with(
    'INDEX events_list (workspace_id, environment, id)',
    'UNIQUE INDEX events_unique (workspace_id, environment, unique_key) WHERE unique_key IS NOT NULL',
  ),
  /** An endpoint outside that receives events; or a host that runs call back, which is told of these runs alone. */
  webhooks: table({
    id: id().primaryKey(),
    workspace_id: id().belongsTo('workspaces'),
    environment: id<Environment>(),
    kind: id<'endpoint' | 'callbacks'>().default('endpoint'),
    /** Of callbacks, the origin. */
    url: text(),
    /**
     * One row for its URL and narrowing. Null once it is deleted, and where a version before this column made it.
     */
    unique_key: id().nullable(),
    description: text().nullable(),
    /** Null for all. */
    event_types: json<string[]>().nullable(),
    /** The narrowing of the key that made it: the endpoint receives only what that key could read. */
    agent_ids: json<string[]>().nullable(),
    collection_ids: json<string[]>().nullable(),
    /** The two as one text, so that a narrowed key finds the endpoints of its own narrowing; empty without one. */
    narrowing: text(),
    enabled: integer(),
    disabled_reason: id<'manual' | 'gone' | 'failing' | 'creator_lost_access'>().nullable(),
    /** Encrypted; null once the endpoint is deleted. */
    secret: text().nullable(),
    /** Signed with as well until it runs out. */
    previous_secret: text().nullable(),
    previous_secret_expires_at: integer().nullable(),
    /** How often in a row nothing that was sent at once was taken. */
    failures: integer(),
    /** Since when nothing has succeeded; null while it works. */
    failing_since: integer().nullable(),
    last_failure_at: integer().nullable(),
    /** Nothing is sent before that. */
    paused_until: integer().nullable(),
    /** It is not there any more, and its deliveries are being erased. */
    deleted_at: integer().nullable(),
    created_by: id().nullable(),
    created_at: integer(),
    updated_at: integer(),
    revision: integer(),
  }).with(
    'INDEX webhooks_of_kind (workspace_id, environment, kind, id)',
    'UNIQUE INDEX webhooks_unique (workspace_id, environment, unique_key) WHERE unique_key IS NOT NULL',
  ),
  /** What callbacks are signed with. */
  callback_secrets: table({
    workspace_id: id().belongsTo('workspaces'),
    environment: id<Environment>(),
    /** Encrypted. */
    secret: text(),
    /** Signed with as well until it runs out. */
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
    /** Of a callback: where the run wants to be told of, and the run. */
    url: text().nullable(),
    run_id: id().nullable(),
    origin: id<'event' | 'test' | 'redelivery' | 'replay'>(),
    status: id<'pending' | 'delivered' | 'failed'>(),
    /** Why it was given up. */
    error: text().nullable(),
    attempts: integer(),
    /** Null once it has ended. */
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
  /** What somebody or something used in a day, or an agent in a month: one row for each, raised as it is used. */
  usage_periods: table({
    workspace_id: id().belongsTo('workspaces'),
    environment: id<Environment>(),
    /**
     * Of what: `actor` is a key, a person or the system, `stored` all collections together; `agent_month` is what budgets
     * are kept by.
     */
    kind: id<'actor' | 'agent' | 'collection' | 'stored' | 'agent_month'>(),
    /** A day such as `2026-11-21`, of `agent_month` a month such as `2026-11`; in UTC. */
    period: id(),
    /** The id of the key, person, agent or collection; otherwise `system`. */
    subject_id: id(),
    /** As it was called then; null if it was not looked up. */
    name: text().nullable(),
    requests: integer(),
    /** Runs that ended; of a collection, those that were shown passages of it. */
    runs: integer(),
    /** Those of them whose cost is not known. */
    unpriced_runs: integer(),
    input_tokens: integer(),
    output_tokens: integer(),
    cost_usd: real(),
    /** Of a collection, as it was last seen on that day; null if it was not. */
    documents: integer().nullable(),
    stored_bytes: integer().nullable(),
  }).with(
    'PRIMARY KEY (workspace_id, environment, kind, period, subject_id)',
    'INDEX usage_periods_by_age (period)',
  ),
}
