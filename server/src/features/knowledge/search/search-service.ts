/** Search for callers: checks the request, and turns the engine's results into the wire format. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Caller } from '../../../platform/caller.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { Page, PageRequest } from '../../../platform/database/page.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { Filter } from '../../../platform/narrowing.ts'
import { headingsOf } from '../records/chunks-store.ts'
import { existingCollectionIds } from '../records/collections-store.ts'
import type { SearchResult } from './present.ts'
import type { Search } from './search.ts'
import type { SearchHit, SearchMode } from './search-schemas.ts'

export type KnowledgeSearchRequest = {
  query: string
  collectionIds?: readonly string[]
  filter?: Filter
  mode?: SearchMode
  perDocument?: number
  rerank?: boolean
  explain?: boolean
}

export type KnowledgeSearchService = ReturnType<typeof createKnowledgeSearchService>

export function createKnowledgeSearchService({ database, search }: { database: Database; search: Search }) {
  return {
    /**
     * One page of the ranked list, which has at most 1,000 results; `total` is its exact length. Throws a 400 that
     * names each collection that does not exist for the caller. Throws `vector_unavailable` and
     * `embedding_unavailable` if the mode needs vectors, and `overloaded` if too many search.
     */
    async search(
      { scope }: Caller,
      request: KnowledgeSearchRequest,
      { page, pageSize }: PageRequest,
      signal: AbortSignal,
    ): Promise<Page<SearchHit> & { ignored?: string[] }> {
      const { collectionIds } = request
      if (collectionIds !== undefined) {
        const existing = await existingCollectionIds(scope, database.read, collectionIds)
        const errors = collectionIds.flatMap((id, index) =>
          existing.has(id)
            ? []
            : [{ field: `collectionId.${index}`, message: 'There is no collection with this id' }],
        )
        if (errors.length > 0) throw new ServiceError('validation_failed', undefined, { errors })
      }
      const { results, total, ignored } = await search(
        scope,
        { ...request, offset: (page - 1) * pageSize, limit: pageSize },
        signal,
      )
      return withoutUndefined({ items: results.map(present), total, ignored })
    },

    /** For an agent: the best results in the engine's form, for a query without any syntax. Collections that are gone are not searched. */
    async find(
      { scope }: Caller,
      { query, collectionIds, limit }: { query: string; collectionIds: readonly string[]; limit: number },
      signal: AbortSignal,
    ): Promise<SearchResult[]> {
      const existing = await existingCollectionIds(scope, database.read, collectionIds)
      if (collectionIds.length > 0 && existing.size === 0) return []
      const narrowed = collectionIds.length === 0 ? {} : { collectionIds: [...existing] }
      const { results } = await search(scope, { query, limit, syntax: 'none', ...narrowed }, signal)
      return results
    },
  }
}

const present = ({ page, startOffset, endOffset, headings, ...result }: SearchResult): SearchHit => ({
  ...result,
  headings: headingsOf(headings),
  location: { page, startOffset, endOffset },
})
