/** The SQL that writes an index. Every writer locks the index first, so that writers wait for each other. */

import { sql } from 'kysely'
import { analysisVersion } from '../../../../platform/analysis/analyse.ts'
import type { Scope } from '../../../../platform/caller.ts'
import type { Engine, Tx } from '../../../../platform/database/database.ts'
import { insertRows } from '../../../../platform/database/rows.ts'
import { isOneOf, statement } from '../../../../platform/database/statement.ts'
import type { WholeScope } from '../../records/document-jobs.ts'
import { deleteSearchVectors } from '../../records/vectors-store.ts'
import type { EncodedTerms } from './chunk-terms.ts'
import { postingToken, unpackPostings } from './postings.ts'
import type { ChunkProfile, IndexTotals, LevelCounts, StatisticsChange } from './statistics.ts'

/** Places per collection: a chunk's number is its collection's number × this + its place. */
export const placesPerCollection = 2 ** 30

/** Locks the scope's index until the transaction ends, and returns its number; null if nothing was ever indexed. */
export async function lockIndex(scope: Scope, tx: Tx): Promise<number | null> {
  const { rows } = await lockNumber(tx, scope)
  return rows[0]?.number ?? null
}

const lockNumber = statement((query, { workspaceId, environment }: WholeScope) =>
  query
    .selectFrom('search_indexes')
    .select('number')
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', environment)
    .forUpdate(),
)

/** Like `lockIndex`, but makes the index if there is none. */
export async function lockOrMakeIndex(scope: Scope, tx: Tx): Promise<number> {
  const known = await lockIndex(scope, tx)
  if (known !== null) return known
  const empty = {
    chunk_count: 0,
    body_length: 0,
    title_length: 0,
    name_length: 0,
    headings_length: 0,
    title_count: 0,
    name_count: 0,
    headings_count: 0,
  }
  await tx
    .insertInto('search_indexes')
    .values({ workspace_id: scope.workspaceId, environment: scope.environment, ...empty })
    .onConflict(conflict => conflict.columns(['workspace_id', 'environment']).doNothing())
    .execute()
  const made = await lockIndex(scope, tx)
  if (made === null) throw new Error('The search index that was just made is not there')
  return made
}

/**
 * Takes the collection's next `count` places. Returns the collection's number and the first chunk's number. A deleted
 * collection starts as removed, so that search finds nothing of it before `setRemoved`.
 */
export async function reservePlaces(
  tx: Tx,
  index: number,
  collectionId: string,
  count: number,
): Promise<{ collection: number; firstNumber: number }> {
  const [reserved] = (await addPlaces(tx, { index, collectionId, count })).rows
  if (reserved === undefined || reserved.next_place > placesPerCollection) {
    throw new Error(`The collection ${collectionId} has no place left`)
  }
  const { number, next_place } = reserved
  return { collection: number, firstNumber: number * placesPerCollection + next_place - count }
}

const addPlaces = statement((tx, added: { index: number; collectionId: string; count: number }) =>
  tx
    .insertInto('search_collections')
    .values({
      collection_id: added.collectionId,
      index_number: added.index,
      chunk_count: added.count,
      removed: sql`CASE WHEN EXISTS (
        SELECT 1 FROM collections WHERE id = ${added.collectionId} AND deleted_at IS NOT NULL
      ) THEN 1 ELSE 0 END`,
      next_place: added.count,
    })
    .onConflict(conflict =>
      conflict.column('collection_id').doUpdateSet({
        chunk_count: sql`search_collections.chunk_count + excluded.chunk_count`,
        next_place: sql`search_collections.next_place + excluded.next_place`,
      }),
    )
    .returning(['number', 'next_place']),
)

/** Chunks of one version of a document, numbered without a gap. */
export type Segment = {
  firstNumber: number
  lastNumber: number
  collection: number
  documentId: string
  documentVersion: number
}

/** Search does not return a new segment before `showVersion`. */
export async function insertSegment(tx: Tx, index: number, segment: Segment): Promise<void> {
  await addSegment(tx, { index, ...segment })
}

