/** Reads the segments of one document one by one, to rewrite them. The document's row must be locked. */
import type { Tx } from '../../../platform/database/database.ts'

/** From now on nothing of this version is found; `discardVersion` then removes it. */
export async function hideVersion(tx: Tx, documentId: string, version: number): Promise<void> {
  await tx
    .updateTable('search_segments')
    .set({ live: 0 })
    .where('document_id', '=', documentId)
    .where('document_version', '=', version)
    .where('live', '=', 1)
    .execute()
}

/** The last number of what is found of the document; null where nothing is. */
export async function lastPlace(tx: Tx, documentId: string): Promise<number | null> {
  const row = await tx
    .selectFrom('search_segments')
    .select(({ fn }) => fn.max<number | null>('last_number').as('last'))
    .where('document_id', '=', documentId)
    .where('live', '=', 1)
    .executeTakeFirstOrThrow()
  return row.last === null ? null : Number(row.last)
}

/** Hides the first segment that is found and ends at `upTo` at the latest, and answers its chunks; null where none is left. */
export async function hideFirstSegment(
  tx: Tx,
  documentId: string,
  upTo: number,
): Promise<{ chunkIds: string[] } | null> {
  const segment = await tx
    .selectFrom('search_segments')
    .select(['first_number', 'last_number'])
    .where('document_id', '=', documentId)
    .where('live', '=', 1)
    .where('last_number', '<=', upTo)
    .orderBy('first_number')
    .limit(1)
    .executeTakeFirst()
  if (segment === undefined) return null
  await tx
    .updateTable('search_segments')
    .set({ live: 0 })
    .where('first_number', '=', segment.first_number)
    .execute()
  const chunks = await tx
    .selectFrom('search_chunks')
    .select('chunk_id')
    .where('number', '>=', segment.first_number)
    .where('number', '<=', segment.last_number)
    .orderBy('number')
    .execute()
  return { chunkIds: chunks.map(({ chunk_id }) => chunk_id) }
}
