/** Rows of chunks, as the index is written from them. The document has been found within its scope. */
import type { Query, Tx } from '../../../platform/database/database.ts'

type IndexableChunk = { id: string; headings: string; text: string }

/** `count` chunks of a version, from a position on. */
export const readChunkSlice = (
  query: Query,
  version: { id: string; version: number },
  position: number,
  count: number,
): Promise<IndexableChunk[]> =>
  query
    .selectFrom('chunks')
    .select(['id', 'headings', 'text'])
    .where('document_id', '=', version.id)
    .where('document_version', '=', version.version)
    .where('position', '>=', position)
    .where('position', '<', position + count)
    .orderBy('position')
    .execute()

export const readChunksById = (query: Query, ids: readonly string[]): Promise<IndexableChunk[]> =>
  query
    .selectFrom('chunks')
    .select(['id', 'headings', 'text'])
    .where('id', 'in', ['', ...ids])
    .orderBy('position')
    .execute()

/** The versions of which a document has chunks. */
export async function listChunkVersions(tx: Tx, documentId: string): Promise<number[]> {
  const rows = await tx
    .selectFrom('chunks')
    .select('document_version')
    .distinct()
    .where('document_id', '=', documentId)
    .execute()
  return rows.map(row => row.document_version)
}
