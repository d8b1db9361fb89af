/** The index of a search: which part of it is searched, and the statistics of that part. */
import { sql } from 'kysely'
import { type LanguageCode, stopWords } from '../../../../platform/analysis/stop-words.ts'
import { type BoundedMap, createBoundedMap } from '../../../../platform/caches/caches.ts'
import type { Scope } from '../../../../platform/caller.ts'
import type { Query } from '../../../../platform/database/database.ts'
import { engineOf, isOneOf } from '../../../../platform/database/statement.ts'
import { readLanguage, readLengths } from '../index/chunk-terms.ts'
import type { IndexTotals } from '../index/statistics.ts'
import { type CollectionPlaces, numbersSpreadOver } from './spread.ts'

export type SearchedIndex = {
  number: number
  totals: IndexTotals
  /** The languages of its chunks, commonest first. */
  languages: LanguageCode[]
  /** The searched collections; null for all. The totals and the languages are of these collections. */
  collections: IndexedCollection[] | null
  /** Whether these hold all chunks of the index, so that its counts are the counts of these collections. */
  isWhole: boolean
  /** Whether the scope may know only a part of what the index has. */
  isLimited: boolean
  /** How many chunks the scope may read, searched or not. */
  readableCount: number
}

/**
 * Null if nothing was ever indexed in the scope. Leaves out unknown collections, collections of other scopes, and
 * collections that the scope withholds. If `wanted` is undefined, all others are searched.
 */
export async function findSearchedIndex(
  scope: Scope,
  query: Query,
  wanted: readonly string[] | undefined,
): Promise<SearchedIndex | null> {
  const row = await query
    .selectFrom('search_indexes')
    .selectAll()
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
    .executeTakeFirst()
  if (row === undefined) return null
  const { collectionIds: allowed, withheld: { collectionIds: withheld = [] } = {} } = scope
  const isLimited = allowed !== undefined || withheld.length > 0
  if (!isLimited && wanted === undefined)
    return {
      number: row.number,
      ...(await statisticsOf(query, row)),
      collections: null,
      isWhole: true,
      isLimited,
      readableCount: row.chunk_count,
    }
  const rows = await query
    .selectFrom('search_collections')
    .select(['collection_id as id', 'number', 'chunk_count as chunkCount', 'next_place as nextPlace'])
    .where('index_number', '=', row.number)
    .where('removed', '=', 0)
    .$if(allowed !== undefined, select => select.where('collection_id', 'in', ['', ...(allowed ?? [])]))
    .$if(!isLimited, select => select.where('collection_id', 'in', ['', ...(wanted ?? [])]))
    .$if(withheld.length > 0, select => select.where('collection_id', 'not in', [...withheld]))
    .orderBy('number')
    .execute()
  const collections = rows.filter(({ id }) => wanted === undefined || wanted.includes(id))
  return {
    number: row.number,
    // Not the index's statistics, even if they would do: another collection must not change these.
    ...(await sampleStatistics(query, collections)),
    collections,
    isWhole: !isLimited && countChunks(collections) === row.chunk_count,
    isLimited,
    readableCount: isLimited ? countChunks(rows) : row.chunk_count,
  }
}

const countChunks = (collections: readonly { chunkCount: number }[]): number =>
  collections.reduce((sum, { chunkCount }) => sum + chunkCount, 0)

type TotalsColumn =
  | `${'body' | 'title' | 'name' | 'headings'}_length`
  | `${'chunk' | 'title' | 'name' | 'headings'}_count`

async function statisticsOf(
  query: Query,
  row: { number: number } & Record<TotalsColumn, number>,
): Promise<Pick<SearchedIndex, 'totals' | 'languages'>> {
  const languages = await query
    .selectFrom('search_languages')
    .select('language')
    .where('index_number', '=', row.number)
    .where('chunk_count', '>', 0)
    .orderBy('chunk_count', 'desc')
    .orderBy('language')
    .execute()
  return {
    totals: {
      chunkCount: row.chunk_count,
      bodyLength: row.body_length,
      titleLength: row.title_length,
      nameLength: row.name_length,
      headingsLength: row.headings_length,
      titleCount: row.title_count,
      nameCount: row.name_count,
      headingsCount: row.headings_count,
    },
    languages: languages.map(({ language }) => language).filter(isLanguage),
  }
}

/** A later server may have written a language that this server does not know. */
const isLanguage = (code: string): code is LanguageCode => Object.hasOwn(stopWords, code)

export type IndexedCollection = CollectionPlaces & { id: string }

/** Enough chunks to tell the languages and the usual lengths. Each chunk is a read of one kilobyte. */
const sampledChunks = 128
const sampledCollections = 16

type Sample = Pick<SearchedIndex, 'totals' | 'languages'>

/** Samples by database and state of the sampled collections. Reading one takes as long as scoring 200 chunks. */
const samples = new WeakMap<object, BoundedMap<Sample>>()
const mostSamples = 256

/** The totals and languages of these collections, estimated from a sample of chunks spread over each. */
async function sampleStatistics(query: Query, collections: readonly IndexedCollection[]): Promise<Sample> {
  const { adapter } = query.getExecutor()
  const known = samples.get(adapter) ?? createBoundedMap<Sample>(mostSamples)
  samples.set(adapter, known)
  const filled = collections.filter(({ chunkCount }) => chunkCount > 0).slice(0, sampledCollections)
  const all = countChunks(collections)
  // A chunk that comes or goes changes a count or a next place, in the same transaction.
  const states = filled.map(({ id, chunkCount, nextPlace }) => `${id} ${chunkCount} ${nextPlace}`)
  const key = [all, ...states].join()
  return known.get(key) ?? known.set(key, await readSample(query, filled, all))
}

async function readSample(
  query: Query,
  filled: readonly IndexedCollection[],
  chunkCount: number,
): Promise<Sample> {
  const perCollection = Math.ceil(sampledChunks / Math.max(1, filled.length))
  const sums = { body: 0, title: 0, name: 0, headings: 0, titles: 0, names: 0, headed: 0, chunks: 0 }
  const chunksIn = new Map<LanguageCode, number>()
  const sampled = await numbersSpreadOver(query, filled, perCollection)
  const { rows } = await sql<{ terms: Uint8Array }>`SELECT terms FROM search_chunks
    WHERE number ${isOneOf(engineOf(query), sampled, sql`bigint`)}`.execute(query)
  for (const { terms } of rows) {
    const [title, name, headings, text] = readLengths(terms)
    const language = readLanguage(terms)
    chunksIn.set(language, (chunksIn.get(language) ?? 0) + 1)
    sums.chunks += 1
    sums.body += title + headings + text
    sums.title += title
    sums.name += name
    sums.headings += headings
    if (title > 0) sums.titles += 1
    if (name > 0) sums.names += 1
    if (headings > 0) sums.headed += 1
  }
  const whole = sums.chunks === 0 ? 0 : chunkCount / sums.chunks
  return {
    totals: {
      chunkCount,
      bodyLength: sums.body * whole,
      titleLength: sums.title * whole,
      nameLength: sums.name * whole,
      headingsLength: sums.headings * whole,
      titleCount: sums.titles * whole,
      nameCount: sums.names * whole,
      headingsCount: sums.headed * whole,
    },
    languages: [...chunksIn]
      .sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1))
      .map(([language]) => language),
  }
}
