/** Agents: their definitions and tools, and their runs. */
import type { Feature } from '../../http/feature.ts'
import type { Limiter } from '../../platform/admission.ts'
import { secondMs } from '../../platform/clock.ts'
import type { Platform } from '../../platform/platform.ts'
import { eachHour, eachMinute } from '../../platform/schedules/schedules.ts'
import type { Tool } from '../../platform/tool.ts'
import type { FindMissing } from '../api-keys/service.ts'
import type { AuditService } from '../audit/service.ts'
import type { Outbox } from '../events/outbox-service.ts'
import type { RemoteTools } from '../integrations/connections/remote-tools-service.ts'
import type { FindConnections } from '../integrations/connections/service.ts'
import type { AttachmentsService } from '../knowledge/documents/attachments-service.ts'
import type { ReadNarrowing } from '../knowledge/search/narrowing-service.ts'
import type { KnowledgeSearchService } from '../knowledge/search/search-service.ts'
import type { Limits } from '../limits/service.ts'
import type { WorkspaceModels } from '../models/models-service.ts'
import type { CallbackService } from '../webhooks/callbacks/callbacks-service.ts'
import type { AccessService } from '../workspaces/teams/access-service.ts'
import { browserTokenRoutes, publicChatRoutes } from './browser-tokens/browser-token-routes.ts'
import { createBrowserTokenService } from './browser-tokens/browser-token-service.ts'
import { createPublicChatService } from './browser-tokens/public-chat-service.ts'
import { createAdmitVisitor } from './browser-tokens/visitors.ts'
import { createModelUse } from './budgets/model-use-service.ts'
import { conversationRoutes } from './conversations/conversation-routes.ts'
import { createConversationService } from './conversations/conversation-service.ts'
import { createOpeningService } from './conversations/opening-service.ts'
import { agentRoutes } from './definitions/agent-routes.ts'
import { createAgentService } from './definitions/agent-service.ts'
import { createRevisionService } from './definitions/revision-service.ts'
import { pendingCallRoutes } from './pending-calls/pending-call-routes.ts'
import { createPendingCallService } from './pending-calls/pending-call-service.ts'
import type { CurrentCaller } from './records/run-callers.ts'
import { runQueueName } from './records/run-job.ts'
import { reviewRoutes } from './review/review-routes.ts'
import { createReviewService } from './review/review-service.ts'
import { createRuns } from './runs/create-runs.ts'
import { runEventRoutes, runRoutes } from './runs/run-routes.ts'
import { createScheduleRound } from './starters/schedule-round.ts'
import { createScheduleService } from './starters/schedule-service.ts'
import { scheduleRoutes, triggerRoutes } from './starters/starter-routes.ts'
import { createTriggerRequests } from './starters/trigger-requests.ts'
import { createTriggerService } from './starters/trigger-service.ts'
import { calculatorTool } from './tools/calculator.ts'
import { callAgentTool } from './tools/call-agent.ts'
import { createTimeTool } from './tools/current-time.ts'
import { createHttpTool } from './tools/http-request.ts'
import { toolRoutes } from './tools/tool-routes.ts'

export type AgentsServices = ReturnType<typeof createAgentsFeature>['services']

export function createAgentsFeature(
  platform: Platform,
  earlier: {
    audit: AuditService
    outbox: Outbox
    limits: Limits
    limiter: Limiter
    callbacks: CallbackService
    access: AccessService
    models: WorkspaceModels
    knowledge: KnowledgeSearchService
    attachments: AttachmentsService
    readNarrowing: ReadNarrowing
    missingCollections: FindMissing
    findConnections: FindConnections
    /** The tools of the earlier features. */
    tools: readonly Tool[]
    remoteTools: RemoteTools
    currentCaller: CurrentCaller
    onChange: () => void
  },
) {
  const { settings, clock, safeFetch } = platform
  const ownTools = [calculatorTool, createTimeTool(clock), createHttpTool(safeFetch), callAgentTool]
  const shared = { ...platform, ...earlier, tools: [...earlier.tools, ...ownTools] }
  checkNames(shared.tools)
  const agents = createAgentService(shared)
  const { reachedContents, reach: agentReach } = agents
  const { queue, runs, budgets, reap } = createRuns({
    ...shared,
    documents: earlier.attachments,
    concurrency: settings.jobConcurrency,
    leaseMs: settings.runLeaseMs,
    waitMs: { approval: settings.approvalMs, result: settings.toolResultMs },
  })
  const pendingCalls = createPendingCallService({ ...shared, runs })
  const revisions = createRevisionService({ ...shared, reachedContents })
  const review = createReviewService({ ...shared, reachedContents })
  const conversations = createConversationService(shared)
  const starting = { ...shared, runs, agentReach }
  const schedules = createScheduleService(starting)
  const startScheduled = createScheduleRound(starting)
  const triggers = createTriggerService(starting)
  const triggerRequests = createTriggerRequests(starting)
  const openings = createOpeningService(shared)
  const browserTokens = createBrowserTokenService(shared)
  const publicChats = createPublicChatService({ ...shared, agentReach })
  return {
    services: {
      agents,
      revisions,
      runs,
      pendingCalls,
      conversations,
      tools: shared.tools,
      budgets,
      modelUse: createModelUse({ ...platform, agents, budgets }),
      reapRuns: reap,
      startScheduled,
    },
    tag: 'agents',
    routes: [
      ...toolRoutes(shared.tools, earlier.remoteTools),
      ...agentRoutes(agents, revisions),
      ...runRoutes(runs),
      ...pendingCallRoutes(pendingCalls),
      ...conversationRoutes(conversations, openings),
      ...runEventRoutes(runs),
      ...reviewRoutes(review, runs),
      ...scheduleRoutes(schedules),
      ...triggerRoutes(triggers, triggerRequests),
      ...browserTokenRoutes(browserTokens),
      ...publicChatRoutes(publicChats, createAdmitVisitor(shared)),
    ],
    schedules: [
      eachMinute('repair abandoned runs', reap),
      eachMinute('end runs whose approvals or results are late', pendingCalls.expire),
      {
        name: 'start scheduled runs',
        everyMs: scheduledEveryMs,
        atStart: true,
        scope: 'process',
        run: startScheduled,
      },
      eachHour('forget old deliveries to triggers', triggerRequests.tidy),
      eachHour('forget old browser tokens', browserTokens.tidy),
    ],
    workspaceData: {
      slices: [
        // Runs are found through their agents, because no index leads from a workspace to all of its runs.
        { table: 'runs', key: ['id'], of: { column: 'agent_id', parent: 'agents' }, rowsAtOnce: 20 },
        { table: 'conversations', key: ['id'], rowsAtOnce: 100 },
        {
          table: 'trigger_deliveries',
          key: ['name_hash'],
          of: { column: 'trigger_id', parent: 'agent_triggers' },
        },
        { table: 'agent_triggers', key: ['id'] },
        { table: 'browser_tokens', key: ['id'] },
        { table: 'public_chats', key: ['agent_id'] },
        { table: 'agent_schedules', key: ['id'] },
        { table: 'agents', key: ['id'], rowsAtOnce: 20 },
      ],
    },
    queues: { [runQueueName]: queue },
  } satisfies Feature<object>
}

/** A schedule is due at most once a minute, and its run starts at most this much later. */
const scheduledEveryMs = 15 * secondMs

/** An operator's connector can repeat a server tool's name: connector `call` with tool `agent` is `call_agent`. */
function checkNames(tools: readonly Tool[]): void {
  const names = tools.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new Error(`Two tools are called ${twice}; rename the one of the connector`)
}
