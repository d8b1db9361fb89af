/** Writes the search index from the stored chunks: of all documents for the operator, of one document by a job. */
import type { Selectable } from 'kysely'
import { analysisVersion } from '../../../platform/analysis/analyse.ts'
import type { Scope } from '../../../platform/caller.ts'
import { type Clock, minuteMs, secondMs } from '../../../platform/clock.ts'
import type { Database, Query, Tx } from '../../../platform/database/database.ts'
import { decodeJson } from '../../../platform/database/json.ts'
import type { Tables } from '../../../platform/database/tables.ts'
import { type Job, JobPoisoned, type Queue } from '../../../platform/jobs/job.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { Outbox } from '../../events/outbox-service.ts'
import { readChunkSlice, readChunksById } from '../records/chunks-store.ts'
import { type ReindexPayload, reindexJob } from '../records/document-jobs.ts'
import { failDocument, recordDocumentEvent } from '../records/document-outbox.ts'
import { type StoredDocument, updateDocument } from '../records/documents-store.ts'
import type { Settled } from '../records/settled.ts'
import { lockIndexed } from '../records/trash-store.ts'
import { countIndexed, hideFirstSegment, hideVersion, lastPlace } from '../search/index/index-store.ts'
import {
  chunksPerSlice,
  createIndexWriter,
  type IndexedDocument,
  type IndexWriter,
  prepareChunks,
} from '../search/index/index-writer.ts'

/** Runs work in a new transaction, or in one that is in progress. */
type Run = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

/**
 * A document of at most this many chunks is indexed in one transaction (a third of a second), so it is always found.
 */
const chunksAtOnce = 512
const documentsAtOnce = 200

export function createReindexService({ database, clock }: { database: Database; clock: Clock }) {
  const index = createIndexWriter(database)

  const rebuildDocument = async (run: Run, row: ServedRow): Promise<void> => {
    const scope = { workspaceId: row.workspace_id, environment: row.environment }
    const document = {
      id: row.id,
      version: row.served_version,
      collectionId: row.collection_id,
      title: row.title,
      name: row.name,
    }
    /** Does nothing if the document itself was deleted or changed meanwhile. That change also updates the index. */
    const step = (work: (tx: Tx) => Promise<number>): Promise<number | null> =>
      run(async tx => ((await isUnchanged(scope, tx, row)) ? work(tx) : null))

    // Clears only the served version: a later version may be in progress.
    const clear = () =>
      step(async tx => {
        await hideVersion(tx, row.id, row.served_version)
        return index.discardVersion(scope, tx, row.id, row.served_version)
      })
    let left = await clear()
    while (left !== null && left > 0) left = await clear()
    for (let position = 0; left !== null && position < row.chunk_count; position += chunksPerSlice) {
      left = await step(async tx => {
        const chunks = await readChunkSlice(tx, document, position, chunksPerSlice)
        await index.writeChunks(scope, tx, document, prepareChunks(document, chunks))
        // Published at once, so that the sweep of leftovers does not remove it.
        await index.publishVersion(scope, tx, row.id, row.served_version)
        return 0
      })
    }
  }

  const isUnchanged = async (scope: Scope, tx: Tx, row: ServedRow): Promise<boolean> => {
    const current = await lockIndexed(scope, tx, row.id, clock())
    return current?.served_version === row.served_version
  }

  return {
    /**
     * Indexes every served document again, oldest first, while other work goes on. This includes collections in the
     * trash. A long document is only partly found until it is done. Returns the number of documents; `onDocument` is
     * called after each.
     */
    async rebuild({
      workspaceId,
      onDocument,
    }: {
      workspaceId?: string
      onDocument?: (count: number) => void
    }): Promise<number> {
      let count = 0
      for await (const row of servedDocuments(database.read, workspaceId)) {
        if (row.chunk_count > chunksAtOnce) await rebuildDocument(database.write, row)
        else await database.write(tx => rebuildDocument(work => work(tx), row))
        count += 1
        onDocument?.(count)
      }
      return count
    },

    /** Like `rebuild`, inside a transaction that has filled the tables and whose search index is empty. */
    async rebuildWithin(tx: Tx): Promise<number> {
      let count = 0
      for await (const row of servedDocuments(tx)) {
        await rebuildDocument(work => work(tx), row)
        count += 1
      }
      return count
    },
  }
}

type ServedRow = Selectable<Tables['documents']> & { served_version: number }

