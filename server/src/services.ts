/** Every feature's verbs, made from what the settings opened: for the HTTP server, the workers and the operator's command alike. */
import { join } from 'node:path'
import type { Settings } from './config.ts'
import type { Dependencies } from './dependencies.ts'
import { type AgentService, createAgentService } from './features/agents/definitions/agent-service.ts'
import { createRunQueue, runQueueName } from './features/agents/runs/run-queue.ts'
import { createRunService, type RunService } from './features/agents/runs/run-service.ts'
import { createRunTraces } from './features/agents/traces/run-traces.ts'
import { createAuthenticator, type KeyAuthenticator } from './features/api-keys/authenticator.ts'
import { type ApiKeyService, createApiKeyService } from './features/api-keys/service.ts'
import { type AuditService, createAuditService } from './features/audit/service.ts'
import { createIdentityService, type IdentityService } from './features/identity/service.ts'
import type { OAuthClient } from './features/integrations/oauth.ts'
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
import { UploadFields } from './features/knowledge/records/schemas.ts'
import { createSettled } from './features/knowledge/records/settled.ts'
import { createIndexWriter } from './features/knowledge/search/index-writer.ts'
import { createSearch } from './features/knowledge/search/search.ts'
import {
  createKnowledgeSearchService,
  type KnowledgeSearchService,
} from './features/knowledge/search/search-service.ts'
import { createSearchTool } from './features/knowledge/search/tools.ts'
import { createSyncQueue, syncQueue } from './features/knowledge/syncs/sync-job.ts'
import { createSyncService, type SyncService } from './features/knowledge/syncs/sync-service.ts'
import { type BatchService, createBatchService } from './features/knowledge/uploads/batches.ts'
import { createUploadQueue, uploadQueue } from './features/knowledge/uploads/resumable-job.ts'
import {
  createResumableUploads,
  type ResumableUploads,
} from './features/knowledge/uploads/resumable-uploads.ts'
import { createUrlUpload, type UrlUpload } from './features/knowledge/uploads/url-uploads.ts'
import { createVectors, type Vectors } from './features/knowledge/vectors/vectors.ts'
import { createLimits, type Limits } from './features/limits/service.ts'
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
import { planLimits } from './plan-limits.ts'
import type { Plan } from './platform/caller.ts'
import type { Queues } from './platform/jobs/job.ts'
import { createJobs, type Jobs } from './platform/jobs/jobs.ts'
import { createWorker, type Worker } from './platform/jobs/worker.ts'
import { createEmbeddings } from './platform/models/embedding/embeddings.ts'
import { createModelFetch } from './platform/models/model-fetch.ts'
import { createModels, type Models } from './platform/models/models.ts'
import { createReranker } from './platform/models/reranker.ts'

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
  uploads: Uploads
  versions: VersionsService
  trash: TrashService
  citations: CitationsService
  retries: RetryService
  reapDocuments: Reaper
  reanalyseDocuments: Reanalysis
  batches: BatchService
  urlUpload: UrlUpload
  syncs: SyncService
  resumableUploads: ResumableUploads
  archives: ArchiveService
  sweepOrphans: OrphanSweep
  sweepVectors: Vectors['sweep']
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
  const readsPictures = settings.ocrCommand !== null
  const shared = { ...dependencies, audit, jobs, limits, memberLimit, readsPictures }

  const identity = createIdentityService(dependencies)
  const authenticator = createAuthenticator(dependencies)

  const parser = parserOf(settings)
  const settled = createSettled()
  const index = createIndexWriter(dependencies.database)
  const modelFetch = createModelFetch()
  const embeddings = createEmbeddings({ ...dependencies, fetch: modelFetch.fetch, random: Math.random })
  const collections = createCollectionService({ ...shared, embeddings })
  const uploads = createUploads(shared)
  const documents = createDocumentService({ ...shared, uploads, settled })
  const trash = createTrashService({ ...shared, index, trashMs: settings.trashMs })

  const vectors = createVectors({ ...shared, embeddings, maxVectors: settings.vectorScanLimit })
  const reranker = createReranker({ settings, fetch: modelFetch.fetch })
  const search = createSearch({ ...shared, vectors: vectors.search, reranker })
  const knowledge = createKnowledgeSearchService({ ...shared, search })

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
      [eraseQueue]: createEraseQueue({ ...shared, index, eraseTraces: [runTraces] }),
      ...purgeQueues(dependencies.database),
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
    uploads,
    versions: createVersionsService({ ...shared, uploads }),
    trash,
    citations: createCitationsService(dependencies),
    retries: createRetryService(shared),
    reapDocuments: createReaper(shared),
    reanalyseDocuments: createReanalysis(shared),
    archives: createArchiveService({ ...shared, settled }),
    ...createIntake({ ...shared, uploads, runNow: worker.runNow }),
    sweepOrphans: createOrphanSweep(dependencies),
    sweepVectors: vectors.sweep,
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

/** The ways in which documents come besides a single upload. */
const createIntake = (
  shared: Parameters<typeof createBatchService>[0] &
    Parameters<typeof createUrlUpload>[0] &
    Parameters<typeof createSyncService>[0] &
    Omit<Parameters<typeof createResumableUploads>[0], 'validateFields'>,
): Pick<Services, 'batches' | 'urlUpload' | 'syncs' | 'resumableUploads'> => ({
  batches: createBatchService(shared),
  urlUpload: createUrlUpload(shared),
  syncs: createSyncService(shared),
  resumableUploads: createResumableUploads({
    ...shared,
    validateFields: createValidation().body(UploadFields),
  }),
})

/** By integration; both halves of a client are needed. */
function oauthClients(settings: Settings): Record<string, OAuthClient | null> {
  const clientOf = (id: string | null, secret: string | null): OAuthClient | null =>
    id === null || secret === null ? null : { id, secret }
  return {
    github: clientOf(settings.githubClientId, settings.githubClientSecret),
    'google-drive': clientOf(settings.googleClientId, settings.googleClientSecret),
  }
}

/** What PostgreSQL deletes, it clears out by itself. */
const purgeQueues = ({ emptyLog }: Dependencies['database']): Queues =>
  emptyLog === null ? {} : { [purgeQueue]: createPurgeQueue(emptyLog) }

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
