/** Webhooks: whom a workspace tells of what happened, what was sent and what came back; events of more kinds. */
import type { Migration } from '../ddl.ts'

export const webhooksMigration: Migration = {
  number: 25,
  name: 'webhooks',
  up: ({ id, text, json, integer }) => [
    `ALTER TABLE events ADD COLUMN collection_id ${id}`,
    `ALTER TABLE events ADD COLUMN unique_key ${id}`,
    `CREATE UNIQUE INDEX events_unique ON events (workspace_id, environment, unique_key)
      WHERE unique_key IS NOT NULL`,
    `CREATE TABLE webhooks (
      id ${id} PRIMARY KEY,
      workspace_id ${id} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      environment ${id} NOT NULL,
      url ${text} NOT NULL,
      description ${text},
      event_types ${json},
      agent_ids ${json},
      collection_ids ${json},
      narrowing ${text} NOT NULL,
      enabled ${integer} NOT NULL,
      disabled_reason ${id},
      secret ${text},
      previous_secret ${text},
      previous_secret_expires_at ${integer},
      failures ${integer} NOT NULL,
      failing_since ${integer},
      last_failure_at ${integer},
      paused_until ${integer},
      deleted_at ${integer},
      created_by ${id},
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      revision ${integer} NOT NULL
    )`,
    'CREATE INDEX webhooks_list ON webhooks (workspace_id, environment, id)',
    `CREATE TABLE webhook_deliveries (
      id ${id} PRIMARY KEY,
      webhook_id ${id} NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
      event_id ${id} NOT NULL,
      event_type ${id} NOT NULL,
      origin ${id} NOT NULL,
      status ${id} NOT NULL,
      error ${text},
      attempts ${integer} NOT NULL,
      next_attempt_at ${integer},
      created_at ${integer} NOT NULL,
      finished_at ${integer}
    )`,
    'CREATE INDEX webhook_deliveries_list ON webhook_deliveries (webhook_id, id)',
    'CREATE INDEX webhook_deliveries_event ON webhook_deliveries (webhook_id, event_id)',
    `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, next_attempt_at)
      WHERE status = 'pending'`,
    `CREATE TABLE webhook_attempts (
      delivery_id ${id} NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
      number ${integer} NOT NULL,
      url ${text} NOT NULL,
      started_at ${integer} NOT NULL,
      duration_ms ${integer} NOT NULL,
      status_code ${integer},
      reply_headers ${json},
      reply_body ${text},
      error ${text},
      PRIMARY KEY (delivery_id, number)
    )`,
  ],
}
