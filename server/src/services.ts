/** Every feature's verbs, made from what the settings opened: for the HTTP server, the workers and the operator's command alike. */
import { join } from 'node:path'
import { type AgentServices, createAgentParts } from './agent-services.ts'
import type { Settings } from './config.ts'
import type { Dependencies } from './dependencies.ts'
import { runQueueName } from './features/agents/runs/run-payload.ts'
import { createRunTraces } from './features/agents/traces/run-traces.ts'
import { createAuthenticator, type KeyAuthenticator } from './features/api-keys/authenticator.ts'
import { type ApiKeyService, createApiKeyService } from './features/api-keys/service.ts'
import { type AuditService, createAuditService } from './features/audit/service.ts'
import { createIdentityService, type IdentityService } from './features/identity/service.ts'
import { createIntegrationService, type IntegrationService } from './features/integrations/service.ts'
import { type ArchiveService, createArchiveService } from './features/knowledge/archive/archives-service.ts'
import { importQueue } from './features/knowledge/archive/import-job.ts'
import { createImportQueue } from './features/knowledge/archive/import-queue.ts'
import {
  type CitationsService,
  createCitationsService,
} from './features/knowledge/citations/citations-service.ts'
import {
  type CollectionService,
  createCollectionService,
} from './features/knowledge/documents/collections-service.ts'
import { createUploads, type Uploads } from './features/knowledge/documents/document-uploads.ts'
import {
  createDocumentService,
  type DocumentService,
} from './features/knowledge/documents/documents-service.ts'
import {
  createRetryQueue,
  createRetryService,
  type RetryService,
  retryQueue,
} from './features/knowledge/documents/retry-service.ts'
import { createTrashService, type TrashService } from './features/knowledge/documents/trash-service.ts'
import {
  createVersionsService,
  type VersionsService,
} from './features/knowledge/documents/versions-service.ts'
import { createFieldsQueue, fieldsQueue } from './features/knowledge/filter/fields-queue.ts'
import { createParser, type Parser } from './features/knowledge/parsing/parser.ts'
import { createEraseQueue } from './features/knowledge/processing/erase.ts'
import { createIngestQueue } from './features/knowledge/processing/ingest.ts'
import type { StageTimeouts } from './features/knowledge/processing/ingest-stages.ts'
import { createLeftoversQueue } from './features/knowledge/processing/leftovers.ts'
import { createOrphanSweep, type OrphanSweep } from './features/knowledge/processing/orphans.ts'
import { createPurgeQueue } from './features/knowledge/processing/purge.ts'
import { createReanalysis, type Reanalysis } from './features/knowledge/processing/reanalysis.ts'
import { createReaper, type Reaper } from './features/knowledge/processing/reaper.ts'
import { createReindexQueue } from './features/knowledge/processing/reindex.ts'
import { eraseQueue } from './features/knowledge/records/erase-job.ts'
import { ingestQueue } from './features/knowledge/records/ingest-job.ts'
import { leftoversQueue } from './features/knowledge/records/leftovers-job.ts'
import { purgeQueue } from './features/knowledge/records/purge-job.ts'
import { reindexQueue } from './features/knowledge/records/reindex-job.ts'
import { createSettled } from './features/knowledge/records/settled.ts'
import { createIndexWriter } from './features/knowledge/search/index-writer.ts'
import { createSearch } from './features/knowledge/search/search.ts'
import {
  createKnowledgeSearchService,
  type KnowledgeSearchService,
} from './features/knowledge/search/search-service.ts'
import { createSyncQueue, syncQueue } from './features/knowledge/syncs/sync-job.ts'
import { createUploadQueue, uploadQueue } from './features/knowledge/uploads/resumable-job.ts'
import { createVectors, type Vectors } from './features/knowledge/vectors/vectors.ts'
import { createLimits, type Limits } from './features/limits/service.ts'
import type { WorkspaceModels } from './features/models/models-service.ts'
import type { ModelProviderService } from './features/models/service.ts'
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
import { createIntakeServices, type IntakeServices } from './intake-services.ts'
import { createModelServices } from './model-services.ts'
import { oauthClients } from './oauth-clients.ts'
import { planLimits } from './plan-limits.ts'
import type { Plan } from './platform/caller.ts'
import { createSeals } from './platform/crypto/seals.ts'
import type { Queues } from './platform/jobs/job.ts'
import { createJobs, type Jobs } from './platform/jobs/jobs.ts'
import { createWorker, type Worker } from './platform/jobs/worker.ts'

