/**
 * How much a chunk has to say about a term, in four levels. The engines index each term together with its level, so
 * that they find the best candidates by lookups alone, without counting: the same ones on both.
 * What this file makes is stored: with a change of it goes a migration that empties the search tables, and `reindex`.
 */
import type { FieldCounts } from './chunk-terms.ts'
import { type MeanLengths, termRelevance } from './relevance.ts'

export const impactLevels = [0, 1, 2, 3] as const
export type ImpactLevel = (typeof impactLevels)[number]

/** The relevance that a level stands for: about the middle of what falls into it. */
export const impactOf: Readonly<Record<ImpactLevel, number>> = { 0: 0.42, 1: 0.57, 2: 0.74, 3: 1.1 }

/** The level by fixed mean lengths, those of ordinary chunks: what is stored must not depend on what comes later. */
export function impactLevel(counts: Readonly<FieldCounts>, lengths: Readonly<FieldCounts>): ImpactLevel {
  const { body, title, name, headings } = termRelevance(counts, lengths, ordinaryLengths)
  const relevance = body + title + name + headings
  if (relevance < 0.5) return 0
  if (relevance < 0.65) return 1
  return relevance < 0.85 ? 2 : 3
}

const ordinaryLengths: MeanLengths = { body: 100, title: 6, name: 4, headings: 6 }
