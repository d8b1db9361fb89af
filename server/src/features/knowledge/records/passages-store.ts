/** The chunks of a version in their order, for reading on. The document has been found within its scope. */
import { sql } from 'kysely'
import type { Query } from '../../../platform/database/database.ts'
import type { ChunkRow } from './documents-store.ts'

export type PassageRow = Pick<ChunkRow, 'id' | 'text' | 'page' | 'start_offset' | 'end_offset'>

/** From the chunk that holds a code point (or the next one, in the gap before it), or from the first of a page. */
export async function readPassageRows(
  query: Query,
  { documentId, version }: { documentId: string; version: number },
  from: { offset: number } | { page: number },
  limit: number,
): Promise<{ rows: PassageRow[]; textLength: number }> {
  const chunks = query
    .selectFrom('chunks')
    .where('document_id', '=', documentId)
    .where('document_version', '=', version)
  const begun =
    'page' in from
      ? chunks.where('page', '>=', from.page)
      : chunks
          .where('end_offset', '>', from.offset)
          .where('position', '>=', ({ selectFrom }) =>
            selectFrom('chunks as first')
              .select(sql<number>`coalesce(max(first.position), 0)`.as('position'))
              .where('first.document_id', '=', documentId)
              .where('first.document_version', '=', version)
              .where('first.start_offset', '<=', from.offset),
          )
  const rows = await begun
    .select(['id', 'text', 'page', 'start_offset', 'end_offset'])
    .orderBy('position')
    .limit(limit)
    .execute()
  const last = await chunks.select('end_offset').orderBy('position', 'desc').limit(1).executeTakeFirst()
  return { rows, textLength: last?.end_offset ?? 0 }
}
