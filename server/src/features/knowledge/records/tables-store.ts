/** Rows of tables: where they lie in the text of a version. The caller has found the document within its scope. */
import { type SqlBool, sql } from 'kysely'
import type { Query } from '../../../platform/database/database.ts'
import { countOf } from '../../../platform/database/rows.ts'
import type { TableRow } from './chunks-store.ts'

type Version = { documentId: string; version: number }

/** What a row keeps one a line. */
export const linesOf = (stored: string): string[] => (stored === '' ? [] : stored.split('\n'))

const tablesOf = (query: Query, { documentId, version }: Version) =>
  query
    .selectFrom('document_tables')
    .where('document_id', '=', documentId)
    .where('document_version', '=', version)

/** The tables that begin in a part of the text. */
export const listTables = (
  query: Query,
  version: Version,
  { first, last }: { first: number; last: number },
): Promise<TableRow[]> =>
  tablesOf(query, version)
    .selectAll()
    .where('start_offset', '>=', first)
    .where('start_offset', '<', last)
    .orderBy('start_offset')
    .execute()

/** Tables that end behind a place of the text, in their order, and the number of those that end before it. */
export async function pageTables(
  query: Query,
  version: Version,
  { from, offset, limit }: { from: number; offset: number; limit: number },
): Promise<{ items: TableRow[]; before: number; total: number }> {
  const items = await tablesOf(query, version)
    .selectAll()
    .where('end_offset', '>', from)
    .orderBy('start_offset')
    .offset(offset)
    .limit(limit)
    .execute()
  const all = await countOf(tablesOf(query, version))
  const before = from === 0 ? 0 : await countOf(tablesOf(query, version).where('end_offset', '<=', from))
  return { items, before, total: all - before }
}

export type Stretch = Version & { startOffset: number; endOffset: number }

/** The tables with named columns in which the stretches lie, at least in part. */
export function tablesAt(query: Query, stretches: readonly Stretch[]): Promise<TableRow[]> {
  return query
    .selectFrom('document_tables')
    .selectAll()
    .where('columns', '<>', '')
    .where(({ or }) => or(stretches.map(isWithin)))
    .execute()
}

/** The last table that begins before the stretch is the only one of those that may reach into it. */
const isWithin = ({ documentId, version, startOffset, endOffset }: Stretch) => sql<SqlBool>`(
  document_id = ${documentId} AND document_version = ${version}
  AND end_offset > ${startOffset} AND start_offset < ${endOffset}
  AND start_offset >= coalesce((SELECT max(first.start_offset) FROM document_tables AS first
    WHERE first.document_id = ${documentId} AND first.document_version = ${version}
    AND first.start_offset <= ${startOffset}), 0))`
