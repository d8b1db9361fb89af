/** From a stored file to a document that can be found: parsing, indexing, and one transaction that makes it visible. */
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { type Clock, minuteMs, secondMs } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import type { NewId } from '../../platform/ids.ts'
import type { Job, Queue } from '../../platform/jobs/job.ts'
import type { Log } from '../../platform/log.ts'
import { addToCollection } from './collections-store.ts'
import {
  type DocumentRow,
  deleteChunks,
  findDocument,
  insertChunks,
  lockDocument,
  updateDocument,
} from './documents-store.ts'
import type { IngestPayload } from './ingest-job.ts'
import type { Chunk } from './parsing/chunking.ts'
import { ParseFailure, parseFailures } from './parsing/failure.ts'
import type { ParsedDocument, Parser } from './parsing/parser.ts'
import { chunksPerSlice, type IndexWriter, type PreparedChunk, prepareChunks } from './search/index-writer.ts'
import type { Settled } from './settled.ts'

/** What indexing adds to the progress that reading has made. */
const readingShare = 0.6
/** Progress is written no oftener: each write is a transaction. */
const progressEveryMs = 500
/** Below this a document is done before anybody could look at its progress. */
const quickBytes = 65_536

type Dependencies = {
  database: Database
  blobs: BlobStore
  parser: Parser
  index: IndexWriter
  settled: Settled
  clock: Clock
  newId: NewId
  log: Log
  concurrency: number
}

export function createIngestQueue(dependencies: Dependencies): Queue<IngestPayload> {
  const { database, blobs, parser, settled, clock, log, concurrency } = dependencies

  const fail = async (job: Job<IngestPayload>, failure: ParseFailure): Promise<void> => {
    const { scope, documentId } = job.payload
    const columns = failedColumns(failure.code, failure.message, clock())
    await job.complete(tx => updateDocument(scope, tx, documentId, columns))
    log.info('A document could not be read', { documentId, code: failure.code, cause: failure.cause })
    settled.announce(documentId)
  }

  return {
    concurrency,
    leaseMs: 60 * secondMs,
    // A server that is killed costs whatever it was doing an attempt, and that is no fault of the document.
    maxAttempts: 10,
    timeoutMs: 15 * minuteMs,
    async handle(job) {
      const { scope, documentId, version } = job.payload
      const row = await findDocument(scope, database.read, documentId)
      // Erased meanwhile, or replaced by a later version: there is nothing left to do.
      if (row === undefined || row.version !== version || row.status === 'ready') return
      try {
        const progress = createProgress(job, clock, row.size_bytes > quickBytes)
        await progress.begin('parsing')
        await parser.parse({
          path: await blobs.localPath(row.blob_id),
          name: row.name,
          environment: scope.environment,
          signal: job.signal,
          onProgress: share => progress.note('parsing', share * readingShare),
          use: parsed => indexDocument(job, row, parsed, { ...dependencies, progress }),
        })
        settled.announce(documentId)
      } catch (error) {
        if (error instanceof DocumentGone) return
        if (!(error instanceof ParseFailure)) throw error
        await fail(job, error)
      }
    },
    async onDead({ payload: { scope, documentId } }, _error, tx) {
      const columns = failedColumns('processing_failed', parseFailures.processing_failed, clock())
      await updateDocument(scope, tx, documentId, columns)
      database.afterCommit(tx, () => settled.announce(documentId))
    },
  }
}

/** It was deleted, or has a later version, while this one was read. */
class DocumentGone extends Error {
  override readonly name = 'DocumentGone'
}

const failedColumns = (code: string, message: string, now: number) =>
  ({ status: 'failed', error_code: code, error_message: message, updated_at: now }) as const

