/**
 * The words of an index for a caller who may read a part of it. Counts, corrections and completions come from that part, so
 * that none of them tells what the rest contains.
 */
import type { Engine, Query } from '../../../platform/database/database.ts'
import { impactLevels } from './impact.ts'
import type { Reach } from './reach.ts'
import { readPostings } from './search-store.ts'
import type { LevelCounts } from './statistics.ts'
import { type CountedTerm, termsByLength } from './vocabulary-store.ts'

export type OwnVocabulary = {
  /** Those of the terms that a readable chunk has, with how many have it. */
  known(terms: readonly string[]): Promise<CountedTerm[]>
  /** The shortest terms that begin so and are in readable chunks. */
  startingWith(prefix: string, limit: number): Promise<CountedTerm[]>
}

/** So many terms are counted by one statement. */
const termsAtOnce = 64
/**
 * So many terms are looked at for a prefix. Only where more terms of the whole index begin so, and that is with a letter or
 * two, can the others' terms take the place of a readable one; a term that no readable chunk has is never used.
 */
const mostLookedAt = 2_048

export function createOwnVocabulary(
  engine: Engine,
  query: Query,
  { index, isReadable }: Pick<Reach, 'index' | 'isReadable'>,
): OwnVocabulary {
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

  return {
    known,
    async startingWith(prefix, limit) {
      const found: CountedTerm[] = []
      for (let offset = 0; offset < mostLookedAt && found.length < limit; offset += termsAtOnce) {
        const terms = await termsByLength(query, index.number, prefix, { offset, limit: termsAtOnce })
        found.push(...(await known(terms)))
        if (terms.length < termsAtOnce) break
      }
      return found.slice(0, limit)
    },
  }
}
