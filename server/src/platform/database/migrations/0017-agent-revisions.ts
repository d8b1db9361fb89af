/** Agents whose published revision need not be the latest, and runs that are run again and judged. */
import type { Migration } from '../ddl.ts'

export const agentRevisionsMigration: Migration = {
  number: 17,
  name: 'agent revisions',
  up: ({ id, text, json, integer }) => [
    `ALTER TABLE agents ADD COLUMN published_revision ${integer} NOT NULL DEFAULT 1`,
    `ALTER TABLE agents ADD COLUMN change_count ${integer} NOT NULL DEFAULT 1`,
    'UPDATE agents SET published_revision = revision, change_count = revision',
    `ALTER TABLE agents ADD COLUMN fallback_model ${text}`,
    `ALTER TABLE agents ADD COLUMN approval_tools ${json} NOT NULL DEFAULT '[]'`,
    `ALTER TABLE agents ADD COLUMN http_hosts ${json} NOT NULL DEFAULT '[]'`,
    `ALTER TABLE agents ADD COLUMN agent_ids ${json} NOT NULL DEFAULT '[]'`,
    `ALTER TABLE agents ADD COLUMN variables ${json} NOT NULL DEFAULT '{}'`,
    `ALTER TABLE agents ADD COLUMN limits ${json} NOT NULL DEFAULT '{}'`,
    `ALTER TABLE runs ADD COLUMN rerun_of ${id}`,
    `ALTER TABLE runs ADD COLUMN wanted_model ${text}`,
    `ALTER TABLE runs ADD COLUMN feedback_rating ${id}`,
    `ALTER TABLE runs ADD COLUMN feedback_comment ${text}`,
    `ALTER TABLE runs ADD COLUMN feedback_end_user_id ${text}`,
    `ALTER TABLE runs ADD COLUMN feedback_at ${integer}`,
    `ALTER TABLE runs ADD COLUMN change_count ${integer} NOT NULL DEFAULT 0`,
    'CREATE INDEX runs_with_feedback ON runs (agent_id, feedback_rating, id) WHERE feedback_rating IS NOT NULL',
  ],
}