const addSegment = statement((tx, segment: Segment & { index: number }) =>
  tx.insertInto('search_segments').values({
    first_number: segment.firstNumber,
    last_number: segment.lastNumber,
    index_number: segment.index,
    collection_number: segment.collection,
    document_id: segment.documentId,
    document_version: segment.documentVersion,
    live: 0,
    analysis: analysisVersion,
  }),
)

/** A chunk with its place in the index. `profile` holds the terms by which it is found. */
export type IndexEntry = {
  number: number
  collection: number
  documentId: string
  chunkId: string
  terms: EncodedTerms
  profile: ChunkProfile
}

export async function insertEntries(
  tx: Tx,
  engine: Engine,
  index: number,
  entries: readonly IndexEntry[],
): Promise<void> {
  await insertRows(
    tx,
    'search_chunks',
    entries.map(({ number, chunkId, documentId, terms }) => ({
      number,
      chunk_id: chunkId,
      document_id: documentId,
      terms,
    })),
  )
  const tokensOf = ({ levels }: ChunkProfile): string[] =>
    Array.from(levels, ([term, level]) => postingToken(index, level, term))
  if (engine === 'sqlite') {
    const rows = entries.map(({ number, profile }) => [number, tokensOf(profile).join(' ')])
    await sql`INSERT INTO search_postings (rowid, tokens)
      SELECT value ->> 0, value ->> 1 FROM json_each(${JSON.stringify(rows)})`.execute(tx)
  } else {
    const rows = entries.map(({ number, collection, profile }) => {
      const tokens = [collectionToken(collection), ...tokensOf(profile)]
      return sql`(${number}::bigint, array_to_tsvector(${tokens}::text[]))`
    })
    await sql`INSERT INTO search_postings (rowid, tokens) VALUES ${sql.join(rows)}`.execute(tx)
  }
}

/** The token of a collection's chunks on PostgreSQL. SQLite reads a number range. No term's token begins with `c`. */
export const collectionToken = (collection: number): string => `c${collection}`

/** Search now finds the document's segments of this version, and no others. */
export async function showVersion(tx: Tx, index: number, documentId: string, version: number): Promise<void> {
  await sql`UPDATE search_segments SET live = CASE WHEN document_version = ${version} THEN 1 ELSE 0 END
    WHERE index_number = ${index} AND document_id = ${documentId}`.execute(tx)
}

export async function hideDocument(tx: Tx, index: number, documentId: string): Promise<void> {
  await tx
    .updateTable('search_segments')
    .set({ live: 0 })
    .where('index_number', '=', index)
    .where('document_id', '=', documentId)
    .execute()
}

/** 1: search no longer finds anything of the collection. 0: search finds the collection again. */
export async function setRemoved(tx: Tx, index: number, collectionId: string, removed: 0 | 1): Promise<void> {
  await tx
    .updateTable('search_collections')
    .set({ removed })
    .where('index_number', '=', index)
    .where('collection_id', '=', collectionId)
    .execute()
}

export async function deleteCollection(tx: Tx, index: number, collectionId: string): Promise<void> {
  await tx
    .deleteFrom('search_collections')
    .where('index_number', '=', index)
    .where('collection_id', '=', collectionId)
    .execute()
}

/** Selects hidden segments of a document: all of them, those of one version, or those before a version. */
export type HiddenSegments = { documentId: string; version?: number; beforeVersion?: number }

/** In the order of their numbers. */
export async function listHiddenSegments(tx: Tx, index: number, which: HiddenSegments): Promise<Segment[]> {
  let query = tx
    .selectFrom('search_segments')
    .selectAll()
    .where('index_number', '=', index)
    .where('document_id', '=', which.documentId)
    // A literal: SQLite prepares a statement again for each call if a partial index depends on a parameter.
    .where(sql<boolean>`live = 0`)
  if (which.version !== undefined) query = query.where('document_version', '=', which.version)
  if (which.beforeVersion !== undefined) query = query.where('document_version', '<', which.beforeVersion)
  const rows = await query.orderBy('first_number').execute()
  return rows.map(row => ({
    firstNumber: row.first_number,
    lastNumber: row.last_number,
    collection: row.collection_number,
    documentId: row.document_id,
    documentVersion: row.document_version,
  }))
}

