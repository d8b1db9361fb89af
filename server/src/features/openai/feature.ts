/** OpenAI's protocol: agents as models, for clients that were written for OpenAI. */
import type { Feature } from '../../http/feature.ts'
import { validation } from '../../http/validation.ts'
import type { Embeddings } from '../../platform/models/embedding/embeddings.ts'
import type { Platform } from '../../platform/platform.ts'
import type { ConversationService } from '../agents/conversations/conversation-service.ts'
import type { AgentService } from '../agents/definitions/agent-service.ts'
import { NewRun } from '../agents/records/run-schemas.ts'
import type { RunService } from '../agents/runs/run-service.ts'
import { embeddingRoutes } from './embedding-routes.ts'
import { createEmbeddingService } from './embeddings.ts'
import { openAiRoutes } from './routes.ts'
import { createOpenAiService } from './service.ts'

export function createOpenAiFeature(
  platform: Platform,
  earlier: {
    agents: AgentService
    runs: RunService
    conversations: ConversationService
    embeddings: Embeddings
  },
) {
  const service = createOpenAiService({ ...platform, ...earlier, checkRun: validation.body(NewRun) })
  return {
    services: {},
    routes: [...openAiRoutes(service), ...embeddingRoutes(createEmbeddingService(earlier))],
  } satisfies Feature<object>
}
