/** Every feature's verbs, made from what the settings opened: for the HTTP server, the workers and the operator's command alike. */
import { join } from 'node:path'
import type { PlanNumbers, Settings } from './config.ts'
import type { Dependencies } from './dependencies.ts'
import { createRunQueue, runQueueName } from './features/agents/run-queue.ts'
import { createRunService, type RunService } from './features/agents/run-service.ts'
import { type AgentService, createAgentService } from './features/agents/service.ts'
import { createAuthenticator, type KeyAuthenticator } from './features/api-keys/authenticator.ts'
import { type ApiKeyService, createApiKeyService } from './features/api-keys/service.ts'
import { type AuditService, createAuditService } from './features/audit/service.ts'
import { createIdentityService, type IdentityService } from './features/identity/service.ts'
import type { OAuthClient } from './features/integrations/oauth.ts'
import { createIntegrationService, type IntegrationService } from './features/integrations/service.ts'
import { type CollectionService, createCollectionService } from './features/knowledge/collections-service.ts'
import { createDocumentService, type DocumentService } from './features/knowledge/documents-service.ts'
import { createEraseQueue, eraseQueue } from './features/knowledge/erase.ts'
import { createIngestQueue } from './features/knowledge/ingest.ts'
import { ingestQueue } from './features/knowledge/ingest-job.ts'
import { createOrphanSweep, type OrphanSweep } from './features/knowledge/orphans.ts'
import { createParser } from './features/knowledge/parsing/parser.ts'
import { createIndexWriter } from './features/knowledge/search/index-writer.ts'
import { createSearch } from './features/knowledge/search/search.ts'
import {
  createKnowledgeSearchService,
  type KnowledgeSearchService,
} from './features/knowledge/search-service.ts'
import { createSettled } from './features/knowledge/settled.ts'
import { createSearchTool } from './features/knowledge/tools.ts'
import { createLimits, type Limits, type PlanLimits } from './features/limits/service.ts'
import { type AcceptanceService, createAcceptanceService } from './features/workspaces/acceptance-service.ts'
import { createInvitationMailQueue, invitationMailQueue } from './features/workspaces/invitations-mail.ts'
import { createInvitationService, type InvitationService } from './features/workspaces/invitations-service.ts'
import { createMemberService, type MemberService } from './features/workspaces/members-service.ts'
import { createWorkspaceService, type WorkspaceService } from './features/workspaces/service.ts'
import {
  createTeamMemberService,
  type TeamMemberService,
} from './features/workspaces/team-members-service.ts'
import { createTeamService, type TeamService } from './features/workspaces/teams-service.ts'
import { createValidation } from './http/validation.ts'
import type { Plan } from './platform/caller.ts'
import { createJobs, type Jobs } from './platform/jobs/jobs.ts'
import { createWorker, type Worker } from './platform/jobs/worker.ts'
import { createModelFetch } from './platform/models/model-fetch.ts'
import { createModels, type Models } from './platform/models/models.ts'

export type Services = {
  audit: AuditService
  workspaces: WorkspaceService
  members: MemberService
  invitations: InvitationService
  acceptance: AcceptanceService
  teams: TeamService
  teamMembers: TeamMemberService
  identity: IdentityService
  apiKeys: ApiKeyService
  authenticator: KeyAuthenticator
  limits: Limits
  integrations: IntegrationService
  collections: CollectionService
  documents: DocumentService
  sweepOrphans: OrphanSweep
  knowledge: KnowledgeSearchService
  models: Models
  agents: AgentService
  runs: RunService
  jobs: Jobs
  worker: Worker
  /** Ends what runs beside the services: parsing children, connections to model servers. */
  close(): Promise<void>
}

export function createServices(dependencies: Dependencies): Services {
  const { settings } = dependencies
  const audit = createAuditService(dependencies)
  const jobs = createJobs(dependencies)
  const limits = createLimits(planLimits(settings))
  const memberLimit = (plan: Plan): number => limits.of({ plan, requestsPerMinute: null }).members
  const shared = { ...dependencies, audit, jobs, limits, memberLimit }

  const identity = createIdentityService(dependencies)
  const authenticator = createAuthenticator(dependencies)

  const parser = createParser({ folder: join(settings.dataDir, 'parsing') })
  const settled = createSettled()
  const index = createIndexWriter(dependencies.database)
  const collections = createCollectionService({ ...shared, index })
  const documents = createDocumentService({ ...shared, index, settled })
  const knowledge = createKnowledgeSearchService({ ...shared, search: createSearch(dependencies) })

  const modelFetch = createModelFetch()
  const models = createModels({ settings, fetch: modelFetch.fetch, now: dependencies.clock })
  const tools = [createSearchTool(knowledge)]
  const agents = createAgentService({ ...shared, models, tools, missingCollections: collections.missing })
  const apiKeys = createApiKeyService({
    ...shared,
    missingAgents: agents.missing,
    missingCollections: collections.missing,
    onChange: authenticator.forget,
  })

  const concurrency = settings.jobConcurrency
  const worker = createWorker({
    jobs,
    log: dependencies.log,
    queues: {
      [invitationMailQueue]: createInvitationMailQueue(dependencies),
      [ingestQueue]: createIngestQueue({ ...shared, parser, index, settled, concurrency }),
      [eraseQueue]: createEraseQueue({ ...shared, index }),
      [runQueueName]: createRunQueue({ ...shared, models, tools, concurrency }),
    },
  })
  const workspaces = createWorkspaceService(shared)
  return {
    audit,
    workspaces,
    members: createMemberService({ ...shared, onChange: authenticator.forget }),
    invitations: createInvitationService(shared),
    acceptance: createAcceptanceService({ ...shared, people: identity }),
    teams: createTeamService(shared),
    teamMembers: createTeamMemberService(shared),
    identity,
    apiKeys,
    authenticator,
    limits,
    integrations: createIntegrationService({
      ...shared,
      workspaces,
      oauthClients: oauthClients(settings),
      redirectOrigins: settings.redirectOrigins,
      compileSchema: createValidation().body,
    }),
    collections,
    documents,
    sweepOrphans: createOrphanSweep(dependencies),
    knowledge,
    models,
    agents,
    runs: createRunService({ ...shared, runNow: worker.runNow, models, tools }),
    jobs,
    worker,
    async close() {
      parser.close()
      await modelFetch.close()
    },
  }
}

/** By integration; both halves of a client are needed. */
function oauthClients(settings: Settings): Record<string, OAuthClient | null> {
  const clientOf = (id: string | null, secret: string | null): OAuthClient | null =>
    id === null || secret === null ? null : { id, secret }
  return {
    github: clientOf(settings.githubClientId, settings.githubClientSecret),
    'google-drive': clientOf(settings.googleClientId, settings.googleClientSecret),
  }
}

const megabyte = 1024 * 1024

function planLimits(settings: Settings): Record<Plan, PlanLimits> {
  const limitsOf = (numbers: PlanNumbers): PlanLimits => ({
    requestsPerMinute: numbers.requestsPerMinute,
    storageBytes: numbers.storageMb * megabyte,
    uploadBytes: numbers.uploadMb * megabyte,
    members: numbers.members,
    runsAtOnce: numbers.runsAtOnce,
  })
  return {
    free: limitsOf(settings.freePlan),
    starter: limitsOf(settings.starterPlan),
    professional: limitsOf(settings.professionalPlan),
    enterprise: limitsOf(settings.enterprisePlan),
  }
}
