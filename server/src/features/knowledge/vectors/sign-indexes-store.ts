/**
 * The SQL of pgvector's indexes over the signs in `search_vectors`. The indexes are derived; the rows are the data.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Query } from '../../../platform/database/database.ts'
import { wordsFor } from '../records/vector-bytes.ts'
import { placesPerCollection } from '../search/index/index-store.ts'
import type { Narrowing } from '../search/ranking/narrowing.ts'

/** What an index holds: the signs of one search index's chunks by one model. */
export type SignIndex = { index: number; model: number; dimensions: number }

export type SignIndexState = { name: string; isValid: boolean; isBeingMade: boolean }

/** The first version whose indexes continue the scan if a condition leaves too few rows. */
const oldestMajor = 0
const oldestMinor = 8
const prefix = 'search_vectors_near_'

/** The most of the graph that is scanned before the rows found so far are returned. */
const scannedAtMost = 100_000
/** The largest value that pgvector takes. */
const searchedAtOnce = 1_000

export const nameOf = ({ index, model }: Pick<SignIndex, 'index' | 'model'>): string =>
  `${prefix}${index}_${model}`

/** The version of pgvector that the database has, or can have; null if there is none, or if it is too old. */
export async function findPgvector(query: Query): Promise<{ version: string; isInstalled: boolean } | null> {
  const { rows } = await sql<{ installed: string | null; version: string }>`
    SELECT installed_version AS installed, coalesce(installed_version, default_version) AS version
    FROM pg_available_extensions WHERE name = 'vector'`.execute(query)
  const [found] = rows
  if (found === undefined) return null
  const [major = 0, minor = 0] = found.version.split('.').map(Number)
  if (major === oldestMajor && minor < oldestMinor) return null
  return { version: found.version, isInstalled: found.installed !== null }
}

/** The models that serve the collections of each search index with more than `chunkCount` chunks. */
export async function listLarge(query: Query, chunkCount: number): Promise<SignIndex[]> {
  return query
    .selectFrom('search_indexes')
    .innerJoin('search_collections', 'search_collections.index_number', 'search_indexes.number')
    .innerJoin(
      'collection_embeddings',
      'collection_embeddings.collection_id',
      'search_collections.collection_id',
    )
    .innerJoin('embedding_models', 'embedding_models.number', 'collection_embeddings.model_number')
    .select([
      'search_indexes.number as index',
      'embedding_models.number as model',
      'embedding_models.dimensions',
    ])
    .distinct()
    .where('search_indexes.chunk_count', '>', chunkCount)
    .where('search_collections.removed', '=', 0)
    .execute()
}

export async function listSignIndexes(query: Query): Promise<SignIndexState[]> {
  const { rows } = await sql<SignIndexState>`
    SELECT relname AS name, indisvalid AS "isValid",
      EXISTS (SELECT 1 FROM pg_stat_progress_create_index WHERE index_relid = indexrelid) AS "isBeingMade"
    FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE indrelid = 'search_vectors'::regclass AND starts_with(relname, ${prefix})`.execute(query)
  return rows
}

/** Does not block reads and writes, and so runs in no transaction. */
export const makeStatement = (of: SignIndex): string =>
  `CREATE INDEX CONCURRENTLY ${nameOf(of)} ON search_vectors
    USING hnsw ((${signs(of.dimensions)}) bit_hamming_ops)
    WHERE index_number = ${of.index} AND model_number = ${of.model}`

export const dropStatement = (name: string): string => `DROP INDEX CONCURRENTLY IF EXISTS ${name}`

export type NearRequest = {
  of: SignIndex
  /** The numbers of the collections to search; null for all. */
  collections: readonly number[] | null
  narrowing: Narrowing | null
  signs: Uint8Array
}

/** The numbers of the nearest chunks, nearest first: exact if a filter leaves few, else as the index finds them. */
export function readNear(query: Query, { of, ...request }: NearRequest, limit: number): Promise<number[]> {
  const wanted = `x${Buffer.from(request.signs).toString('hex')}`
  const distance = sql`${sql.raw(signs(of.dimensions))} <~> ${wanted}::text::${sql.raw(typeOf(of.dimensions))}`
  // Constants: from parameters PostgreSQL cannot tell that the index has all rows of the query.
  const own = sql`index_number = ${sql.lit(of.index)} AND model_number = ${sql.lit(of.model)}`
  return query.transaction().execute(async tx => {
    await sql`SELECT set_config('hnsw.iterative_scan', 'relaxed_order', true),
      set_config('hnsw.max_scan_tuples', ${String(scannedAtMost)}, true),
      set_config('hnsw.ef_search', ${String(searchedAtOnce)}, true)`.execute(tx)
    const { rows } = await sql<{ number: number; distance: number }>`
      SELECT number, ${distance} AS distance FROM ${source(request.narrowing)}
      WHERE ${own} AND ${within(request.collections)} ORDER BY ${distance} LIMIT ${limit}`.execute(tx)
    return rows.sort((a, b) => a.distance - b.distance || a.number - b.number).map(({ number }) => number)
  })
}

const typeOf = (dimensions: number): string => `bit(${wordsFor(dimensions) * 32})`

/** The bytes as a string of bits. The order of the bits in a byte does not change how many of them differ. */
const signs = (dimensions: number): string => `('x' || encode(bits, 'hex'))::${typeOf(dimensions)}`

function source(narrowing: Narrowing | null): RawBuilder<unknown> {
  if (narrowing?.kind !== 'few') return sql`search_vectors`
  const firsts = narrowing.ranges.filter((_, at) => at % 2 === 0)
  const lasts = narrowing.ranges.filter((_, at) => at % 2 === 1)
  return sql`unnest(${[...firsts]}::bigint[], ${[...lasts]}::bigint[]) AS wanted (first, last)
    JOIN search_vectors ON search_vectors.number BETWEEN wanted.first AND wanted.last`
}

function within(collections: readonly number[] | null): RawBuilder<unknown> {
  if (collections === null) return sql`true`
  const ranges = collections.map(
    collection =>
      sql`number BETWEEN ${collection * placesPerCollection} AND ${(collection + 1) * placesPerCollection - 1}`,
  )
  return ranges.length === 0 ? sql`false` : sql`(${sql.join(ranges, sql` OR `)})`
}
