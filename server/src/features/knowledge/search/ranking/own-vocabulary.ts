/**
 * The words of an index for a caller who may read a part of it. Counts, corrections and completions come from that part, so
 * that none of them tells what the rest contains.
 */
import type { Engine, Query } from '../../../../platform/database/database.ts'
import { countTerms } from '../index/chunk-terms.ts'
import { impactLevels } from '../index/relevance.ts'
import type { LevelCounts } from '../index/statistics.ts'
import type { IndexVocabulary } from './indexed-words.ts'
import type { Reach } from './reach.ts'
import { type CountedTerm, readCandidates, readChunksStarting, readPostings } from './search-store.ts'

/** So many terms are counted by one statement. */
const termsAtOnce = 64
/** Terms that begin with a prefix are looked for in so many of the readable chunks that have one, spread over all of them. */
const mostChunksRead = 1_000
const chunksAtOnce = 100

export function createOwnVocabulary(
  engine: Engine,
  query: Query,
  { index, isReadable }: Pick<Reach, 'index' | 'isReadable'>,
): IndexVocabulary {
  async function known(terms: readonly string[]): Promise<CountedTerm[]> {
    const found: CountedTerm[] = []
    for (let start = 0; start < terms.length; start += termsAtOnce)
      found.push(...(await count(terms.slice(start, start + termsAtOnce))))
    return found
  }

  async function count(terms: readonly string[]): Promise<CountedTerm[]> {
    const lists = terms.flatMap(term => impactLevels.map(level => ({ terms: [term], level, weight: 0 })))
    const postings = await readPostings(query, engine, { ...index, collections: index.readable }, lists)
    return terms.flatMap((term, place) => {
      const counts: LevelCounts = [0, 0, 0, 0]
      for (const level of impactLevels)
        counts[level] = (postings[place * impactLevels.length + level] ?? []).filter(isReadable).length
      return counts.some(count => count > 0) ? [{ term, counts }] : []
    })
  }

  /** Shortest first. Which chunks are looked at, and what they have, no other chunk has a part in. */
  async function beginning(prefix: string): Promise<string[]> {
    const chunks = await readChunksStarting(query, engine, { ...index, collections: index.readable }, prefix)
    const readable = chunks.filter(isReadable)
    const step = Math.max(1, readable.length / mostChunksRead)
    const read = Array.from({ length: Math.min(readable.length, mostChunksRead) }, (_, place) => {
      return readable[Math.floor(place * step)] ?? 0
    })
    const found = new Set<string>()
    for (let start = 0; start < read.length; start += chunksAtOnce) {
      for (const { terms } of await readCandidates(query, engine, read.slice(start, start + chunksAtOnce)))
        for (const term of countTerms(terms).counts.keys()) if (term.startsWith(prefix)) found.add(term)
    }
    return [...found].sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
  }

  return {
    known,
    startingWith: async (prefix, limit) => await known((await beginning(prefix)).slice(0, limit)),
    async ofLength(prefix, { from, to }, limit) {
      const terms = await beginning(prefix)
      return terms.filter(({ length }) => length >= from && length <= to).slice(0, limit)
    },
  }
}
