/** Imports of collections: where an archive lies while it is taken in, and what has become of it. */
import type { Migration } from '../ddl.ts'

export const importsMigration: Migration = {
  number: 14,
  name: 'imports',
  up: ({ id, text, integer, real }) => [
    `CREATE TABLE imports (
      id ${id} PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      environment ${id} NOT NULL,
      status ${id} NOT NULL,
      progress ${real} NOT NULL,
      error_code ${id},
      error_message ${text},
      name ${text},
      blob_id ${id} NOT NULL,
      size_bytes ${integer} NOT NULL,
      collection_id ${id},
      document_count ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      finished_at ${integer},
      revision ${integer} NOT NULL
    )`,
    'CREATE INDEX imports_list ON imports (workspace_id, environment, id)',
  ],
}
