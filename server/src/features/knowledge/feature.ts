/** Knowledge: documents on their way in, collections, search over them, and the trash behind them. */
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import type { Feature } from '../../http/feature.ts'
import { validation } from '../../http/validation.ts'
import type { Queues } from '../../platform/jobs/job.ts'
import type { Log } from '../../platform/log.ts'
import type { Embeddings } from '../../platform/models/embedding/embeddings.ts'
import type { Reranker } from '../../platform/models/reranker.ts'
import type { Platform } from '../../platform/platform.ts'
import { eachHour, eachMinute } from '../../platform/schedules/schedules.ts'
import type { Settings } from '../../settings/settings.ts'
import type { AuditService } from '../audit/service.ts'
import type { Outbox } from '../events/outbox-service.ts'
import type { Limits } from '../limits/service.ts'
import type { AccessService } from '../workspaces/teams/access-service.ts'
import { archiveRoutes } from './archive/archive-routes.ts'
import { createArchiveService } from './archive/archives-service.ts'
import { createImportQueue, importQueue } from './archive/import-queue.ts'
import { citationRoutes } from './citations/citations-routes.ts'
import { createCitationsService } from './citations/citations-service.ts'
import { createAttachmentsService } from './documents/attachments-service.ts'
import { collectionRoutes } from './documents/collections-routes.ts'
import { createCollectionService } from './documents/collections-service.ts'
import { createUploads } from './documents/document-uploads.ts'
import { documentRoutes, externalDocumentRoutes, retryRoutes } from './documents/documents-routes.ts'
import { createDocumentService } from './documents/documents-service.ts'
import { pageRoutes } from './documents/pages/pages-routes.ts'
import { createPagesService } from './documents/pages/pages-service.ts'
import { createRetryQueue, createRetryService, retryQueue } from './documents/retry-service.ts'
import { trashRoutes } from './documents/trash-routes.ts'
import { createTrashService, type NamersOf } from './documents/trash-service.ts'
import { versionRoutes } from './documents/versions-routes.ts'
import { createPassagesService, createVersionsService } from './documents/versions-service.ts'
import { createParser, type ParserOptions } from './parsing/parser.ts'
import { languageFile } from './parsing/recognition/tesseract.ts'
import {
  createEraseQueue,
  createKnowledgeData,
  createPurgeQueue,
  type EraseTraces,
  type RemembersCollection,
} from './processing/erase.ts'
import { createIngestQueue } from './processing/ingest.ts'
import { createLeftoversQueue, createOrphanSweep, createReaper } from './processing/reaper.ts'
import { createReanalysis, createReindexQueue } from './processing/reindex-service.ts'
import {
  eraseQueue,
  ingestQueue,
  leftoversQueue,
  purgeQueue,
  recogniseQueue,
  reindexQueue,
} from './records/document-jobs.ts'
import { UploadFields } from './records/schemas.ts'
import { createSettled } from './records/settled.ts'
import { createIndexWriter } from './search/index/index-writer.ts'
import { createReadNarrowing, readFilter } from './search/narrowing-service.ts'
import { createSearch } from './search/search.ts'
import { searchRoutes } from './search/search-routes.ts'
import { createKnowledgeSearchService } from './search/search-service.ts'
import { createSyncQueue, syncQueue } from './syncs/sync-ending.ts'
import { syncRoutes } from './syncs/sync-routes.ts'
import { createSyncService } from './syncs/sync-service.ts'
import { createReadTool, createSearchTool } from './tools.ts'
import { createBatchService } from './uploads/batches.ts'
import { createUploadQueue, uploadQueue } from './uploads/resumable-pieces.ts'
import { createResumableUploads } from './uploads/resumable-uploads.ts'
import { intakeRoutes, resumableRoutes } from './uploads/upload-routes.ts'
import { createUrlUpload } from './uploads/url-uploads.ts'
import { createFinder } from './vectors/finder.ts'
import { createVectors } from './vectors/vectors.ts'

export type KnowledgeServices = ReturnType<typeof createKnowledgeFeature>['services']

type Earlier = {
  audit: AuditService
  outbox: Outbox
  limits: Limits
  access: AccessService
  embeddings: Embeddings
  reranker: Reranker | null
  /** What answers leave of an erased document outside this feature. */
  eraseTraces: readonly EraseTraces[]
  remembersCollection: RemembersCollection
  namersOf: NamersOf
}

