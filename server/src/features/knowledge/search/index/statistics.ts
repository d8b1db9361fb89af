/** The statistics of a whole index that ranking needs, and how an added or removed chunk changes them. */

import type { LanguageCode } from '../../../../platform/analysis/stop-words.ts'
import { countTerms, type EncodedTerms, type FieldCounts, readLanguage } from './chunk-terms.ts'
import { type ImpactLevel, impactLevel, type MeanLengths } from './relevance.ts'

/** Sums over the chunks of an index. Lengths are terms without stop words; the body is title, headings and text. */
export type IndexTotals = {
  chunkCount: number
  bodyLength: number
  titleLength: number
  nameLength: number
  headingsLength: number
  /** The number of chunks that have the field. */
  titleCount: number
  nameCount: number
  headingsCount: number
}

/** In how many chunks a term has each of the impact levels. */
export type LevelCounts = [number, number, number, number]

/** A chunk as the statistics and the postings see it. */
export type ChunkProfile = {
  language: LanguageCode
  lengths: FieldCounts
  levels: Map<string, ImpactLevel>
}

export function profileOf(encodedTerms: EncodedTerms): ChunkProfile {
  const { counts, lengths } = countTerms(encodedTerms)
  const levels = new Map<string, ImpactLevel>()
  for (const [term, fieldCounts] of counts) levels.set(term, impactLevel(fieldCounts, lengths))
  return { language: readLanguage(encodedTerms), lengths, levels }
}

export type StatisticsChange = {
  totals: IndexTotals
  terms: Map<string, LevelCounts>
  /** Chunks by language. */
  languages: Map<LanguageCode, number>
}

/** What changes when these chunks are added (`sign` 1) or removed (`sign` -1). */
export function changeOf(profiles: readonly ChunkProfile[], sign: 1 | -1): StatisticsChange {
  const terms = new Map<string, LevelCounts>()
  const languages = new Map<LanguageCode, number>()
  for (const { language, levels } of profiles) {
    languages.set(language, (languages.get(language) ?? 0) + sign)
    for (const [term, level] of levels) {
      const counts = terms.get(term) ?? [0, 0, 0, 0]
      counts[level] += sign
      terms.set(term, counts)
    }
  }
  const sum = (value: (lengths: FieldCounts) => number): number =>
    profiles.reduce((total, { lengths }) => total + sign * value(lengths), 0)
  return {
    totals: {
      chunkCount: sum(() => 1),
      bodyLength: sum(([title, , headings, text]) => title + headings + text),
      titleLength: sum(([title]) => title),
      nameLength: sum(([, name]) => name),
      headingsLength: sum(([, , headings]) => headings),
      titleCount: sum(([title]) => (title > 0 ? 1 : 0)),
      nameCount: sum(([, name]) => (name > 0 ? 1 : 0)),
      headingsCount: sum(([, , headings]) => (headings > 0 ? 1 : 0)),
    },
    terms,
    languages,
  }
}

/** If no chunk has a field, its mean length does not matter. 1 avoids a division by zero. */
export const meanLengthsOf = (totals: IndexTotals): MeanLengths => ({
  body: totals.bodyLength / totals.chunkCount || 1,
  title: totals.titleLength / totals.titleCount || 1,
  name: totals.nameLength / totals.nameCount || 1,
  headings: totals.headingsLength / totals.headingsCount || 1,
})

export const chunksWith = (counts: Readonly<LevelCounts>): number =>
  counts[0] + counts[1] + counts[2] + counts[3]
