/** Agents, their runs and what belongs to them, made from what the other features offer. */
import type { Dependencies } from './dependencies.ts'
import type { ApprovalService } from './features/agents/approvals/approval-service.ts'
import type { Budgets } from './features/agents/budgets/budgets.ts'
import {
  type ConversationService,
  createConversationService,
} from './features/agents/conversations/conversation-service.ts'
import { type AgentService, createAgentService } from './features/agents/definitions/agent-service.ts'
import {
  createRevisionService,
  type RevisionService,
} from './features/agents/definitions/revision-service.ts'
import { createReviewService, type ReviewService } from './features/agents/review/review-service.ts'
import type { CurrentCaller } from './features/agents/runs/run-callers.ts'
import { createRunParts } from './features/agents/runs/run-parts.ts'
import type { RunReaper } from './features/agents/runs/run-reaper.ts'
import type { RunService } from './features/agents/runs/run-service.ts'
import { createOwnTools } from './features/agents/tools/own-tools.ts'
import type { FindMissing } from './features/api-keys/service.ts'
import type { AuditService } from './features/audit/service.ts'
import type { Outbox } from './features/events/outbox-service.ts'
import { createEventService, type EventService } from './features/events/service.ts'
import { createFindConnections } from './features/integrations/bound-connections-service.ts'
import type { ConnectorHost } from './features/integrations/connector-host.ts'
import { createConnectionTools } from './features/integrations/tools.ts'
import { createAttachmentsService } from './features/knowledge/documents/attachments-service.ts'
import { createPassagesService } from './features/knowledge/documents/passages-service.ts'
import { createReadTool } from './features/knowledge/documents/tools.ts'
import type { KnowledgeSearchService } from './features/knowledge/search/search-service.ts'
import { createSearchTool } from './features/knowledge/search/tools.ts'
import type { Limits } from './features/limits/service.ts'
import type { WorkspaceModels } from './features/models/models-service.ts'
import type { AccessService } from './features/workspaces/access-service.ts'
import type { Jobs } from './platform/jobs/jobs.ts'
import type { Worker } from './platform/jobs/worker.ts'
import type { Tool } from './platform/tool.ts'

export type AgentServices = {
  agents: AgentService
  revisions: RevisionService
  runs: RunService
  approvals: ApprovalService
  tools: readonly Tool[]
  review: ReviewService
  conversations: ConversationService
  budgets: Budgets
  events: EventService
  reapRuns: RunReaper
}

type Given = Dependencies & {
  audit: AuditService
  jobs: Jobs
  limits: Limits
  models: WorkspaceModels
  knowledge: KnowledgeSearchService
  access: AccessService
  missingCollections: FindMissing
  currentCaller: CurrentCaller
  outbox: Outbox
  connectionHost: ConnectorHost
}

/** The agents and the queue come first: keys name agents, and the worker that `makeAgentServices` is given serves the queue. */
export function createAgentParts(given: Given) {
  const { settings, models } = given
  const findConnections = createFindConnections(given)
  const tools = [
    createSearchTool(given.knowledge),
    createReadTool(createPassagesService(given)),
    ...createOwnTools(given),
    ...createConnectionTools({ ...given, findConnections, host: given.connectionHost }),
  ]
  checkNames(tools)
  const agents = createAgentService({ ...given, tools, findConnections })
  const runParts = createRunParts({
    ...given,
    documents: createAttachmentsService(given),
    tools,
    concurrency: settings.jobConcurrency,
    leaseMs: settings.runLeaseMs,
    currentCaller: given.currentCaller,
    approvalMs: settings.approvalMs,
  })
  return {
    agents,
    runQueue: runParts.queue,
    makeAgentServices: (runNow: Worker['runNow']): AgentServices => ({
      agents,
      revisions: createRevisionService({ ...given, reachedContents: agents.reachedContents }),
      tools,
      approvals: runParts.approvals,
      runs: runParts.makeService({ ...given, runNow }),
      reapRuns: runParts.reap,
      budgets: runParts.budgets,
      events: createEventService({ ...given, eventsMs: settings.eventsMs }),
      review: createReviewService({ ...given, models, reachedContents: agents.reachedContents }),
      conversations: createConversationService(given),
    }),
  }
}

/** A connector of the operator's own may have the name of a tool of the server's: the id `call`, the tool `agent`. */
function checkNames(tools: readonly Tool[]): void {
  const names = tools.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new Error(`Two tools are called ${twice}; rename the one of the connector`)
}
