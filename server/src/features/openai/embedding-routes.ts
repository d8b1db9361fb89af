/** The endpoint for vectors of texts. */
import { bareJson, defineRoute, type Route } from '../../http/route.ts'
import { about, LenientBody } from './about-routes.ts'
import type { EmbeddingService } from './embeddings.ts'

export const embeddingRoutes = (service: EmbeddingService): Route[] => [
  defineRoute({
    ...about,
    method: 'POST',
    path: '/embeddings',
    operationId: 'createOpenAiEmbeddings',
    summary: 'Embed texts',
    description: "By the model of the server's search.",
    permission: 'knowledge:read',
    // It reads no documents.
    appliesFilter: true,
    audit: null,
    body: LenientBody,
    handle: async ({ caller, body, signal }) => bareJson(await service.embed(caller, body, signal)),
  }),
]
