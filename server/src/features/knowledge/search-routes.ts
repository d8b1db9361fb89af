/** The search endpoint. */
import Type from 'typebox'
import { defineRoute, listed, type Route } from '../../http/route.ts'
import { invalidField } from '../../platform/errors.ts'
import { SearchHit, SearchQuery, searchHitExample } from './search-schemas.ts'
import type { KnowledgeSearchService } from './search-service.ts'

export const searchRoutes = (knowledge: KnowledgeSearchService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/knowledge/search',
    operationId: 'searchKnowledge',
    tag: 'knowledge',
    summary: 'Search the knowledge base',
    description:
      'Ranks the chunks of all documents that the key can reach, best first, with at most three chunks of one document. A document that is `ready` is found by the next request. The ranked list has at most 1,000 results, and `meta.total` is its exact length.',
    permission: 'knowledge:read',
    query: SearchQuery,
    list: { defaultPageSize: 10, maxPageSize: 50, ranked: true },
    data: Type.Array(SearchHit),
    example: [searchHitExample],
    success: [200],
    errors: [],
    handle: async ({ caller, query: asked, page }) => {
      const query = asked.query ?? asked.q
      if (query === undefined) throw invalidField('query', 'is required')
      if (asked.query !== undefined && asked.q !== undefined) {
        throw invalidField('q', 'is the same as `query`; send one of them')
      }
      const request = {
        query,
        explain: asked.explain === true,
        ...(asked.collectionId === undefined ? {} : { collectionIds: asked.collectionId }),
      }
      return listed(await knowledge.search(caller, request, page), page)
    },
  }),
]
