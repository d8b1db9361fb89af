/** Metadata in rows, so that filters find documents by it, and the job that fills them for the documents of before. */
import type { Migration } from '../ddl.ts'

export const documentFieldsMigration: Migration = {
  number: 8,
  name: 'document_fields',
  up: ({ engine, id, integer, real }) => [
    `CREATE TABLE document_fields (
      document_id ${id} NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
      place ${integer} NOT NULL,
      workspace_id ${id} NOT NULL,
      environment ${id} NOT NULL,
      name ${id} NOT NULL,
      kind ${id} NOT NULL,
      listed ${integer} NOT NULL,
      text_start ${id},
      text ${id},
      number ${real},
      PRIMARY KEY (document_id, place)
    )`,
    'CREATE INDEX document_fields_texts ON document_fields (workspace_id, environment, name, text_start)',
    'CREATE INDEX document_fields_numbers ON document_fields (workspace_id, environment, name, number)',
    // A migration is SQL alone, and which text is a date is decided in one place, which is not SQL.
    `INSERT INTO jobs (id, queue, lane, payload, state, run_at, attempts, created_at)
      SELECT 'job_00000000000000000000000008', 'knowledge-fields', 'system', '{}', 'queued', 0, 0, ${nowOf[engine]}
      WHERE EXISTS (SELECT 1 FROM documents WHERE metadata <> '{}')`,
  ],
}

const nowOf = {
  sqlite: `CAST(unixepoch('subsec') * 1000 AS INTEGER)`,
  postgres: 'CAST(extract(epoch FROM now()) * 1000 AS BIGINT)',
}