export type Services = IntakeServices &
  AgentServices & {
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
    uploads: Uploads
    versions: VersionsService
    trash: TrashService
    citations: CitationsService
    retries: RetryService
    reapDocuments: Reaper
    reanalyseDocuments: Reanalysis
    archives: ArchiveService
    sweepOrphans: OrphanSweep
    sweepVectors: Vectors['sweep']
    knowledge: KnowledgeSearchService
    models: WorkspaceModels
    modelProviders: ModelProviderService
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
  const workspaces = createWorkspaceService({ ...dependencies, audit })
  const seals = createSeals({
    keyring: dependencies.keyring,
    dataKeyOf: async workspaceId => (await workspaces.find(workspaceId)).data_key,
  })
  const shared = { ...dependencies, audit, jobs, limits, memberLimit, seals }

  const identity = createIdentityService(dependencies)
  const authenticator = createAuthenticator(dependencies)

  const parser = parserOf(settings)
  const settled = createSettled()
  const index = createIndexWriter(dependencies.database)
  const { models, modelProviders, embeddings, reranker, closeModels } = createModelServices(shared)
  const collections = createCollectionService({ ...shared, embeddings })
  const uploads = createUploads(shared)
  const documents = createDocumentService({ ...shared, uploads, settled })
  const trash = createTrashService({ ...shared, index, trashMs: settings.trashMs })

  const vectors = createVectors({ ...shared, embeddings, maxVectors: settings.vectorScanLimit })
  const search = createSearch({ ...shared, vectors: vectors.search, reranker })
  const knowledge = createKnowledgeSearchService({ ...shared, search })

  const { agents, runQueue, makeAgentServices } = createAgentParts({
    ...shared,
    ...{ models, knowledge, missingCollections: collections.missing },
  })
  const apiKeys = createApiKeyService({
    ...shared,
    missingAgents: agents.missing,
    missingCollections: collections.missing,
    onChange: authenticator.forget,
  })

  const concurrency = settings.jobConcurrency
  const runTraces = createRunTraces({ ...dependencies, forgetReplies: audit.forgetReplies })
  const worker = createWorker({
    jobs,
    log: dependencies.log,
    queues: {
      [invitationMailQueue]: createInvitationMailQueue(dependencies),
      [ingestQueue]: createIngestQueue({
        ...shared,
        ...{ parser, index, settled, concurrency },
        embedding: vectors.stage,
        timeouts: stageTimeouts(settings),
      }),
      ...vectors.queues,
      ...eraseQueues({ ...shared, index, eraseTraces: [runTraces] }),
      [leftoversQueue]: createLeftoversQueue({
        ...shared,
        ...{ index, concurrency, keptVersions: settings.documentVersions },
      }),
      [reindexQueue]: createReindexQueue({ ...shared, index, settled, concurrency }),
      [uploadQueue]: createUploadQueue({ ...shared, uploads }),
      [syncQueue]: createSyncQueue({ ...shared, trash }),
      [fieldsQueue]: createFieldsQueue(dependencies.database),
      [importQueue]: createImportQueue({ ...shared, index, settled }),
      [retryQueue]: createRetryQueue(shared),
      [runQueueName]: runQueue,
    },
  })
  return {
    audit,
    workspaces,
    ...createPeople({ ...shared, people: identity, onChange: authenticator.forget }),
    identity,
    apiKeys,
    authenticator,
    limits,
    integrations: createIntegrationService({
      ...shared,
      oauthClients: oauthClients(settings),
      redirectOrigins: settings.redirectOrigins,
      compileSchema: createValidation().body,
    }),
    collections,
    documents,
    uploads,
    versions: createVersionsService({ ...shared, uploads }),
    trash,
    citations: createCitationsService(dependencies),
    retries: createRetryService(shared),
    reapDocuments: createReaper(shared),
    reanalyseDocuments: createReanalysis(shared),
    archives: createArchiveService({ ...shared, settled }),
    ...createIntakeServices({ ...shared, uploads, runNow: worker.runNow, timeoutMs: settings.urlTimeoutMs }),
    sweepOrphans: createOrphanSweep(dependencies),
    sweepVectors: vectors.sweep,
    knowledge,
    models,
    modelProviders,
    ...makeAgentServices(worker.runNow),
    jobs,
    worker,
    async close() {
      parser.close()
      await closeModels()
    },
  }
}

/** Who belongs to a workspace, and how they come and go. */
const createPeople = (
  shared: Parameters<typeof createMemberService>[0] &
    Parameters<typeof createInvitationService>[0] &
    Parameters<typeof createAcceptanceService>[0],
): Pick<Services, 'members' | 'invitations' | 'acceptance' | 'teams' | 'teamMembers'> => ({
  members: createMemberService(shared),
  invitations: createInvitationService(shared),
  acceptance: createAcceptanceService(shared),
  teams: createTeamService(shared),
  teamMembers: createTeamMemberService(shared),
})

/** What PostgreSQL deletes, it clears out by itself. */
const eraseQueues = (shared: Parameters<typeof createEraseQueue>[0]): Queues => ({
  [eraseQueue]: createEraseQueue(shared),
  ...(shared.database.emptyLog !== null && { [purgeQueue]: createPurgeQueue(shared.database.emptyLog) }),
})

const stageTimeouts = (settings: Settings): StageTimeouts => ({
  parsing: settings.parsingTimeoutMs,
  embedding: settings.embeddingTimeoutMs,
  indexing: settings.indexingTimeoutMs,
})

function parserOf({ dataDir, parsingTimeoutMs, ocrCommand, ocrTimeoutMs }: Settings): Parser {
  return createParser({
    folder: join(dataDir, 'parsing'),
    timeoutMs: parsingTimeoutMs,
    recognition: ocrCommand === null ? null : { command: ocrCommand, timeoutMs: ocrTimeoutMs },
  })
}
