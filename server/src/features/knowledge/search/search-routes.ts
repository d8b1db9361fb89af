/** The search endpoint. */

import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { defineRoute, listed, type Route } from '../../../http/route.ts'
import { invalidField } from '../../../platform/errors.ts'
import { Type } from '../../../platform/json-schema/type.ts'
import { parseFilterText } from '../filter/filter.ts'
import { SearchHit, SearchQuery, searchHitExample } from './search-schemas.ts'
import type { KnowledgeSearchRequest, KnowledgeSearchService } from './search-service.ts'

export const searchRoutes = (knowledge: KnowledgeSearchService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/knowledge/search',
    operationId: 'searchKnowledge',
    summary: 'Search the knowledge base',
    description:
      'Ranks the chunks of all documents that the key can access, best first. By default one document contributes at most three chunks, and more where few documents match; `perDocument` changes that. Adjacent chunks form one result. A document is found as soon as it is `ready`. The list has at most 1,000 results, and `meta.total` is its exact length.',
    permission: 'knowledge:read',
    appliesFilter: true,
    query: SearchQuery,
    aliases: { query: 'q' },
    list: { defaultPageSize: 10, maxPageSize: 50, ranked: true },
    data: Type.Array(SearchHit),
    example: [searchHitExample],
    errors: ['vector_unavailable', 'embedding_unavailable', 'overloaded'],
    handle: async ({ caller, query: asked, page, signal }) => {
      const query = asked.query ?? asked.q
      if (query === undefined) throw invalidField('query', 'is required')
      if (asked.query !== undefined && asked.q !== undefined) {
        throw invalidField('q', 'is the same as `query`; send one of them')
      }
      const request = withoutUndefined<KnowledgeSearchRequest>({
        query,
        explain: asked.explain === true,
        mode: asked.mode,
        perDocument: asked.perDocument,
        rerank: asked.rerank,
        collectionIds: asked.collectionId,
        filter: asked.filter === undefined ? undefined : parseFilterText(asked.filter),
      })
      return listed(await knowledge.search(caller, request, page, signal()), page)
    },
  }),
]
