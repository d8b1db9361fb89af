/**
 * Writes the index rows of a document's served version again, slice by slice, from the chunks that are stored: after
 * it came back from the trash, and when its title or name is another.
 */
import { minuteMs, secondMs } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { Job, Queue } from '../../../platform/jobs/job.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { Outbox } from '../../events/outbox-service.ts'
import { readChunkSlice, readChunksById } from '../records/chunks-store.ts'
import type { ReindexPayload } from '../records/document-jobs.ts'
import { failDocument, recordDocumentEvent } from '../records/document-outbox.ts'
import { type DocumentRow, lockDocument, updateDocument } from '../records/documents-store.ts'
import type { Settled } from '../records/settled.ts'
import { hideFirstSegment, hideVersion, lastPlace } from '../search/index/index-store.ts'
import {
  chunksPerSlice,
  type IndexedDocument,
  type IndexWriter,
  prepareChunks,
} from '../search/index/index-writer.ts'

/** Progress is written no oftener than each so many chunks: about three seconds of work. */
const chunksPerNote = 64 * chunksPerSlice

export function createReindexQueue(
  dependencies: Pick<Platform, 'database' | 'clock'> & {
    index: IndexWriter
    settled: Settled
    outbox: Outbox
    concurrency: number
  },
): Queue<ReindexPayload> {
  const { database, index, settled, outbox, clock, concurrency } = dependencies

  /** Null if the document is deleted or `version` is no longer served. The change that caused this also updates the index. */
  const step = <T>(
    job: Job<ReindexPayload>,
    version: number | null,
    work: (tx: Tx, served: Served) => Promise<T>,
  ): Promise<T | null> =>
    job.write(async tx => {
      job.signal.throwIfAborted()
      const row = await lockDocument(job.payload.scope, tx, job.payload.documentId)
      const served = row === undefined ? null : servedOf(row)
      if (served === null || (version !== null && served.document.version !== version)) return null
      return work(tx, served)
    })

  /** What is written is found at once, so that nothing of it can be taken for a leftover. */
  const write = async (job: Job<ReindexPayload>): Promise<void> => {
    const { scope, documentId } = job.payload
    const version = await step(job, null, async (_tx, { document }) => document.version)
    // Not the whole document: a later version may be in progress.
    const clear = () =>
      step(job, version, async (tx, { document }) => {
        await hideVersion(tx, documentId, document.version)
        return index.discardVersion(scope, tx, documentId, document.version)
      })
    let left = version === null ? null : await clear()
    while (left !== null && left > 0) left = await clear()
    for (let position = 0; left !== null; position += chunksPerSlice) {
      left = await step(job, version, async (tx, { row, document }) => {
        const chunks = await readChunkSlice(tx, document, position, chunksPerSlice)
        await index.writeChunks(scope, tx, document, prepareChunks(document, chunks))
        await index.publishVersion(scope, tx, documentId, document.version)
        if (position % chunksPerNote === 0 && isReturning(row)) {
          const progress = Math.min(0.99, position / Math.max(1, row.chunk_count))
          await updateDocument(scope, tx, documentId, { progress, updated_at: clock() })
        }
        return chunks.length < chunksPerSlice ? null : 0
      })
    }
    await job.complete(async tx => {
      const row = await lockDocument(scope, tx, documentId)
      if (row === undefined || !isReturning(row)) return
      await updateDocument(scope, tx, documentId, { status: 'ready', progress: 1, updated_at: clock() })
      await recordDocumentEvent(tx, outbox, scope, { ...identityOf(row), status: 'ready', at: clock() })
    })
    settled.announce(documentId)
  }

  /** Segment by segment, so that none of its chunks is ever not found. */
  const rewrite = async (job: Job<ReindexPayload>): Promise<void> => {
    const { scope, documentId } = job.payload
    const upTo = await step(job, null, tx => lastPlace(tx, documentId))
    for (let isLeft: boolean | null = upTo !== null; isLeft === true && upTo !== null; ) {
      isLeft = await step(job, null, async (tx, { document }) => {
        const segment = await hideFirstSegment(tx, documentId, upTo)
        if (segment === null) return false
        const chunks = await readChunksById(tx, segment.chunkIds)
        await index.discardVersion(scope, tx, documentId, document.version)
        await index.writeChunks(scope, tx, document, prepareChunks(document, chunks))
        await index.publishVersion(scope, tx, documentId, document.version)
        return true
      })
    }
  }

  return {
    concurrency,
    leaseMs: 30 * secondMs,
    maxAttempts: 10,
    timeoutMs: 30 * minuteMs,
    handle: job => (job.payload.mode === 'write' ? write(job) : rewrite(job)),
    async onDead({ payload: { scope, documentId, mode } }, _error, tx) {
      const row = mode === 'write' ? await lockDocument(scope, tx, documentId) : undefined
      if (row === undefined || !isReturning(row)) return
      await failDocument(tx, dependencies, scope, identityOf(row), {
        code: 'processing_failed',
        message: 'The document could not be made searchable again; retry it',
      })
      database.afterCommit(tx, () => settled.announce(documentId))
    },
  }
}

const identityOf = ({ id, collection_id, version }: DocumentRow) => ({
  id,
  collectionId: collection_id,
  version,
})

type Served = { row: DocumentRow; document: IndexedDocument }

const servedOf = (row: DocumentRow): Served | null =>
  row.served_version === null
    ? null
    : {
        row,
        document: {
          id: row.id,
          version: row.served_version,
          collectionId: row.collection_id,
          title: row.title,
          name: row.name,
        },
      }

/** On its way back from the trash: its latest version is the one that is served. */
const isReturning = (row: DocumentRow): boolean =>
  row.status === 'indexing' && row.version === row.served_version
