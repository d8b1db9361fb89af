/**
 * Picks the chunks that are worth scoring: those with the greatest sum of what each term's impact level stands for.
 * The lists of chunks by term and level come from the database's index; which lists are read, and what is made of
 * them, is decided here by the statistics alone, so that both databases yield the same candidates.
 */
import { type ImpactLevel, impactLevels, impactOf } from './impact.ts'
import type { WeighedTerm } from './score.ts'
import type { LevelCounts } from './statistics.ts'

export type FoundTerm = WeighedTerm & { counts: LevelCounts }

/** The chunks in which a term has an impact level. */
export type PostingList = { term: string; level: ImpactLevel; weight: number }

/** How many candidates are scored. */
export const maxCandidates = 500

/** How many postings a query may read, unless it has too few candidates by then: a few milliseconds' worth. */
const maxPostings = 20_000

/**
 * The lists to read, heaviest first. A term that most chunks contain weighs little: its lists come last, and where the
 * better ones suffice they are left out, so that it only counts in the score. `share` is the part of the index's
 * chunks that is searched.
 */
export function chooseLists(terms: readonly FoundTerm[], share: number): PostingList[] {
  const lists = terms.flatMap(({ term, weight, counts }) =>
    impactLevels
      .filter(level => counts[level] > 0)
      .map(level => ({ term, level, weight: weight * impactOf[level], expected: counts[level] * share })),
  )
  lists.sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1))
  let expected = 0
  return lists.filter(list => {
    if (expected + list.expected > maxPostings && expected >= maxCandidates) return false
    expected += list.expected
    return true
  })
}

/** The best of the numbers in the lists, in no particular order. Of equal ones those that were indexed earlier. */
export function bestOf(
  lists: readonly { weight: number; numbers: Iterable<number> }[],
  isWanted: (number: number) => boolean,
): number[] {
  const sums = new Map<number, number>()
  for (const { weight, numbers } of lists) {
    for (const number of numbers) sums.set(number, (sums.get(number) ?? 0) + weight)
  }
  const wanted = [...sums].filter(([number]) => isWanted(number))
  if (wanted.length <= maxCandidates) return wanted.map(([number]) => number)
  const ascending = Float64Array.from(wanted, ([, sum]) => sum).sort()
  const threshold = ascending[wanted.length - maxCandidates] ?? 0
  const above = wanted.filter(([, sum]) => sum > threshold).map(([number]) => number)
  const equal = wanted.filter(([, sum]) => sum === threshold).map(([number]) => number)
  return [...above, ...equal.sort((a, b) => a - b).slice(0, maxCandidates - above.length)]
}
