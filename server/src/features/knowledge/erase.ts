/** Erasing documents and collections: what was hidden by the request is removed by a job, piece by piece. */
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { Scope } from '../../platform/caller.ts'
import { minuteMs, secondMs } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import type { Job, NewJob, Queue } from '../../platform/jobs/job.ts'
import { deleteCollectionRow } from './collections-store.ts'
import { deleteChunks, deleteDocumentRow, listErasable, lockErasable } from './documents-store.ts'
import type { IndexWriter } from './search/index-writer.ts'

export const eraseQueue = 'knowledge-erase'

type Payload = { scope: Pick<Scope, 'workspaceId' | 'environment'> } & (
  | { documentId: string }
  | { collectionId: string }
)

const documentsAtOnce = 100

export const eraseDocumentJob = (scope: Scope, documentId: string): NewJob => ({
  queue: eraseQueue,
  workspaceId: scope.workspaceId,
  payload: { scope: bare(scope), documentId } satisfies Payload,
})

export const eraseCollectionJob = (scope: Scope, collectionId: string): NewJob => ({
  queue: eraseQueue,
  workspaceId: scope.workspaceId,
  payload: { scope: bare(scope), collectionId } satisfies Payload,
})

/** The narrowing of the key that asked has no part in it: what was hidden has to go. */
const bare = ({ workspaceId, environment }: Scope): Payload['scope'] => ({ workspaceId, environment })

/** Every step can be done again, so an attempt that was cut short is simply begun anew. */
export function createEraseQueue(dependencies: {
  database: Database
  index: IndexWriter
  blobs: BlobStore
}): Queue<Payload> {
  const { database, index, blobs } = dependencies

  const eraseDocument = async (job: Job<Payload>, id: string, blobId: string): Promise<void> => {
    await blobs.remove(blobId)
    while (await job.write(tx => eraseSlice(job.payload.scope, tx, id))) job.signal.throwIfAborted()
  }

  /** Answers whether something is left. The row is locked, so that nobody who reads the document writes behind our back. */
  const eraseSlice = async (scope: Scope, tx: Tx, id: string): Promise<boolean> => {
    if ((await lockErasable(scope, tx, database.engine, id)) === undefined) return false
    const indexed = await index.removeDocument(scope, tx, id)
    const deleted = await deleteChunks(tx, id)
    if (indexed > 0 || deleted > 0) return true
    await deleteDocumentRow(scope, tx, id)
    return false
  }

  return {
    concurrency: 1,
    leaseMs: 30 * secondMs,
    maxAttempts: 20,
    timeoutMs: 60 * minuteMs,
    async handle(job) {
      const { scope } = job.payload
      if ('documentId' in job.payload) {
        const { documentId } = job.payload
        const document = await job.write(tx => lockErasable(scope, tx, database.engine, documentId))
        if (document !== undefined) await eraseDocument(job, document.id, document.blob_id)
        return
      }
      const { collectionId } = job.payload
      const next = () => job.write(tx => listErasable(scope, tx, collectionId, documentsAtOnce))
      for (let documents = await next(); documents.length > 0; documents = await next()) {
        for (const { id, blob_id } of documents) await eraseDocument(job, id, blob_id)
      }
      await job.complete(async tx => {
        await index.forgetCollection(scope, tx, collectionId)
        await deleteCollectionRow(scope, tx, collectionId)
      })
    },
  }
}
