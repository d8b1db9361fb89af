/** How good a ranking is, by the definitions of NIST's trec_eval: means over the queries that have a relevant document. */
import type { Judgements } from './beir.ts'

export type Figures = { queries: number; ndcgAt10: number; recallAt100: number; meanAveragePrecision: number }

/** `rankings` has for each query its documents, best first, each once. */
export function evaluate(rankings: ReadonlyMap<string, readonly string[]>, judgements: Judgements): Figures {
  const judged = [...judgements].filter(([, scores]) => [...scores.values()].some(score => score > 0))
  const mean = (measure: Measure): number =>
    judged.reduce((sum, [query, scores]) => sum + measure(rankings.get(query) ?? [], scores), 0) /
    judged.length
  return {
    queries: judged.length,
    ndcgAt10: mean(ndcgAt10),
    recallAt100: mean(recallAt100),
    meanAveragePrecision: mean(averagePrecision),
  }
}

type Measure = (ranking: readonly string[], scores: ReadonlyMap<string, number>) => number

/** trec_eval's `ndcg_cut_10`: the gain is the score as judged, discounted by the binary logarithm of the rank + 1. */
const ndcgAt10: Measure = (ranking, scores) => {
  const gains = ranking.slice(0, 10).map(document => gainOf(scores, document))
  const best = [...scores.values()].filter(score => score > 0).sort((a, b) => b - a)
  return discountedSum(gains) / discountedSum(best.slice(0, 10))
}

/** trec_eval's `recall_100`. */
const recallAt100: Measure = (ranking, scores) =>
  ranking.slice(0, 100).filter(document => gainOf(scores, document) > 0).length / relevantCount(scores)

/** trec_eval's `map`: relevant documents that were not found count with a precision of 0. */
const averagePrecision: Measure = (ranking, scores) => {
  let found = 0
  let sum = 0
  for (const [index, document] of ranking.entries()) {
    if (gainOf(scores, document) === 0) continue
    found++
    sum += found / (index + 1)
  }
  return sum / relevantCount(scores)
}

const gainOf = (scores: ReadonlyMap<string, number>, document: string): number =>
  Math.max(0, scores.get(document) ?? 0)

const relevantCount = (scores: ReadonlyMap<string, number>): number =>
  [...scores.values()].filter(score => score > 0).length

const discountedSum = (gains: readonly number[]): number =>
  gains.reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0)