export function createKnowledgeFeature(platform: Platform, earlier: Earlier) {
  const { settings, database } = platform
  const parser = createParser(parserOptions(settings, platform.log))
  const settled = createSettled()
  const index = createIndexWriter(database)
  const converted = new Set(settings.converterCommand === null ? [] : settings.converterTypes)
  const uploads = createUploads({ ...platform, ...earlier, converted })
  const shared = { ...platform, ...earlier, converted, parser, settled, index, uploads }
  const collections = createCollectionService(shared)
  const documents = createDocumentService(shared)
  const trash = createTrashService({ ...shared, trashMs: settings.trashMs })
  const vectors = createVectors({ ...shared, maxVectors: settings.vectorScanLimit })
  const finder = createFinder({ ...platform, threads: settings.searchThreads ?? availableParallelism() })
  const search = createSearch({ ...earlier, find: finder.find, vectors: vectors.search })
  const knowledge = createKnowledgeSearchService({ ...shared, search })
  const services = {
    collections,
    documents,
    attachments: createAttachmentsService(shared),
    uploads,
    batches: createBatchService(shared),
    urlUpload: createUrlUpload({ ...shared, timeoutMs: settings.urlTimeoutMs }),
    resumableUploads: createResumableUploads({ ...shared, validateFields: validation.body(UploadFields) }),
    syncs: createSyncService(shared),
    versions: createVersionsService(shared),
    pages: createPagesService({ ...shared, documents }),
    trash,
    citations: createCitationsService(platform),
    retries: createRetryService(shared),
    archives: createArchiveService(shared),
    knowledge,
    readNarrowing: createReadNarrowing(platform),
    readFilter,
    /** What agents read with. */
    knowledgeTools: [createSearchTool(knowledge), createReadTool(createPassagesService(platform))],
    reapDocuments: createReaper(shared),
    reanalyseDocuments: createReanalysis(shared),
    sweepOrphans: createOrphanSweep(platform),
    sweepVectors: vectors.sweep,
  }
  const concurrency = settings.jobConcurrency
  const ingestion = {
    ...shared,
    embedding: vectors.stage,
    timeouts: {
      parsing: settings.parsingTimeoutMs + settings.ocrTimeoutMs,
      embedding: settings.embeddingTimeoutMs,
      indexing: settings.indexingTimeoutMs,
    },
  }
  const queues: Queues = {
    [ingestQueue]: createIngestQueue({ ...ingestion, concurrency, mayRecognise: false }),
    [recogniseQueue]: createIngestQueue({
      ...ingestion,
      concurrency: documentsRecognisedAtOnce,
      mayRecognise: true,
    }),
    ...vectors.queues,
    [eraseQueue]: createEraseQueue(shared),
    [leftoversQueue]: createLeftoversQueue({
      ...shared,
      concurrency,
      keptVersions: settings.documentVersions,
    }),
    [reindexQueue]: createReindexQueue({ ...shared, concurrency }),
    [uploadQueue]: createUploadQueue(shared),
    [syncQueue]: createSyncQueue({ ...shared, trash }),
    [importQueue]: createImportQueue(shared),
    [retryQueue]: createRetryQueue(shared),
  }
  // What PostgreSQL deletes, it clears out by itself.
  const ofEngine: Queues =
    database.emptyLog === null ? {} : { [purgeQueue]: createPurgeQueue(database.emptyLog) }
  return {
    services,
    tag: 'knowledge',
    routes: [
      ...collectionRoutes(collections, trash),
      ...documentRoutes(documents, trash),
      ...pageRoutes(services.pages),
      ...externalDocumentRoutes(documents, trash),
      ...searchRoutes(knowledge),
      ...citationRoutes(services.citations),
      ...versionRoutes(services.versions, documents),
      ...retryRoutes(services.retries, documents),
      ...trashRoutes(trash, documents, collections),
      ...intakeRoutes(services),
      ...resumableRoutes(services.resumableUploads),
      ...syncRoutes(services.syncs),
      ...archiveRoutes(services.archives),
    ],
    queues: { ...queues, ...ofEngine },
    schedules: [
      // At the start too: a model may have been set while the server was down.
      { ...eachMinute('find missing vectors', services.sweepVectors), atStart: true },
      eachMinute('repair abandoned documents', services.reapDocuments),
      eachHour('remove files without a document', services.sweepOrphans),
      eachHour('empty the trash', trash.sweep),
      eachHour('end expired sync sessions', services.syncs.tidy),
      eachHour('remove expired resumable uploads', services.resumableUploads.tidy),
    ],
    // The runs in which words of documents could be left are erased themselves.
    workspaceData: createKnowledgeData(
      platform,
      createEraseQueue({ ...shared, eraseTraces: [], remembersCollection: async () => false }),
    ),
    close: async () => {
      await parser.close()
      await finder.close()
    },
  } satisfies Feature<object>
}

/** One of a workspace, and one of another. */
const documentsRecognisedAtOnce = 2

function recognitionOf({ ocr, ocrCommand, ocrLanguages, ocrTimeoutMs: timeoutMs }: Settings) {
  if (ocr === 'off') return null
  const missing =
    ocrCommand === null ? ocrLanguages.find(language => languageFile(language) === null) : undefined
  if (missing !== undefined)
    throw new Error(
      `ATRIUM_OCR_LANGUAGES: the data of ${missing} is not installed: npm install @tesseract.js-data/${missing}`,
    )
  return ocrCommand === null ? { languages: ocrLanguages, timeoutMs } : { command: ocrCommand, timeoutMs }
}

/** Within the data folder: pages and links that parsing needs for a while. */
export const parsingFolder = 'parsing'

/** How files are read. The log is for what the machine lacks. */
export function parserOptions(settings: Settings, log: Log | null) {
  const { dataDir, parsingTimeoutMs, converterCommand, converterTimeoutMs } = settings
  const mode: 'auto' | 'off' = settings.parserContainer === 'off' ? 'off' : 'auto'
  return {
    folder: resolve(dataDir, parsingFolder),
    dataDir: resolve(dataDir),
    container: { mode, log },
    timeoutMs: parsingTimeoutMs,
    recognition: recognitionOf(settings),
    converter:
      converterCommand === null ? null : { command: converterCommand, timeoutMs: converterTimeoutMs },
  } satisfies ParserOptions
}
