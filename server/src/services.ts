/** Every feature's verbs, made from what the settings opened: for the HTTP server, the workers and the operator's command alike. */
import { join } from 'node:path'
import { type AgentServices, createAgentParts } from './agent-services.ts'
import { createAuthenticators, createCurrentCallers } from './authenticators.ts'
import type { Settings } from './config.ts'
import { type ConnectionServices, createConnectionParts } from './connection-services.ts'
import type { Dependencies } from './dependencies.ts'
import { runQueueName } from './features/agents/runs/run-payload.ts'
import type { KeyAuthenticator } from './features/api-keys/authenticator.ts'
import { type ApiKeyService, createApiKeyService } from './features/api-keys/service.ts'
import { type AuditService, createAuditService } from './features/audit/service.ts'
import { createIdentityService, type IdentityService } from './features/identity/service.ts'
import { type ArchiveService, createArchiveService } from './features/knowledge/archive/archives-service.ts'
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
import { createRetryService, type RetryService } from './features/knowledge/documents/retry-service.ts'
import { createTrashService, type TrashService } from './features/knowledge/documents/trash-service.ts'
import {
  createVersionsService,
  type VersionsService,
} from './features/knowledge/documents/versions-service.ts'
import { createParser, type Parser } from './features/knowledge/parsing/parser.ts'
import { createOrphanSweep, type OrphanSweep } from './features/knowledge/processing/orphans.ts'
import { createReanalysis, type Reanalysis } from './features/knowledge/processing/reanalysis.ts'
import { createReaper, type Reaper } from './features/knowledge/processing/reaper.ts'
import { createSettled } from './features/knowledge/records/settled.ts'
import { createIndexWriter } from './features/knowledge/search/index-writer.ts'
import { createSearch } from './features/knowledge/search/search.ts'
import {
  createKnowledgeSearchService,
  type KnowledgeSearchService,
} from './features/knowledge/search/search-service.ts'
import { createVectors, type Vectors } from './features/knowledge/vectors/vectors.ts'
import { createTellLimit } from './features/limits/limit-notices.ts'
import { createLimits, type Limits } from './features/limits/service.ts'
import type { WorkspaceModels } from './features/models/models-service.ts'
import type { ModelProviderService } from './features/models/service.ts'
import { createRequestMeter, type KeptRequestMeter } from './features/usage/request-meter.ts'
import { createUsageHistoryService, type UsageHistoryService } from './features/usage/service.ts'
import { createAccessService } from './features/workspaces/access-service.ts'
import { createInvitationMailQueue, invitationMailQueue } from './features/workspaces/invitations-mail.ts'
import { administrators } from './features/workspaces/members-service.ts'
import { createWorkspaceService, type WorkspaceService } from './features/workspaces/service.ts'
import { createKnowledgeQueues } from './knowledge-queues.ts'
import { createModelServices } from './model-services.ts'
import { createPeopleServices, type PeopleServices } from './people-services.ts'
import { planLimits } from './plan-limits.ts'
import type { Plan } from './platform/caller.ts'
import { createSeals } from './platform/crypto/seals.ts'
import { createJobs, type Jobs } from './platform/jobs/jobs.ts'
import { createWorker, type Worker } from './platform/jobs/worker.ts'
import type { Models } from './platform/models/models.ts'
import { createSignInServices, type SignInServices } from './sign-in-services.ts'
import { createWebhookServices, type WebhookServices } from './webhook-services.ts'
import { createWorkspaceErasure } from './workspace-erasure.ts'

export type Services = WebhookServices &
  AgentServices &
  PeopleServices &
  SignInServices &
  ConnectionServices & {
    audit: AuditService
    workspaces: WorkspaceService
    identity: IdentityService
    apiKeys: ApiKeyService
    authenticator: KeyAuthenticator
    limits: Limits
    requestMeter: KeptRequestMeter
    usageHistory: UsageHistoryService
    collections: CollectionService
    documents: DocumentService
    uploads: Uploads
    versions: VersionsService
    trash: TrashService
    citations: CitationsService
    retries: RetryService
    sweepWorkspaces: () => Promise<number>
    reapDocuments: Reaper
    reanalyseDocuments: Reanalysis
    archives: ArchiveService
    sweepOrphans: OrphanSweep
    sweepVectors: Vectors['sweep']
    knowledge: KnowledgeSearchService
    models: WorkspaceModels
    modelProviders: ModelProviderService
    /** Of the operator's models. */
    defaultModel: Models['defaultModel']
    jobs: Jobs
    worker: Worker
    /** Ends what runs beside the services: parsing children, connections to model servers. */
    close(): Promise<void>
  }

