/** A model that reads query and passages together and scores each passage: it orders the best results. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { secondMs } from '../clock.ts'

export type RerankSettings = {
  /** The whole address of an endpoint in the shape of Cohere and Jina. */
  rerankUrl: string | null
  rerankModel: string | null
  rerankApiKey: string | null
}

/** `places` are places in `documents`, best first, without the documents that the reranker left out. */
export type Reranking =
  | { kind: 'ranked'; places: { place: number; score: number }[] }
  /** Why there is no ranking, in words for the search's explanation. */
  | { kind: 'failed'; reason: string }

/** Never throws: a search that could not be reranked keeps its order. */
export type Reranker = {
  model: string | null
  rank(query: string, documents: readonly string[]): Promise<Reranking>
}

/** Somebody waits for the search, so the limit is short. */
const timeoutMs = 5 * secondMs
/** The most that models of this kind read of a passage, in UTF-16 units. */
const maxDocumentLength = 4_000

/** Null if the operator has named no reranker. */
export function createReranker({
  settings: { rerankUrl, rerankModel, rerankApiKey },
  fetch,
}: {
  settings: RerankSettings
  fetch: typeof globalThis.fetch
}): Reranker | null {
  if (rerankUrl === null) return null
  return {
    model: rerankModel,
    async rank(query, documents) {
      try {
        const answer = await fetch(rerankUrl, {
          method: 'POST',
          headers: withoutUndefined<Record<string, string>>({
            'content-type': 'application/json',
            authorization: rerankApiKey === null ? undefined : `Bearer ${rerankApiKey}`,
          }),
          body: JSON.stringify({
            model: rerankModel ?? undefined,
            query,
            documents: documents.map(text => text.slice(0, maxDocumentLength)),
            top_n: documents.length,
          }),
          signal: AbortSignal.timeout(timeoutMs),
        })
        if (!answer.ok) {
          await answer.body?.cancel()
          return { kind: 'failed', reason: `the reranker answered ${answer.status}` }
        }
        return understand(await answer.json(), documents.length)
      } catch (error) {
        const isLate = error instanceof Error && error.name === 'TimeoutError'
        return {
          kind: 'failed',
          reason: isLate
            ? 'the reranker did not answer in time'
            : 'the reranker could not be reached or understood',
        }
      }
    },
  }
}

function understand(body: unknown, count: number): Reranking {
  const results = (body as { results?: unknown } | null)?.results
  const nonsense: Reranking = { kind: 'failed', reason: "the reranker's answer could not be understood" }
  if (!Array.isArray(results)) return nonsense
  const scores = new Map<number, number>()
  for (const result of results as ({ index?: unknown; relevance_score?: unknown } | null)[]) {
    const { index, relevance_score: score } = result ?? {}
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= count) return nonsense
    if (typeof score !== 'number' || !Number.isFinite(score)) return nonsense
    scores.set(index, score)
  }
  const places = Array.from(scores, ([place, score]) => ({ place, score }))
  return { kind: 'ranked', places: places.sort((a, b) => b.score - a.score || a.place - b.place) }
}