/** Slices that nobody finds yet, each in a transaction of its own; the last one makes all of them visible. */
async function indexDocument(
  job: Job<IngestPayload>,
  row: DocumentRow,
  parsed: ParsedDocument,
  { database, index, clock, newId, progress }: Dependencies & { progress: Progress },
): Promise<void> {
  const { scope, documentId, version } = job.payload
  /** Whoever deletes the document, or its collection, sees to what is written of it by then; nothing comes after that. */
  const requireDocument = async (tx: Tx): Promise<void> => {
    const current = await lockDocument(scope, tx, database.engine, documentId)
    if (current?.version !== version) throw new DocumentGone()
  }
  const document = {
    id: documentId,
    version,
    collectionId: row.collection_id,
    title: row.title ?? parsed.title,
    name: row.name,
  }
  if (job.attempt > 1) await discardEarlierAttempt(job, index)
  await progress.begin('indexing')
  let position = 0
  let pending: Slice | null = null
  for await (const slice of slicesOf(parsed.chunks)) {
    job.signal.throwIfAborted()
    if (pending !== null) {
      const { rows, prepared } = pending
      await job.write(async tx => {
        await requireDocument(tx)
        await insertChunks(tx, rows)
        await index.writeChunks(scope, tx, document, prepared)
      })
      const last = rows.at(-1)?.end_offset ?? 0
      progress.note('indexing', readingShare + (1 - readingShare) * (last / Math.max(1, parsed.textLength)))
    }
    pending = makeSlice(slice, position)
    position += slice.length
  }
  if (pending === null) throw new ParseFailure('no_text')
  const { rows, prepared } = pending
  await progress.settle()
  await job.complete(async tx => {
    await requireDocument(tx)
    await insertChunks(tx, rows)
    await index.writeChunks(scope, tx, document, prepared)
    await index.publishVersion(scope, tx, documentId, version)
    await addToCollection(scope, tx, row.collection_id, { chunks: position - row.chunk_count })
    await updateDocument(scope, tx, documentId, {
      status: 'ready',
      progress: 1,
      title: document.title,
      text_length: parsed.textLength,
      page_count: parsed.pageCount,
      chunk_count: position,
      updated_at: clock(),
    })
  })

  function makeSlice(chunks: readonly Chunk[], firstPosition: number): Slice {
    const rows = chunks.map((chunk, offset) => ({
      id: newId('chunk'),
      workspace_id: scope.workspaceId,
      environment: scope.environment,
      collection_id: row.collection_id,
      document_id: documentId,
      document_version: version,
      position: firstPosition + offset,
      headings: chunk.headings.join('\n'),
      text: chunk.text,
      gap: chunk.gap,
      page: chunk.page,
      start_offset: chunk.startOffset,
      end_offset: chunk.endOffset,
    }))
    return { rows, prepared: prepareChunks(document, rows) }
  }
}

type ChunkColumns = Parameters<typeof insertChunks>[1][number]
type Slice = { rows: ChunkColumns[]; prepared: PreparedChunk[] }

async function discardEarlierAttempt(job: Job<IngestPayload>, index: IndexWriter): Promise<void> {
  const { scope, documentId, version } = job.payload
  while ((await job.write(tx => index.discardVersion(scope, tx, documentId, version))) > 0) {
    job.signal.throwIfAborted()
  }
  while ((await job.write(tx => deleteChunks(tx, documentId, version))) > 0) job.signal.throwIfAborted()
}

async function* slicesOf(batches: AsyncIterable<Chunk[]>): AsyncGenerator<Chunk[]> {
  for await (const chunks of batches) {
    for (let start = 0; start < chunks.length; start += chunksPerSlice) {
      yield chunks.slice(start, start + chunksPerSlice)
    }
  }
}

type Progress = {
  /** A new stage shows at once; of a quick document, never. */
  begin(stage: 'parsing' | 'indexing'): Promise<void>
  /** Written beside the work, and no oftener than is worth it. */
  note(stage: 'parsing' | 'indexing', share: number): void
  /** Resolves when the last write is through, so that none comes after the end. */
  settle(): Promise<void>
}

function createProgress(job: Job<IngestPayload>, clock: Clock, isShown: boolean): Progress {
  const { scope, documentId } = job.payload
  let writing: Promise<void> = Promise.resolve()
  let writtenAtMs = Number.NEGATIVE_INFINITY
  let reached = 0
  const write = (stage: 'parsing' | 'indexing', share: number): Promise<void> => {
    writtenAtMs = performance.now()
    reached = Math.max(reached, Math.min(0.99, share))
    const columns = { status: stage, progress: reached, updated_at: clock() }
    writing = writing.then(() => job.write(tx => updateDocument(scope, tx, documentId, columns)))
    return writing
  }
  return {
    begin: stage => (isShown ? write(stage, reached) : Promise.resolve()),
    note(stage, share) {
      if (!isShown || performance.now() - writtenAtMs < progressEveryMs) return
      // A lost lease shows itself in the next write of the work itself.
      write(stage, share).catch(() => undefined)
    },
    settle: () => writing.catch(() => undefined),
  }
}