export function createServices(dependencies: Dependencies): Services {
  const { settings } = dependencies
  const audit = createAuditService(dependencies)
  const jobs = createJobs(dependencies)
  const workspaces = createWorkspaceService({ ...dependencies, audit })
  const seals = createSeals({
    keyring: dependencies.keyring,
    dataKeyOf: async workspaceId => (await workspaces.find(workspaceId)).data_key,
  })
  const webhooks = createWebhookServices({ ...dependencies, audit, jobs, seals, administrators })
  const { outbox, memberWebhooks } = webhooks
  const limits = createLimits(planLimits(settings), createTellLimit({ ...dependencies, outbox }))
  const memberLimit = (plan: Plan): number => limits.of({ plan, requestsPerMinute: null }).members
  const shared = { ...dependencies, audit, jobs, limits, memberLimit, seals, outbox }

  const identity = createIdentityService(dependencies)
  const authenticator = createAuthenticators(dependencies)
  const signIn = createSignInServices({ ...shared, identity, workspaces, onChange: authenticator.forget })

  const parser = parserOf(settings)
  const settled = createSettled()
  const index = createIndexWriter(dependencies.database)
  const { models, modelProviders, defaultModel, embeddings, reranker, closeModels } =
    createModelServices(shared)
  const access = createAccessService({ ...dependencies, onChange: authenticator.forget })
  const collections = createCollectionService({ ...shared, embeddings, access })
  const uploads = createUploads(shared)
  const documents = createDocumentService({ ...shared, uploads, settled })
  const trash = createTrashService({ ...shared, index, trashMs: settings.trashMs })

  const vectors = createVectors({ ...shared, embeddings, maxVectors: settings.vectorScanLimit })
  const search = createSearch({ ...shared, vectors: vectors.search, reranker })
  const knowledge = createKnowledgeSearchService({ ...shared, search })

  const connections = createConnectionParts({
    ...shared,
    ...{ uploads, documents, collections, trash, workspaces },
    runNow: (tx, job) => worker.runNow(tx, job),
  })
  const { agents, runQueue, makeAgentServices } = createAgentParts({
    ...shared,
    connectionHost: connections.services.integrations.host,
    ...{ models, knowledge, access, missingCollections: collections.missing },
    currentCaller: createCurrentCallers(dependencies),
  })
  const apiKeys = createApiKeyService({
    ...shared,
    missingAgents: agents.missing,
    missingCollections: collections.missing,
    onChange: authenticator.forget,
  })

  const erasure = createWorkspaceErasure({ ...shared, index })
  const worker: Worker = createWorker({
    jobs,
    log: dependencies.log,
    queues: {
      [invitationMailQueue]: createInvitationMailQueue(dependencies),
      ...createKnowledgeQueues({ ...shared, parser, index, settled, uploads, trash, vectors }),
      [runQueueName]: runQueue,
      ...erasure.queues,
      ...webhooks.queues,
      ...signIn.queues,
      ...connections.queues,
    },
  })
  return {
    audit,
    workspaces,
    ...signIn.services,
    ...createPeopleServices({ ...shared, memberWebhooks, people: identity, onChange: authenticator.forget }),
    identity,
    apiKeys,
    authenticator,
    limits,
    requestMeter: createRequestMeter(dependencies),
    usageHistory: createUsageHistoryService({ ...dependencies, usageMs: settings.usageMs }),
    ...connections.services,
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
    sweepOrphans: createOrphanSweep(dependencies),
    sweepWorkspaces: erasure.sweep,
    sweepVectors: vectors.sweep,
    knowledge,
    models,
    modelProviders,
    defaultModel,
    ...makeAgentServices(worker.runNow),
    ...webhooks.services,
    jobs,
    worker,
    async close() {
      await signIn.services.accountLog.settled()
      parser.close()
      await closeModels()
    },
  }
}

function parserOf({ dataDir, parsingTimeoutMs, ocrCommand, ocrTimeoutMs }: Settings): Parser {
  return createParser({
    folder: join(dataDir, 'parsing'),
    timeoutMs: parsingTimeoutMs,
    recognition: ocrCommand === null ? null : { command: ocrCommand, timeoutMs: ocrTimeoutMs },
  })
}
