/** Resumable uploads: files that arrive piece by piece before they become documents. */
import type { Migration } from '../ddl.ts'

export const resumableUploadsMigration: Migration = {
  number: 11,
  name: 'resumable uploads',
  up: ({ id, text, json, integer }) => [
    `CREATE TABLE uploads (
      id ${id} PRIMARY KEY,
      workspace_id ${id} NOT NULL REFERENCES workspaces (id),
      environment ${id} NOT NULL,
      collection_id ${id} NOT NULL,
      status ${id} NOT NULL,
      name ${text} NOT NULL,
      stated_media_type ${text} NOT NULL,
      fields ${json} NOT NULL,
      caller ${json} NOT NULL,
      length_bytes ${integer} NOT NULL,
      offset_bytes ${integer} NOT NULL,
      document_id ${id},
      error_code ${id},
      error_message ${text},
      lock_token ${id},
      lock_until ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      expires_at ${integer} NOT NULL
    )`,
    'CREATE INDEX uploads_list ON uploads (workspace_id, environment, id)',
    'CREATE INDEX uploads_expiry ON uploads (expires_at)',
  ],
}
