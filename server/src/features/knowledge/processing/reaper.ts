/**
 * Repairs what crashes and replacements leave: lost jobs of documents, versions that no row names, orphaned files.
 */
import { dayMs, hourMs, minuteMs, secondMs } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { timeOf } from '../../../platform/ids.ts'
import type { Job, Queue } from '../../../platform/jobs/job.ts'
import type { Platform } from '../../../platform/platform.ts'
import { createRounds } from '../../../platform/schedules/rounds.ts'
import { deleteChunks, listChunkVersions } from '../records/chunks-store.ts'
import { addToCollection } from '../records/collections-store.ts'
import { ingestJob, type LeftoversPayload, reindexJob } from '../records/document-jobs.ts'
import {
  deleteVersionRow,
  listVersions,
  lockStored,
  updateDocument,
  usedBlobIds,
} from '../records/documents-store.ts'
import { type LeftBehind, listLeftBehind, lockUnderWay } from '../records/ingest-store.ts'
import type { IndexWriter } from '../search/index/index-writer.ts'

/** A document in progress has its job written in the same transaction. The grace period covers clocks that differ. */
const graceMs = minuteMs
/** A restored document is indexed by a job that updates the document's row only now and then. */
const restoreGraceMs = hourMs

const before = (now: number) => ({ unread: now - graceMs, restored: now - restoreGraceMs })

/** The returned function queues documents without a job again, and returns their number. */
export function createReaper(dependencies: Pick<Platform, 'database' | 'jobs' | 'clock' | 'log'>) {
  const { database, jobs, clock, log } = dependencies

  const repair = ({ id, workspace_id, environment, version }: LeftBehind): Promise<boolean> =>
    database.write(async tx => {
      const scope = { workspaceId: workspace_id, environment }
      const row = await lockUnderWay(scope, tx, { documentId: id, version })
      if (row === undefined) return false
      if (row.text_length !== null) {
        await updateDocument(scope, tx, id, { updated_at: clock() })
        await jobs.enqueue(tx, reindexJob(scope, id, 'write'))
        return true
      }
      await updateDocument(scope, tx, id, { status: 'queued', progress: 0, updated_at: clock() })
      await jobs.enqueue(tx, ingestJob(scope, id, version))
      return true
    })

  const round = createRounds({
    list: range => listLeftBehind(database.read, before(clock()), range),
    work: async (document: LeftBehind) => {
      const isQueued = await repair(document)
      const { id: documentId, version, status } = document
      if (isQueued) log.warn('A document without a job is queued again', { documentId, version, status })
      return isQueued ? document : null
    },
    log,
    failure: 'A document that was left behind could not be put right',
    rowsAtOnce: 1_000,
  })

  return async () => (await round()).length
}

// Files that belong to no document: a crash cut off their upload after the file was stored, but before its row was.

const filesAtOnce = 500

/** The sweep removes such files and returns their number. Files of the last day stay: they may be in upload. */
export function createOrphanSweep(dependencies: Pick<Platform, 'database' | 'blobs' | 'clock'>) {
  const { database, blobs, clock } = dependencies

  const sweep = async (ids: readonly string[]): Promise<number> => {
    const used = await usedBlobIds(database.read, ids)
    const orphans = ids.filter(id => !used.has(id))
    for (const id of orphans) await blobs.remove(id)
    return orphans.length
  }

  return async () => {
    const newestMs = clock() - dayMs
    let removed = 0
    let batch: string[] = []
    for await (const id of blobs.ids()) {
      if (timeOf(id) < newestMs) batch.push(id)
      if (batch.length < filesAtOnce) continue
      removed += await sweep(batch)
      batch = []
    }
    return removed + (await sweep(batch))
  }
}

// Removes data that a document's row no longer names: postings, chunks and files of versions that were replaced or
// overtaken. Also removes the oldest versions of a history that has become too long.

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

  /**
   * Removes the oldest version from a history that is too long. Returns the id of its file; null if there is none.
   */
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
      // A crash in between leaves a file that no row names. The sweep of orphans removes it.
      for (let blobId = await next(); blobId !== null; blobId = await next()) await blobs.remove(blobId)
      await repeat(job, removePostings)
      await repeat(job, removeChunks)
    },
  }
}
