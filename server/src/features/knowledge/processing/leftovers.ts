/**
 * Removes what a document's row no longer names: postings and chunks of versions that were replaced or overtaken, their
 * files, and the oldest versions of a history that has become too long.
 */
import { minuteMs, secondMs } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { Job, Queue } from '../../../platform/jobs/job.ts'
import type { Platform } from '../../../platform/platform.ts'
import { deleteChunks, listChunkVersions } from '../records/chunks-store.ts'
import { addToCollection } from '../records/collections-store.ts'
import type { LeftoversPayload } from '../records/document-jobs.ts'
import { deleteVersionRow, listVersions, lockStored } from '../records/documents-store.ts'
import type { IndexWriter } from '../search/index/index-writer.ts'

export function createLeftoversQueue(
  dependencies: Pick<Platform, 'blobs'> & {
    index: IndexWriter
    concurrency: number
    /** How many replaced versions of a document are kept, besides the one that is served. */
    keptVersions: number
  },
): Queue<LeftoversPayload> {
  const { index, blobs, concurrency, keptVersions } = dependencies

  /** Returns whether something is left. A version that is in progress is not touched: its own job writes it. */
  const removePostings = async ({ scope, documentId }: LeftoversPayload, tx: Tx): Promise<boolean> => {
    const row = await lockStored(scope, tx, documentId)
    if (row === undefined) return false
    if (row.deleted_at !== null) return (await index.removeDocument(scope, tx, documentId)) > 0
    const isUnderWay = row.status !== 'ready' && row.status !== 'failed' && row.version !== row.served_version
    const before = isUnderWay ? row.version : row.version + 1
    return (await index.removeReplaced(scope, tx, documentId, before)) > 0
  }

  const removeChunks = async ({ scope, documentId }: LeftoversPayload, tx: Tx): Promise<boolean> => {
    const row = await lockStored(scope, tx, documentId)
    if (row === undefined) return false
    const kept = new Set((await listVersions(tx, documentId)).map(({ version }) => version))
    // A failed version has no text, unless it was being indexed again.
    if (row.status !== 'failed' || row.version === row.served_version) kept.add(row.version)
    const [gone] = (await listChunkVersions(tx, documentId)).filter(version => !kept.has(version))
    return gone !== undefined && (await deleteChunks(tx, documentId, gone)) > 0
  }

  /** Takes the oldest version that is one too many off the history; returns its file. */
  const forgetVersion = async ({ scope, documentId }: LeftoversPayload, tx: Tx): Promise<string | null> => {
    const row = await lockStored(scope, tx, documentId)
    if (row === undefined) return null
    const history = (await listVersions(tx, documentId)).filter(
      ({ version }) => version !== row.served_version,
    )
    const oldest = history.length > keptVersions ? history.at(-1) : undefined
    if (oldest === undefined) return null
    await deleteVersionRow(tx, documentId, oldest.version)
    await addToCollection(scope, tx, row.collection_id, { storedBytes: -oldest.size_bytes })
    return oldest.blob_id
  }

  const repeat = async (job: Job<LeftoversPayload>, step: typeof removeChunks): Promise<void> => {
    while (await job.write(tx => step(job.payload, tx))) job.signal.throwIfAborted()
  }

  return {
    concurrency,
    leaseMs: 30 * secondMs,
    maxAttempts: 20,
    timeoutMs: 30 * minuteMs,
    async handle(job) {
      for (const blobId of job.payload.blobIds) await blobs.remove(blobId)
      const next = () => job.write(tx => forgetVersion(job.payload, tx))
      // A crash in between leaves a file that no row names, which the sweep of orphans takes.
      for (let blobId = await next(); blobId !== null; blobId = await next()) await blobs.remove(blobId)
      await repeat(job, removePostings)
      await repeat(job, removeChunks)
    },
  }
}
