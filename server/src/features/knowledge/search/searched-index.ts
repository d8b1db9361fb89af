/** The index that a search looks in: what of it is searched, and what is known of it as a whole. */
import type { Scope } from '../../../platform/caller.ts'
import type { Query } from '../../../platform/database/database.ts'
import { type IndexedCollection, sampleStatistics } from './own-statistics.ts'
import type { IndexTotals } from './statistics.ts'
import { type LanguageCode, stopWords } from './stop-words.ts'

export type SearchedIndex = {
  number: number
  totals: IndexTotals
  /** Those of its chunks, commonest first. */
  languages: LanguageCode[]
  /** The collections that are searched; null for all. */
  collections: IndexedCollection[] | null
  /** The collections that the scope may read, searched or not; null for all. The totals and languages are those of these. */
  readable: IndexedCollection[] | null
}

/**
 * Null where nothing was ever indexed in the scope. Collections of others, unknown ones and those that the scope withholds
 * are left out; undefined asks for all others.
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
    return { number: row.number, ...(await statisticsOf(query, row)), collections: null, readable: null }
  const rows = await query
    .selectFrom('search_collections')
    .select(['collection_id', 'number', 'chunk_count as chunkCount'])
    .where('index_number', '=', row.number)
    .where('removed', '=', 0)
    .$if(allowed !== undefined, select => select.where('collection_id', 'in', ['', ...(allowed ?? [])]))
    .$if(!isLimited, select => select.where('collection_id', 'in', ['', ...(wanted ?? [])]))
    .$if(withheld.length > 0, select => select.where('collection_id', 'not in', [...withheld]))
    .orderBy('number')
    .execute()
  const numbered = (present: typeof rows) => present.map(({ number, chunkCount }) => ({ number, chunkCount }))
  const collections = numbered(
    wanted === undefined ? rows : rows.filter(({ collection_id: id }) => wanted.includes(id)),
  )
  if (!isLimited)
    return { number: row.number, ...(await statisticsOf(query, row)), collections, readable: null }
  const readable = numbered(rows)
  return { number: row.number, ...(await sampleStatistics(query, readable)), collections, readable }
}

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

/** What a later server has written may be of a language that this one does not know. */
const isLanguage = (code: string): code is LanguageCode => Object.hasOwn(stopWords, code)
