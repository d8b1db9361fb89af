/** The long work on documents: what of it a worker does, by queue. */
import type { Dependencies } from './dependencies.ts'
import { createRunTraces } from './features/agents/traces/run-traces.ts'
import { isCollectionNamed } from './features/agents/traces/traces-store.ts'
import type { AuditService } from './features/audit/service.ts'
import { importQueue } from './features/knowledge/archive/import-job.ts'
import { createImportQueue } from './features/knowledge/archive/import-queue.ts'
import { createRetryQueue, retryQueue } from './features/knowledge/documents/retry-service.ts'
import { createFieldsQueue, fieldsQueue } from './features/knowledge/filter/fields-queue.ts'
import { createEraseQueue } from './features/knowledge/processing/erase.ts'
import { createIngestQueue } from './features/knowledge/processing/ingest.ts'
import { createLeftoversQueue } from './features/knowledge/processing/leftovers.ts'
import { createPurgeQueue } from './features/knowledge/processing/purge.ts'
import { createReindexQueue } from './features/knowledge/processing/reindex.ts'
import { eraseQueue } from './features/knowledge/records/erase-job.ts'
import { ingestQueue } from './features/knowledge/records/ingest-job.ts'
import { leftoversQueue } from './features/knowledge/records/leftovers-job.ts'
import { purgeQueue } from './features/knowledge/records/purge-job.ts'
import { reindexQueue } from './features/knowledge/records/reindex-job.ts'
import { createSyncQueue, syncQueue } from './features/knowledge/syncs/sync-job.ts'
import { createUploadQueue, uploadQueue } from './features/knowledge/uploads/resumable-job.ts'
import type { Vectors } from './features/knowledge/vectors/vectors.ts'
import type { Queues } from './platform/jobs/job.ts'

type Given = Dependencies & { audit: AuditService; vectors: Vectors } & Omit<
    Parameters<typeof createIngestQueue>[0],
    'concurrency' | 'embedding' | 'timeouts'
  > &
  Omit<Parameters<typeof createEraseQueue>[0], 'eraseTraces' | 'remembersCollection'> &
  Omit<Parameters<typeof createUploadQueue>[0], 'concurrency'> &
  Parameters<typeof createSyncQueue>[0] &
  Omit<Parameters<typeof createImportQueue>[0], 'concurrency'> &
  Parameters<typeof createRetryQueue>[0]

export function createKnowledgeQueues(given: Given): Queues {
  const { settings, database, vectors } = given
  const shared = { ...given, concurrency: settings.jobConcurrency }
  const eraseTraces = [createRunTraces({ ...given, forgetReplies: given.audit.forgetReplies })]
  return {
    [ingestQueue]: createIngestQueue({
      ...shared,
      embedding: vectors.stage,
      timeouts: {
        parsing: settings.parsingTimeoutMs,
        embedding: settings.embeddingTimeoutMs,
        indexing: settings.indexingTimeoutMs,
      },
    }),
    ...vectors.queues,
    [eraseQueue]: createEraseQueue({ ...shared, eraseTraces, remembersCollection: isCollectionNamed }),
    // What PostgreSQL deletes, it clears out by itself.
    ...(database.emptyLog !== null && { [purgeQueue]: createPurgeQueue(database.emptyLog) }),
    [leftoversQueue]: createLeftoversQueue({ ...shared, keptVersions: settings.documentVersions }),
    [reindexQueue]: createReindexQueue(shared),
    [uploadQueue]: createUploadQueue(shared),
    [syncQueue]: createSyncQueue(shared),
    [fieldsQueue]: createFieldsQueue(database),
    [importQueue]: createImportQueue(shared),
    [retryQueue]: createRetryQueue(shared),
  }
}
