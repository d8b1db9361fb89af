/** Rows of chunks, the pieces of a version's text. The caller has found the document within its scope. */
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { type Page, type PageRequest, unknownAfter } from '../../../platform/database/page.ts'
import { countOf, insertRows } from '../../../platform/database/rows.ts'
import { statement } from '../../../platform/database/statement.ts'
import type { Tables } from '../../../platform/database/tables.ts'

export type ChunkRow = Selectable<Tables['chunks']>

export type TableRow = Selectable<Tables['document_tables']>

/** The headings above a chunk, which its row keeps one a line. */
export const headingsOf = (stored: string): string[] => (stored === '' ? [] : stored.split('\n'))

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

/** The versions of a document that have chunks. */
export async function listChunkVersions(tx: Tx, documentId: string): Promise<number[]> {
  const rows = await tx
    .selectFrom('chunks')
    .select('document_version')
    .distinct()
    .where('document_id', '=', documentId)
    .execute()
  return rows.map(row => row.document_version)
}

/** A version's chunks in order; `after` is the id of a chunk. Throws the same errors as `pageOf`. */
export async function listChunks(
  query: Query,
  { documentId, version }: { documentId: string; version: number },
  { page, pageSize, after }: PageRequest,
): Promise<Page<ChunkRow>> {
  const chunks = query
    .selectFrom('chunks')
    .where('document_id', '=', documentId)
    .where('document_version', '=', version)
  const last =
    after === undefined
      ? { position: -1 }
      : await chunks.select('position').where('id', '=', after).executeTakeFirst()
  if (last === undefined) throw unknownAfter()
  const items = await chunks
    .selectAll()
    .where('position', '>', last.position)
    .orderBy('position')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  return { items, total: await countOf(chunks) }
}

/** Starts at the chunk that holds a code point (or at the next one, in a gap), or at the first of a page. */
export async function readPassageRows(
  query: Query,
  { documentId, version }: { documentId: string; version: number },
  from: { offset: number } | { page: number },
  limit: number,
) {
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
    .select(['id', 'headings', 'text', 'page', 'start_offset', 'end_offset'])
    .orderBy('position')
    .limit(limit)
    .execute()
  const last = await chunks.select('end_offset').orderBy('position', 'desc').limit(1).executeTakeFirst()
  return { rows, textLength: last?.end_offset ?? 0 }
}

/** The chunks, in order, that hold code points from `from` up to `to`, in their text or the gap after it. */
export const readChunkTexts = (
  query: Query,
  version: { documentId: string; version: number },
  from: number,
  to: number,
): Promise<Pick<ChunkRow, 'start_offset' | 'text' | 'gap'>[]> =>
  query
    .selectFrom('chunks')
    .select(['start_offset', 'text', 'gap'])
    .where('document_id', '=', version.documentId)
    .where('document_version', '=', version.version)
    .where('start_offset', '<', to)
    .where('position', '>=', ({ selectFrom }) =>
      selectFrom('chunks as first')
        .select(sql<number>`coalesce(max(first.position), 0)`.as('position'))
        .where('first.document_id', '=', version.documentId)
        .where('first.document_version', '=', version.version)
        .where('first.start_offset', '<=', from),
    )
    .orderBy('position')
    .execute()

/** `tables` begin in these chunks. */
export async function insertChunks(
  tx: Tx,
  rows: readonly Insertable<Tables['chunks']>[],
  tables: readonly TableRow[],
): Promise<void> {
  await insertRows(tx, 'chunks', rows)
  await insertRows(tx, 'document_tables', tables)
}

/**
 * Removes a slice of a document's chunks, or of the chunks of one version, with its tables. Returns how many chunks
 * were removed.
 */
export async function deleteChunks(tx: Tx, documentId: string, version?: number): Promise<number> {
  const tables = tx.deleteFrom('document_tables').where('document_id', '=', documentId)
  await (version === undefined ? tables : tables.where('document_version', '=', version)).execute()
  const { numDeletedRows } = await tx
    .deleteFrom('chunks')
    .where('id', 'in', ({ selectFrom }) => {
      const chunks = selectFrom('chunks').select('id').where('document_id', '=', documentId)
      const wanted = version === undefined ? chunks : chunks.where('document_version', '=', version)
      return wanted.limit(chunksAtOnce)
    })
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** A transaction of this size takes the one writer about 10 ms. */
const chunksAtOnce = 500

export async function hasChunks(query: Query, documentId: string, version: number): Promise<boolean> {
  return (await selectAnyChunk(query, { documentId, version })).rows.length > 0
}

const selectAnyChunk = statement((query, version: { documentId: string; version: number }) =>
  query
    .selectFrom('chunks')
    .select('id')
    .where('document_id', '=', version.documentId)
    .where('document_version', '=', version.version)
    .limit(1),
)
