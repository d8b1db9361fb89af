/** OpenAI's protocol: agents and models, conversations and files, for clients that were written for OpenAI. */
import { passageUrl } from '@atrium/sdk/records'
import type { Feature } from '../../http/feature.ts'
import type { Protocol } from '../../http/route.ts'
import { validation } from '../../http/validation.ts'
import type { WholeScope } from '../../platform/caller.ts'
import type { Embeddings } from '../../platform/models/embedding/embeddings.ts'
import type { Platform } from '../../platform/platform.ts'
import { eachHour } from '../../platform/schedules/schedules.ts'
import type { ModelUse } from '../agents/budgets/model-use-service.ts'
import type { ConversationService } from '../agents/conversations/conversation-service.ts'
import type { AgentService } from '../agents/definitions/agent-service.ts'
import { NewRun } from '../agents/records/run-schemas.ts'
import type { RunService } from '../agents/runs/run-service.ts'
import type { AuditService } from '../audit/service.ts'
import type { CollectionService } from '../knowledge/documents/collections-service.ts'
import type { DocumentService } from '../knowledge/documents/documents-service.ts'
import type { TrashService } from '../knowledge/documents/trash-service.ts'
import { NewCollection } from '../knowledge/records/schemas.ts'
import type { KnowledgeSearchService } from '../knowledge/search/search-service.ts'
import type { Limits } from '../limits/service.ts'
import type { WorkspaceModels } from '../models/models-service.ts'
import type { LinkTo } from './answer.ts'
import { createConversations } from './conversations.ts'
import { createEarlierResponses } from './earlier-responses.ts'
import { createEmbeddingService } from './embeddings.ts'
import { describeError, openAiPrefix } from './errors.ts'
import { openAiRoutes } from './routes.ts'
import { createOpenAiService } from './service.ts'
import { storeRoutes } from './store-routes.ts'
import { createStoredFiles, type ReadFilter } from './stored-files.ts'

const protocol: Protocol = {
  prefix: openAiPrefix,
  describeError,
  namesBehind: `${openAiPrefix}/models/`,
}

export function createOpenAiFeature(
  platform: Platform,
  earlier: {
    agents: AgentService
    modelUse: ModelUse
    audit: AuditService
    limits: Limits
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
  const { publicUrl } = platform
  const linksFor =
    ({ environment }: WholeScope): LinkTo =>
    citation =>
      passageUrl(publicUrl(), environment, citation)
  const responses = createEarlierResponses({ ...earlier, linksFor })
  const talks = createConversations({ ...platform, ...earlier, earlier: responses })
  const service = createOpenAiService({
    ...platform,
    ...earlier,
    talks,
    earlier: responses,
    linksFor,
    checkRun: validation.body(NewRun),
  })
  const stored = createStoredFiles({
    ...platform,
    ...earlier,
    checkCollection: validation.body(NewCollection),
  })
  return {
    services: {},
    routes: [...openAiRoutes(service, talks, createEmbeddingService(earlier)), ...storeRoutes(stored)].map(
      route => ({ ...route, protocol }),
    ),
    schedules: [eachHour("delete unused conversations of OpenAI's clients", talks.tidy)],
    workspaceData: { slices: [{ table: 'openai_conversations', key: ['id'], rowsAtOnce: 20 }] },
  } satisfies Feature<object>
}
