/** Sync sessions: a collection compared with the system that its documents come from. */
import type { Migration } from '../ddl.ts'

export const syncSessionsMigration: Migration = {
  number: 10,
  name: 'sync sessions',
  up: ({ id, integer, real }) => [
    `CREATE TABLE syncs (
      id ${id} PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      environment ${id} NOT NULL,
      collection_id ${id} NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
      status ${id} NOT NULL,
      max_delete_share ${real} NOT NULL,
      entries ${integer} NOT NULL,
      added ${integer} NOT NULL,
      changed ${integer} NOT NULL,
      unchanged ${integer} NOT NULL,
      deleted ${integer} NOT NULL,
      failed ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      expires_at ${integer} NOT NULL,
      finished_at ${integer},
      revision ${integer} NOT NULL
    )`,
    'CREATE INDEX syncs_list ON syncs (collection_id, id)',
    `CREATE UNIQUE INDEX syncs_under_way ON syncs (collection_id)
      WHERE status = 'open' OR status = 'completing'`,
    `CREATE TABLE sync_entries (
      sync_id ${id} NOT NULL REFERENCES syncs (id) ON DELETE CASCADE,
      external_id ${id} NOT NULL,
      sha256 ${id} NOT NULL,
      position ${integer} NOT NULL,
      prior_sha256 ${id},
      missing ${integer} NOT NULL,
      PRIMARY KEY (sync_id, external_id)
    )`,
    `CREATE TABLE sync_deletions (
      sync_id ${id} NOT NULL REFERENCES syncs (id) ON DELETE CASCADE,
      document_id ${id} NOT NULL,
      version ${integer} NOT NULL,
      PRIMARY KEY (sync_id, document_id)
    )`,
  ],
}
