/** Finds the few documents that are not ready among the many that are. */
import type { Migration } from '../ddl.ts'

export const documentsUnderWayMigration: Migration = {
  number: 13,
  name: 'documents under way',
  up: () => [
    "CREATE INDEX documents_under_way ON documents (updated_at) WHERE status <> 'ready' AND status <> 'failed'",
    "CREATE INDEX documents_failed ON documents (workspace_id, environment, id) WHERE status = 'failed'",
  ],
}