/** Each chunk's terms, as they were indexed. */
export async function readTerms(tx: Tx, segment: Segment): Promise<EncodedTerms[]> {
  const rows = await tx
    .selectFrom('search_chunks')
    .select('terms')
    .where('number', '>=', segment.firstNumber)
    .where('number', '<=', segment.lastNumber)
    .execute()
  return rows.map(row => row.terms)
}

/**
 * Removes the segment with its chunks, their postings and vectors. `terms` are all terms that the chunks have. The
 * caller changes the statistics.
 */
export async function deleteSegment(
  tx: Tx,
  engine: Engine,
  index: number,
  segment: Segment,
  terms: readonly string[],
): Promise<void> {
  const { firstNumber, lastNumber, collection } = segment
  await unpackPostings(tx, engine, index, { first: firstNumber, last: lastNumber }, terms)
  // FTS5 heeds the bounds of a range only if they are integers, and `node:sqlite` binds a real number.
  await sql`DELETE FROM search_postings
    WHERE rowid BETWEEN CAST(${firstNumber} AS BIGINT) AND CAST(${lastNumber} AS BIGINT)`.execute(tx)
  await tx
    .deleteFrom('search_chunks')
    .where('number', '>=', firstNumber)
    .where('number', '<=', lastNumber)
    .execute()
  await deleteSearchVectors(tx, segment)
  await tx.deleteFrom('search_segments').where('first_number', '=', firstNumber).execute()
  await tx
    .updateTable('search_collections')
    .set(row => ({ chunk_count: row('chunk_count', '-', lastNumber - firstNumber + 1) }))
    .where('number', '=', collection)
    .execute()
}

/**
 * Search no longer finds this version; `discardVersion` then removes it. The caller has locked the document's row, as
 * for the next three functions.
 */
export async function hideVersion(tx: Tx, documentId: string, version: number): Promise<void> {
  await tx
    .updateTable('search_segments')
    .set({ live: 0 })
    .where('document_id', '=', documentId)
    .where('document_version', '=', version)
    .where('live', '=', 1)
    .execute()
}

