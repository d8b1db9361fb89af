/** The languages of an index, and by which analysis each of its chunks was indexed. */
import type { Migration } from '../ddl.ts'

export const searchLanguagesMigration: Migration = {
  number: 12,
  name: 'search languages',
  up: ({ id, integer }) => [
    `CREATE TABLE search_languages (
      index_number ${integer} NOT NULL REFERENCES search_indexes (number),
      language ${id} NOT NULL,
      chunk_count ${integer} NOT NULL,
      PRIMARY KEY (index_number, language)
    )`,
    // Up to here every chunk was analysed as English.
    `INSERT INTO search_languages (index_number, language, chunk_count)
      SELECT number, 'en', chunk_count FROM search_indexes WHERE chunk_count > 0`,
    `ALTER TABLE search_segments ADD COLUMN analysis ${integer} NOT NULL DEFAULT 1`,
    'CREATE INDEX search_segments_analysis ON search_segments (analysis, document_id)',
  ],
}