async function* servedDocuments(query: Query, workspaceId?: string): AsyncGenerator<ServedRow> {
  for (let after = ''; ; ) {
    let rows = query
      .selectFrom('documents')
      .selectAll()
      .where('served_version', 'is not', null)
      .where('deleted_at', 'is', null)
      .where('id', '>', after)
      .$narrowType<{ served_version: number }>()
    if (workspaceId !== undefined) rows = rows.where('workspace_id', '=', workspaceId)
    const page = await rows.orderBy('id').limit(documentsAtOnce).execute()
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < documentsAtOnce) return
    after = last.id
  }
}

/**
 * Updates the index after a change of the analysis. Queues a job for each document that an earlier analysis indexed,
 * and returns their number. Searches find these documents meanwhile.
 */
export function createReanalysis({ database, jobs }: { database: Database; jobs: Jobs }) {
  const listOutdated = (after: string) =>
    database.read
      .selectFrom('search_segments')
      .innerJoin('search_indexes', 'search_indexes.number', 'search_segments.index_number')
      .select(['document_id as documentId', 'workspace_id as workspaceId', 'environment'])
      .distinct()
      .where('search_segments.analysis', '<', analysisVersion)
      .where('search_segments.live', '=', 1)
      .where('search_segments.document_id', '>', after)
      .orderBy('search_segments.document_id')
      .limit(documentsAtOnce)
      .execute()

  return async () => {
    let count = 0
    for (let after = ''; ; ) {
      const outdated = await listOutdated(after)
      const last = outdated.at(-1)
      if (last === undefined) return count
      await database.write(async tx => {
        for (const { documentId, ...scope } of outdated) {
          // Each start queues the jobs again, as long as outdated documents are left.
          const uniqueKey = `reanalysis:${documentId}`
          await jobs.enqueue(tx, { ...reindexJob(scope, documentId, 'rewrite'), uniqueKey })
        }
      })
      count += outdated.length
      after = last.documentId
    }
  }
}

// Writes the index rows of a document's served version again, slice by slice, from the stored chunks. This is needed
// after a restore from the trash, and after a change of its title or name.

/** Progress is written once for this many chunks: about three seconds of work. */
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

  /** A document's jobs go on while its collection is in the trash: the collection's restore queues no job. */
  const lock = (tx: Tx, { scope, documentId }: ReindexPayload) => lockIndexed(scope, tx, documentId, clock())

  /** Null if the document itself is deleted or `version` is no longer served. That change also updates the index. */
  const step = <T>(
    job: Job<ReindexPayload>,
    version: number | null,
    work: (tx: Tx, served: Served) => Promise<T>,
  ): Promise<T | null> =>
    job.write(async tx => {
      job.signal.throwIfAborted()
      const row = await lock(tx, job.payload)
      const served = row === undefined ? null : servedOf(row)
      if (served === null || (version !== null && served.document.version !== version)) return null
      return work(tx, served)
    })

  /** Each slice is published at once, so that none of it is taken for a leftover. */
  const write = async (job: Job<ReindexPayload>): Promise<void> => {
    const { scope, documentId } = job.payload
    const version = await step(job, null, async (_tx, { document }) => document.version)
    // Clears only the served version: a later version may be in progress.
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
      const row = await lock(tx, job.payload)
      if (row === undefined || row.served_version === null) return
      // The trash takes a document out of the index. A document restored in time finds this job still at work.
      if ((await countIndexed(tx, documentId, row.served_version)) !== row.chunk_count)
        throw new Error('The document was deleted and restored while it was written: it is written again')
      if (!isReturning(row)) return
      await updateDocument(scope, tx, documentId, { status: 'ready', progress: 1, updated_at: clock() })
      await recordDocumentEvent(tx, outbox, scope, {
        ...identityOf(row),
        status: 'ready',
        warnings: decodeJson(row.warnings),
        at: clock(),
      })
    })
    settled.announce(documentId)
  }

  /** Rewrites segment by segment, so that every chunk is found at all times. */
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
    async onDead({ payload }, error, tx) {
      const row = payload.mode === 'write' ? await lock(tx, payload) : undefined
      if (row === undefined || !isReturning(row)) return
      await failDocument(tx, dependencies, payload.scope, identityOf(row), {
        code: error instanceof JobPoisoned ? 'crashed_server' : 'processing_failed',
        message: 'The document could not be made searchable again; retry it',
      })
      database.afterCommit(tx, () => settled.announce(payload.documentId))
    },
  }
}

const identityOf = ({ id, collection_id, version }: StoredDocument) => ({
  id,
  collectionId: collection_id,
  version,
})

type Served = { row: StoredDocument; document: IndexedDocument }

const servedOf = (row: StoredDocument): Served | null =>
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

/**
 * True if the document is returning from the trash: it is being indexed, and its latest version is the served one.
 */
const isReturning = (row: StoredDocument): boolean =>
  row.status === 'indexing' && row.version === row.served_version
