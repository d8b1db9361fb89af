/** Versions of documents that were replaced, the trash, and which runs were shown words of which document. */
import type { Migration } from '../ddl.ts'

export const documentVersionsMigration: Migration = {
  number: 7,
  name: 'document versions',
  up: ({ id, text, integer }) => [
    `ALTER TABLE documents ADD COLUMN served_version ${integer}`,
    `ALTER TABLE documents ADD COLUMN given_title ${text}`,
    `ALTER TABLE documents ADD COLUMN erase_at ${integer}`,
    `UPDATE documents SET served_version = version WHERE status = 'ready'`,
    // What was being deleted before there was a trash is not to be had back.
    'UPDATE documents SET erase_at = deleted_at',
    'CREATE INDEX documents_of_content ON documents (collection_id, sha256, id)',
    'CREATE INDEX documents_to_erase ON documents (erase_at) WHERE erase_at IS NOT NULL',
    `CREATE TABLE document_versions (
      document_id ${id} NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
      version ${integer} NOT NULL,
      name ${text} NOT NULL,
      title ${text},
      media_type ${id} NOT NULL,
      size_bytes ${integer} NOT NULL,
      sha256 ${id} NOT NULL,
      blob_id ${id} NOT NULL,
      text_length ${integer} NOT NULL,
      page_count ${integer},
      chunk_count ${integer} NOT NULL,
      replaced_at ${integer} NOT NULL,
      PRIMARY KEY (document_id, version)
    )`,
    'CREATE INDEX document_versions_blob ON document_versions (blob_id)',
    `ALTER TABLE collections ADD COLUMN stored_bytes ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE collections ADD COLUMN erase_at ${integer}`,
    'UPDATE collections SET erase_at = deleted_at',
    `UPDATE collections SET stored_bytes =
      (SELECT coalesce(sum(size_bytes), 0) FROM documents WHERE documents.collection_id = collections.id)`,
    'CREATE INDEX collections_to_erase ON collections (erase_at) WHERE erase_at IS NOT NULL',
    'CREATE INDEX idempotency_resource ON idempotency (resource_id) WHERE resource_id IS NOT NULL',
    `CREATE TABLE run_documents (
      document_id ${id} NOT NULL,
      run_id ${id} NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      PRIMARY KEY (document_id, run_id)
    )`,
    'CREATE INDEX run_documents_of_run ON run_documents (run_id)',
    `INSERT INTO run_documents (document_id, run_id)
      SELECT DISTINCT documents.id, run_steps.run_id FROM run_steps
      JOIN runs ON runs.id = run_steps.run_id
      JOIN documents ON documents.workspace_id = runs.workspace_id AND documents.environment = runs.environment
      WHERE run_steps.type = 'tool' AND run_steps.record LIKE '%' || documents.id || '%'`,
  ],
}