/** How many chunks of this version are indexed, hidden ones included. */
export async function countIndexed(tx: Tx, documentId: string, version: number): Promise<number> {
  const { count } = await tx
    .selectFrom('search_segments')
    .select(sql<number | null>`sum(last_number - first_number + 1)`.as('count'))
    .where('document_id', '=', documentId)
    .where('document_version', '=', version)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The last number in the document's live segments; null if there are none. */
export async function lastPlace(tx: Tx, documentId: string): Promise<number | null> {
  const row = await tx
    .selectFrom('search_segments')
    .select(({ fn }) => fn.max<number | null>('last_number').as('last'))
    .where('document_id', '=', documentId)
    .where('live', '=', 1)
    .executeTakeFirstOrThrow()
  return row.last === null ? null : Number(row.last)
}

/** Hides the document's first live segment that ends at or before `upTo`. Returns its chunks, or null if none. */
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

/** Changes the statistics of the whole index. Call this in the transaction that changes the chunks. */
export async function addStatistics(
  tx: Tx,
  engine: Engine,
  index: number,
  { totals, terms, languages }: StatisticsChange,
): Promise<void> {
  await addTotals(tx, { index, ...totals })
  await addLanguages(tx, index, languages)
  await addTermCounts(tx, engine, index, terms)
}

const addTotals = statement((tx, totals: IndexTotals & { index: number }) =>
  tx
    .updateTable('search_indexes')
    .set(row => ({
      chunk_count: row('chunk_count', '+', totals.chunkCount),
      body_length: row('body_length', '+', totals.bodyLength),
      title_length: row('title_length', '+', totals.titleLength),
      name_length: row('name_length', '+', totals.nameLength),
      headings_length: row('headings_length', '+', totals.headingsLength),
      title_count: row('title_count', '+', totals.titleCount),
      name_count: row('name_count', '+', totals.nameCount),
      headings_count: row('headings_count', '+', totals.headingsCount),
    }))
    .where('number', '=', totals.index),
)

async function addLanguages(tx: Tx, index: number, languages: StatisticsChange['languages']): Promise<void> {
  const rows = [...languages].sort(([a], [b]) => (a < b ? -1 : 1))
  await tx
    .insertInto('search_languages')
    .values(rows.map(([language, count]) => ({ index_number: index, language, chunk_count: count })))
    .onConflict(conflict =>
      conflict.columns(['index_number', 'language']).doUpdateSet({
        chunk_count: sql`search_languages.chunk_count + excluded.chunk_count`,
      }),
    )
    .execute()
}

/** Adds to the terms' counts, and forgets the terms that no chunk contains any longer. */
async function addTermCounts(
  tx: Tx,
  engine: Engine,
  index: number,
  terms: ReadonlyMap<string, LevelCounts>,
): Promise<void> {
  if (terms.size === 0) return
  const rows = [...terms].sort(([a], [b]) => (a < b ? -1 : 1))
  const changes =
    engine === 'sqlite'
      ? sql`WITH alike (level_0, level_1, level_2, level_3, terms) AS MATERIALIZED (
            SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4
            FROM json_each(${JSON.stringify(alike(rows))})
          )
          SELECT ${index}, term.value, level_0, level_1, level_2, level_3
          FROM alike, json_each(alike.terms) AS term WHERE true`
      : sql`SELECT ${index}::bigint, * FROM unnest(${rows.map(([term]) => term)}::text[],
          ${rows.map(([, counts]) => counts[0])}::bigint[], ${rows.map(([, counts]) => counts[1])}::bigint[],
          ${rows.map(([, counts]) => counts[2])}::bigint[], ${rows.map(([, counts]) => counts[3])}::bigint[])`
  await sql`INSERT INTO search_terms (index_number, term, level_0, level_1, level_2, level_3) ${changes}
    ON CONFLICT (index_number, term) DO UPDATE SET
      level_0 = search_terms.level_0 + excluded.level_0, level_1 = search_terms.level_1 + excluded.level_1,
      level_2 = search_terms.level_2 + excluded.level_2, level_3 = search_terms.level_3 + excluded.level_3
  `.execute(tx)
  const shrunk = rows.filter(([, counts]) => counts.some(count => count < 0)).map(([term]) => term)
  if (shrunk.length === 0) return
  await sql`DELETE FROM search_terms
    WHERE index_number = ${index} AND term ${isOneOf(engine, shrunk, sql`text`)} AND level_0 + level_1 + level_2 + level_3 = 0
  `.execute(tx)
}

/** Groups the terms with the same counts into few lists, because the counts of each list are parsed only once. */
function alike(rows: readonly [string, LevelCounts][]): [...LevelCounts, string[]][] {
  const lists = new Map<string, [...LevelCounts, string[]]>()
  for (const [term, counts] of rows) {
    const key = counts.join()
    const list = lists.get(key)
    if (list === undefined) lists.set(key, [...counts, [term]])
    else list[4].push(term)
  }
  return [...lists.values()]
}

/** A small number, so that each slice holds the one writer only for a short time. */
const pagesPerSlice = 16

/**
 * Removes deleted words from SQLite's postings: FTS5 keeps them in its segments until the segments are merged. Merges
 * a slice of the segments into one without deleted words. Returns whether there was anything to merge. `begin` takes
 * up every present segment; without it, the last merge continues.
 */
export async function mergePostings(tx: Tx, { begin }: { begin: boolean }): Promise<boolean> {
  const before = await countChanges(tx)
  await sql`INSERT INTO search_postings (search_postings, rank)
    VALUES ('merge', ${sql.lit(begin ? -pagesPerSlice : pagesPerSlice)})`.execute(tx)
  // FTS5's documentation says that the statement itself counts as one change.
  return (await countChanges(tx)) - before >= 2
}

async function countChanges(tx: Tx): Promise<number> {
  const { rows } = await sql<{ changes: number }>`SELECT total_changes() AS changes`.execute(tx)
  return rows[0]?.changes ?? 0
}
