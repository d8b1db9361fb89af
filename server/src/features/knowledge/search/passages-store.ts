/** The SQL that reads the fields of results: the chunks' positions in their documents, and their texts. */
import { sql } from 'kysely'
import type { Scope } from '../../../platform/caller.ts'
import type { Engine, Query } from '../../../platform/database/database.ts'
import { isOneOf } from '../../../platform/database/statement.ts'

/** The chunk numbers that are the first or the last of their segment. */
export async function readBorders(
  query: Query,
  engine: Engine,
  numbers: readonly number[],
): Promise<Set<number>> {
  if (numbers.length === 0) return new Set()
  const asked =
    engine === 'sqlite'
      ? sql`(SELECT value AS number FROM json_each(${JSON.stringify(numbers)}))`
      : sql`unnest(${numbers}::bigint[]) AS number`
  const { rows } = await sql<{ number: number }>`SELECT number FROM ${asked}
    WHERE (SELECT number IN (first_number, last_number) FROM search_segments
      WHERE first_number <= number ORDER BY first_number DESC LIMIT 1)`.execute(query)
  return new Set(rows.map(({ number }) => number))
}

/** The chunks' positions in their documents. */
export async function readPositions(
  query: Query,
  engine: Engine,
  ids: readonly string[],
): Promise<Map<string, { version: number; position: number; page: number | null }>> {
  if (ids.length === 0) return new Map()
  const rows = await query
    .selectFrom('chunks')
    .select(['id', 'document_version as version', 'position', 'page'])
    .where(sql<boolean>`id ${isOneOf(engine, ids, sql`text`)}`)
    .execute()
  return new Map(rows.map(({ id, ...place }) => [id, place]))
}

/** The scope's chunks with these ids, with fields of their documents. */
export const readChunks = (scope: Scope, query: Query, engine: Engine, ids: readonly string[]) =>
  query
    .selectFrom('chunks')
    .innerJoin('documents', 'documents.id', 'chunks.document_id')
    .select([
      'chunks.id',
      'chunks.document_id',
      'chunks.document_version',
      'chunks.headings',
      'chunks.text',
      'chunks.gap',
    ])
    .select(['chunks.page', 'chunks.start_offset', 'chunks.end_offset'])
    .select(['chunks.collection_id', 'documents.name', 'documents.title'])
    .select(['documents.external_id', 'documents.metadata'])
    .where('chunks.workspace_id', '=', scope.workspaceId)
    .where('chunks.environment', '=', scope.environment)
    .where(sql<boolean>`chunks.id ${isOneOf(engine, ids, sql`text`)}`)
    .execute()
