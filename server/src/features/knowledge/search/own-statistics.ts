/** The totals of an index for a caller who may read a part of it: none of them tells what the rest contains. */
import type { Query } from '../../../platform/database/database.ts'
import { countTerms, readLanguage } from './chunk-terms.ts'
import { placesPerCollection } from './index-store.ts'
import type { IndexTotals } from './statistics.ts'
import type { LanguageCode } from './stop-words.ts'

export type IndexedCollection = { number: number; chunkCount: number }

/** Enough to tell the languages and the usual lengths; each is a read of one kilobyte. */
const sampledChunks = 64
const sampledCollections = 16

/** The totals and languages of these collections: counted exactly where they are kept, else as a sample of their chunks has them. */
export async function sampleStatistics(
  query: Query,
  collections: readonly IndexedCollection[],
): Promise<{ totals: IndexTotals; languages: LanguageCode[] }> {
  const filled = collections.filter(({ chunkCount }) => chunkCount > 0).slice(0, sampledCollections)
  const perCollection = Math.ceil(sampledChunks / Math.max(1, filled.length))
  const sums = { body: 0, title: 0, name: 0, headings: 0, titles: 0, names: 0, headed: 0, chunks: 0 }
  const chunksIn = new Map<LanguageCode, number>()
  for (const { number } of filled) {
    const rows = await query
      .selectFrom('search_chunks')
      .select('terms')
      .where('number', '>=', number * placesPerCollection)
      .where('number', '<', (number + 1) * placesPerCollection)
      .orderBy('number')
      .limit(perCollection)
      .execute()
    for (const { terms } of rows) {
      const [title, name, headings, text] = countTerms(terms).lengths
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
  }
  const chunkCount = collections.reduce((sum, collection) => sum + collection.chunkCount, 0)
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
