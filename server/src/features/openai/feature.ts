/** OpenAI's protocol: agents as models, for clients that were written for OpenAI. */
import type { Feature } from '../../http/feature.ts'
import { validation } from '../../http/validation.ts'
import type { Embeddings } from '../../platform/models/embedding/embeddings.ts'
import type { Platform } from '../../platform/platform.ts'
import type { ModelUse } from '../agents/budgets/model-use-service.ts'
import type { ConversationService } from '../agents/conversations/conversation-service.ts'
import type { AgentService } from '../agents/definitions/agent-service.ts'
import { NewRun } from '../agents/records/run-schemas.ts'
import type { RunService } from '../agents/runs/run-service.ts'
import type { CollectionService } from '../knowledge/documents/collections-service.ts'
import type { DocumentService } from '../knowledge/documents/documents-service.ts'
import type { TrashService } from '../knowledge/documents/trash-service.ts'
import { NewCollection } from '../knowledge/records/schemas.ts'
import type { KnowledgeSearchService } from '../knowledge/search/search-service.ts'
import type { WorkspaceModels } from '../models/models-service.ts'
import { createEmbeddingService } from './embeddings.ts'
import { fileRoutes } from './file-routes.ts'
import { openAiRoutes } from './routes.ts'
import { createOpenAiService } from './service.ts'
import { createStoredFiles, type ReadFilter } from './stored-files.ts'
import { vectorStoreRoutes } from './vector-store-routes.ts'

export function createOpenAiFeature(
  platform: Platform,
  earlier: {
    agents: AgentService
    modelUse: ModelUse
    runs: RunService
    conversations: ConversationService
    embeddings: Embeddings
    models: WorkspaceModels
    collections: CollectionService
    documents: DocumentService
    trash: TrashService
    knowledge: KnowledgeSearchService
    readFilter: ReadFilter
  },
) {
  const service = createOpenAiService({ ...platform, ...earlier, checkRun: validation.body(NewRun) })
  const stored = createStoredFiles({
    ...platform,
    ...earlier,
    checkCollection: validation.body(NewCollection),
  })
  return {
    services: {},
    routes: [
      ...openAiRoutes(service, createEmbeddingService(earlier)),
      ...fileRoutes(stored),
      ...vectorStoreRoutes(stored),
    ],
  } satisfies Feature<object>
}
