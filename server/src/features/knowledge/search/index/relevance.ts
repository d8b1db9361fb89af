/**
 * What makes a chunk relevant to a term: Lucene's BM25 over the body (title, headings and text as one), smaller shares for
 * the term's standing in the title or the headings by themselves, and a weight where the file's name has it.
 * The weights were measured on several collections (decision 5).
 */
import type { FieldCounts } from './chunk-terms.ts'

export const titleWeight = 0.3
export const headingsWeight = 0.3
export const nameWeight = 2
/** What a word counts for in the text where the file's name has it already: the name's pages compete by the other words. */
export const bodyShareOfNamed = 0.2
/** What a word counts for in the text if it is spelled as one with its neighbour, or in parts: as parts of compounds do. */
export const spellingShare = 0.5
/** Of the stored levels: to change it would need all chunks indexed again. */
const storedNameWeight = 1
const storedK1 = 1.2
export const proximityWeight = 0.3

const k1 = 1.5
const b = 0.75

/** Mean lengths of the fields, in terms, of the chunks that have the field. */
export type MeanLengths = { body: number; title: number; name: number; headings: number }

/** How much a term tells that `containing` of `all` chunks contain: Lucene's inverse document frequency. */
export const inverseFrequency = (containing: number, all: number): number =>
  Math.log(1 + (all - containing + 0.5) / (containing + 0.5))

/** BM25's share of a term that stands `count` times in a field of `length` terms: from 0 to 1. */
export const saturation = (count: number, length: number, meanLength: number, slowness = k1): number =>
  count === 0 ? 0 : count / (count + slowness * (1 - b + (b * length) / meanLength))

/** The part of each field in a term's relevance, before it is weighed by the term's inverse frequency. */
export function termRelevance(
  [titleCount, , headingsCount, textCount]: Readonly<FieldCounts>,
  [titleLength, , headingsLength, textLength]: Readonly<FieldCounts>,
  mean: MeanLengths,
  slowness = k1,
): { body: number; title: number; headings: number } {
  const bodyLength = titleLength + headingsLength + textLength
  return {
    body: saturation(titleCount + headingsCount + textCount, bodyLength, mean.body, slowness),
    title: titleWeight * saturation(titleCount, titleLength, mean.title, slowness),
    headings: headingsWeight * saturation(headingsCount, headingsLength, mean.headings, slowness),
  }
}

/**
 * How much a chunk has to say about a term, in four levels. The engines index each term together with its level, so
 * that they find the best candidates by lookups alone, without counting: the same ones on both. Levels are stored:
 * with a change of them, or of the weights of title and headings, goes a migration that empties the search tables.
 */
export const impactLevels = [0, 1, 2, 3] as const
export type ImpactLevel = (typeof impactLevels)[number]

/** The relevance that a level stands for: about the middle of what falls into it. */
export const impactOf: Readonly<Record<ImpactLevel, number>> = { 0: 0.42, 1: 0.57, 2: 0.74, 3: 1.1 }

/** The level by fixed mean lengths, those of ordinary chunks: what is stored must not depend on what comes later. */
export function impactLevel(counts: Readonly<FieldCounts>, lengths: Readonly<FieldCounts>): ImpactLevel {
  const { body, title, headings } = termRelevance(counts, lengths, ordinaryLengths, storedK1)
  const name = storedNameWeight * saturation(counts[1], lengths[1], ordinaryLengths.name, storedK1)
  const relevance = body + title + name + headings
  if (relevance < 0.5) return 0
  if (relevance < 0.65) return 1
  return relevance < 0.85 ? 2 : 3
}

const ordinaryLengths: MeanLengths = { body: 100, title: 6, name: 4, headings: 6 }
