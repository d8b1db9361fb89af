/** The best results in the order that a reranker gives them; in the order that they have where it fails. */
import type { Reranker } from '../../../platform/models/reranker.ts'
import type { Explanation, SearchResult } from './present.ts'

/** What is sent of the best results; those behind them keep their places. */
export const rerankedAtOnce = 50

export async function rerank(
  reranker: Reranker,
  query: string,
  results: readonly SearchResult[],
): Promise<SearchResult[]> {
  const [best, rest] = [results.slice(0, rerankedAtOnce), results.slice(rerankedAtOnce)]
  if (best.length === 0) return []
  const texts = best.map(({ title, text }) => (title === null ? text : `${title}\n${text}`))
  const reranking = await reranker.rank(query, texts)
  if (reranking.kind === 'failed') {
    return results.map(result => explained(result, { failure: reranking.reason }))
  }
  const ranked = reranking.places.flatMap(({ place, score }, rank) => {
    const result = best[place]
    return result === undefined
      ? []
      : explained({ ...result, score }, { model: reranker.model, rank: rank + 1, score })
  })
  const taken = new Set(reranking.places.map(({ place }) => place))
  return [...ranked, ...best.filter((_, place) => !taken.has(place)), ...rest]
}

const explained = (result: SearchResult, mark: NonNullable<Explanation['rerank']>): SearchResult =>
  result.explanation === undefined
    ? result
    : { ...result, explanation: { ...result.explanation, rerank: mark } }
