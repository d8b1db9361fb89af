/** Which entries of the audit log are parts of one change, such as the files of one upload: one entry stands for them in lists. */
import type { Migration } from '../ddl.ts'

export const partsOfChangesMigration: Migration = {
  number: 33,
  name: 'parts of changes',
  up: ({ integer }) => [
    `ALTER TABLE audit_log ADD COLUMN is_part ${integer} NOT NULL DEFAULT 0`,
    // A list passes over any number of parts without reading them.
    'CREATE INDEX audit_log_changes ON audit_log (workspace_id, id, environment) WHERE is_part = 0',
  ],
}
