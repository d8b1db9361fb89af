/** The words of the inverted index: what a chunk's terms are called there. */
import type { ImpactLevel } from './impact.ts'

const levelLetters = ['a', 'b', 'c', 'd'] as const

/**
 * A term with its impact, in one index: `12c` + term. That the index is a part of it keeps workspaces apart, and a
 * common word of one from costing another anything.
 */
export const postingToken = (index: number, level: ImpactLevel, term: string): string =>
  `${index}${levelLetters[level]}${term}`

/** Every chunk of a collection has it, on PostgreSQL alone: SQLite is asked for a range of numbers. No term starts so. */
export const collectionToken = (collection: number): string => `c${collection}`
