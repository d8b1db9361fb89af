/** OpenAI's protocol: agents as models, for clients that were written for OpenAI. */
import type { Feature } from '../../http/feature.ts'
import { validation } from '../../http/validation.ts'
import type { Platform } from '../../platform/platform.ts'
import type { ConversationService } from '../agents/conversations/conversation-service.ts'
import type { AgentService } from '../agents/definitions/agent-service.ts'
import { NewRun } from '../agents/records/run-schemas.ts'
import type { RunService } from '../agents/runs/run-service.ts'
import { openAiRoutes } from './routes.ts'
import { createOpenAiService } from './service.ts'

export function createOpenAiFeature(
  platform: Platform,
  agents: { agents: AgentService; runs: RunService; conversations: ConversationService },
) {
  const service = createOpenAiService({ ...platform, ...agents, checkRun: validation.body(NewRun) })
  return { services: {}, routes: openAiRoutes(service) } satisfies Feature<object>
}
