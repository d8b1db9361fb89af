/**
 * The relevance of a chunk to a term: Lucene's BM25 over the body (title, headings and text as one). The title and
 * the headings by themselves add smaller shares, and the file's name adds a weight. The weights were measured on
 * several collections (decision 5).
 */
import type { FieldCounts } from './chunk-terms.ts'

export const titleWeight = 0.3
export const headingsWeight = 0.3
export const nameWeight = 2
/** The share that a word counts in the text if the file's name has it: chunks of the file compete by other words. */
export const bodyShareOfNamed = 0.2
/** The share that a word counts in the text if it is joined with its neighbour or split, like parts of compounds. */
export const spellingShare = 0.5
/** The share that an abbreviation counts in a text that says it in full. */
export const meaningShare = 0.8
/** For the stored levels. After a change, all chunks would need to be indexed again. */
const storedNameWeight = 1
const storedK1 = 1.2
export const proximityWeight = 0.3

const k1 = 1.5
const b = 0.75

/** Mean lengths of the fields, in terms, over the chunks that have the field. */
export type MeanLengths = { body: number; title: number; name: number; headings: number }

/** Lucene's inverse document frequency of a term that `containing` of `all` chunks contain. */
export const inverseFrequency = (containing: number, all: number): number =>
  Math.log(1 + (all - containing + 0.5) / (containing + 0.5))

/** BM25's share, from 0 to 1, of a term that a field of `length` terms has `count` times. */
export const saturation = (count: number, length: number, meanLength: number, slowness = k1): number =>
  count === 0 ? 0 : count / (count + slowness * (1 - b + (b * length) / meanLength))

/** The part of each field in a term's relevance, without the term's inverse frequency. */
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
 * How relevant a chunk is to a term, in four levels. The engines index each term with its level, so that lookups
 * alone find the best candidates, the same on both engines. Levels are stored. A change of the levels, or of the
 * weights of title and headings, needs a migration that empties the search tables.
 */
export const impactLevels = [0, 1, 2, 3] as const
export type ImpactLevel = (typeof impactLevels)[number]

/** The relevance that a level stands for, about the middle of its range. */
export const impactOf: Readonly<Record<ImpactLevel, number>> = { 0: 0.42, 1: 0.57, 2: 0.74, 3: 1.1 }

/** The level by fixed mean lengths of ordinary chunks: a stored level must not depend on chunks that come later. */
export function impactLevel(counts: Readonly<FieldCounts>, lengths: Readonly<FieldCounts>): ImpactLevel {
  const { body, title, headings } = termRelevance(counts, lengths, ordinaryLengths, storedK1)
  const name = storedNameWeight * saturation(counts[1], lengths[1], ordinaryLengths.name, storedK1)
  const relevance = body + title + name + headings
  if (relevance < 0.5) return 0
  if (relevance < 0.65) return 1
  return relevance < 0.85 ? 2 : 3
}

const ordinaryLengths: MeanLengths = { body: 100, title: 6, name: 4, headings: 6 }
