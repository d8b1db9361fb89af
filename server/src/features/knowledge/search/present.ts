/** Turns ranked passages into results: their text as in the document, and an explanation of their rank. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Scope } from '../../../platform/caller.ts'
import type { Engine, Query } from '../../../platform/database/database.ts'
import { decodeJson } from '../../../platform/database/json.ts'
import { type Cells, withCells } from './cells.ts'
import type { FusedChunk, Passage } from './merge.ts'
import { readChunks } from './passages-store.ts'
import type { ScorePart } from './ranking/score.ts'
import type { Highlight, TextRanking } from './ranking/text-ranking.ts'

export type UsedMode = 'text' | 'vector' | 'hybrid'

export type Explanation = {
  /** The mode that was used. */
  mode: UsedMode
  /** Why no vectors were used although they were wanted; null if nothing was missing. */
  fallback: string | null
  /** The ranking by text: the rank from 1, the score, and its parts. Null if the text did not find the passage. */
  text: { rank: number; score: number; parts: ScorePart[] } | null
  /** The ranking by each model's vectors: the rank from 1, and the cosine. */
  vectors: { model: string; rank: number; similarity: number }[]
  /** The weighted sum over the lists (`fuse`); null if there was only one. */
  fusion: number | null
  /** The reranker's result; null if no reranker was asked. */
  rerank: { model: string | null; rank: number; score: number } | { failure: string } | null
}

export type SearchResult = {
  /** The best chunk of the passage. */
  chunkId: string
  documentId: string
  externalId: string | null
  documentVersion: number
  collectionId: string
  /** The file's name. */
  name: string
  title: string | null
  /** Exactly the document's text between the offsets: one chunk, or several that follow each other. */
  text: string
  /** The headings above the passage, one a line. */
  headings: string
  page: number | null
  /** In Unicode code points of the document's extracted text; `endOffset` is the first one after the passage. */
  startOffset: number
  endOffset: number
  score: number
  /** In code points within `text`. */
  highlights: Highlight[]
  /** The row of a table that fits best, by the names of its columns; null if there is none. */
  cells: Cells | null
  /** The document's metadata. */
  metadata: Record<string, unknown>
  explanation?: Explanation
}

/** What all results of a search have in common. */
type Explained = Pick<Explanation, 'mode' | 'fallback'> & { isFused: boolean }

export async function present(
  scope: Scope,
  query: Query,
  engine: Engine,
  passages: readonly Passage[],
  { ranking, explained }: { ranking: TextRanking | null; explained: Explained | null },
): Promise<SearchResult[]> {
  const ids = passages.flatMap(({ chunkIds }) => chunkIds)
  const chunks = new Map((await readChunks(scope, query, engine, ids)).map(chunk => [chunk.id, chunk]))
  const found = passages.flatMap(({ best, chunkIds }) => {
    const parts = chunkIds.flatMap(id => chunks.get(id) ?? [])
    const [first] = parts
    const last = parts.at(-1)
    // Another process on the same SQLite file erased a chunk between two statements.
    if (first === undefined || last === undefined || parts.length < chunkIds.length) return []
    const text = parts.map(part => (part === last ? part.text : part.text + part.gap)).join('')
    return withoutUndefined<Omit<SearchResult, 'cells'>>({
      chunkId: best.chunkId,
      documentId: first.document_id,
      externalId: first.external_id,
      documentVersion: first.document_version,
      collectionId: first.collection_id,
      name: first.name,
      title: first.title,
      text,
      headings: first.headings,
      page: first.page,
      startOffset: first.start_offset,
      endOffset: last.end_offset,
      score: best.score,
      highlights: ranking?.highlight(text, best.terms) ?? [],
      metadata: decodeJson(first.metadata),
      explanation: explained === null ? undefined : explain(best, ranking, explained),
    })
  })
  return withCells(query, found)
}

function explain(
  { score, standings, terms }: FusedChunk,
  ranking: TextRanking | null,
  { isFused, ...explained }: Explained,
): Explanation {
  const text = standings.find(({ name }) => name === 'text')
  return {
    ...explained,
    text:
      text === undefined
        ? null
        : { rank: text.rank, score: text.score, parts: ranking?.explain(terms) ?? [] },
    vectors: standings.flatMap(({ model, rank, score: cosine }) =>
      model === null ? [] : { model, rank, similarity: cosine },
    ),
    fusion: isFused ? score : null,
    rerank: null,
  }
}
