/** Rows of replaced versions: each was ready once, and its file and chunks are kept. */
import type { Selectable } from 'kysely'
import type { Query, Tx } from '../../../platform/database/database.ts'
import type { Tables } from '../../../platform/database/tables.ts'
import type { DocumentRow } from './documents-store.ts'

export type VersionRow = Selectable<Tables['document_versions']>

/** What the document's row says of its latest version, before another takes its place. */
export async function keepVersion(tx: Tx, row: DocumentRow, replacedAt: number): Promise<void> {
  await tx
    .insertInto('document_versions')
    .values({
      document_id: row.id,
      version: row.version,
      name: row.name,
      title: row.title,
      media_type: row.media_type,
      size_bytes: row.size_bytes,
      sha256: row.sha256,
      blob_id: row.blob_id,
      text_length: row.text_length ?? 0,
      page_count: row.page_count,
      chunk_count: row.chunk_count,
      replaced_at: replacedAt,
    })
    .execute()
}

/** Newest first. For a document that the caller has found within its scope. */
export const listVersions = (query: Query, documentId: string): Promise<VersionRow[]> =>
  query
    .selectFrom('document_versions')
    .selectAll()
    .where('document_id', '=', documentId)
    .orderBy('version', 'desc')
    .execute()

export const findVersion = (query: Query, documentId: string, version: number) =>
  query
    .selectFrom('document_versions')
    .selectAll()
    .where('document_id', '=', documentId)
    .where('version', '=', version)
    .executeTakeFirst()

export async function deleteVersionRow(tx: Tx, documentId: string, version: number): Promise<void> {
  await tx
    .deleteFrom('document_versions')
    .where('document_id', '=', documentId)
    .where('version', '=', version)
    .execute()
}
