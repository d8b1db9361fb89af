/**
 * Writes a document's chunks in slices, so that others can write in between. The last slice shows all chunks at once.
 */
import { setImmediate } from 'node:timers/promises'
import type { Tx } from '../../../platform/database/database.ts'
import { encodeJson } from '../../../platform/database/json.ts'
import type { Job } from '../../../platform/jobs/job.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { Outbox } from '../../events/outbox-service.ts'
import type { ParsedDocument } from '../parsing/children/child-process.ts'
import type { Chunk } from '../parsing/chunking.ts'
import { ParseFailure } from '../parsing/failure.ts'
import {
  type ChunkRow,
  deleteChunks,
  hasChunks,
  insertChunks,
  type TableRow,
} from '../records/chunks-store.ts'
import { addToCollection } from '../records/collections-store.ts'
import { type IngestPayload, leftoversJob, reindexJob } from '../records/document-jobs.ts'
import { recordDocumentEvent } from '../records/document-outbox.ts'
import { type StoredDocument, updateDocument } from '../records/documents-store.ts'
import { lockUnderWay, type UnderWay } from '../records/ingest-store.ts'
import { countIndexed } from '../search/index/index-store.ts'
import {
  chunksPerSlice,
  type IndexedDocument,
  type IndexWriter,
  type PreparedChunk,
  prepareChunks,
} from '../search/index/index-writer.ts'
import type { DocumentEmbedder, EmbeddingStage } from '../vectors/embedding-stage.ts'
import type { Stages } from './ingest-stages.ts'

/** The share of the progress that reading makes; indexing adds the rest. */
export const readingShare = 0.6
/** As many chunks as a parser returns at once: their slices are embedded concurrently. */
const chunksAtOnce = 64

export type SliceDependencies = Pick<Platform, 'database' | 'jobs' | 'clock' | 'newId'> & {
  index: IndexWriter
  embedding: EmbeddingStage
  outbox: Outbox
}

/**
 * The document was deleted, has ended, or has a later version. The change that caused this also removes the written
 * chunks. If the document has come back from the trash, the next attempt removes them.
 */
export class DocumentGone extends Error {
  override readonly name = 'DocumentGone'
}

type Dependencies = SliceDependencies & { stages: Stages; endings: Endings }

type Slice = {
  rows: ChunkRow[]
  tables: TableRow[]
  prepared: PreparedChunk[]
  writeVectors: (tx: Tx) => Promise<void>
}

/** A slice with the job and document that it belongs to. */
type VersionSlice = { job: Job<IngestPayload>; document: IndexedDocument; hasVectors: boolean; slice: Slice }

/** Throws `DocumentGone` once there is nothing left to do, and `ParseFailure` if there is no text. */
export async function indexDocument(
  job: Job<IngestPayload>,
  row: StoredDocument,
  parsed: ParsedDocument,
  dependencies: Dependencies,
): Promise<void> {
  const { embedding, stages, endings } = dependencies
  const { scope, documentId, version } = job.payload
  const document: IndexedDocument = {
    id: documentId,
    version,
    collectionId: row.collection_id,
    title: row.given_title ?? parsed.title,
    name: row.name,
  }
  const embedder = await embedding.begin(scope, document)
  // The rows decide, not the count of attempts: an attempt that a stopping server gave back is not counted.
  if (await hasChunks(dependencies.database.read, documentId, version)) {
    await stages.index(() => discardVersion(job, dependencies))
  }
  await stages.begin(embedder === null ? 'indexing' : 'embedding')
  const ofVersion = (slice: Slice): VersionSlice => ({ job, document, hasVectors: embedder !== null, slice })
  let chunkCount = 0
  let pending: Slice | null = null
  for await (const slice of slicesOf(row, document, parsed, embedder, dependencies)) {
    job.signal.throwIfAborted()
    const earlier: Slice | null = pending
    if (earlier !== null) {
      await stages.index(() => job.write(tx => writeSlices(tx, [ofVersion(earlier)], dependencies)))
      const written = earlier.rows.at(-1)?.end_offset ?? 0
      stages.note(readingShare + (1 - readingShare) * (written / Math.max(1, parsed.textLength)))
    }
    chunkCount += slice.rows.length
    pending = slice
  }
  const last: Slice | null = pending
  if (last === null) throw new ParseFailure('no_text')
  await stages.settle()
  await stages.index(() => endings.end({ ...ofVersion(last), parsed, chunkCount }))
}

/** The slices are of one workspace and environment. Returns each slice's document row, which is then locked. */
async function writeSlices(tx: Tx, slices: readonly VersionSlice[], { index }: SliceDependencies) {
  const [first] = slices
  if (first === undefined) return []
  const current: UnderWay[] = []
  for (const { job } of slices) current.push(await requireUnderWay(job, tx))
  await insertChunks(
    tx,
    slices.flatMap(({ slice }) => slice.rows),
    slices.flatMap(({ slice }) => slice.tables),
  )
  for (const { slice } of slices) await slice.writeVectors(tx)
  await index.writeTogether(
    first.job.payload.scope,
    tx,
    slices.map(({ document, hasVectors, slice }) => ({ document, hasVectors, chunks: slice.prepared })),
  )
  return current
}

/** The last slice of a version. Writing it makes searches find the version. */
type Ending = VersionSlice & { parsed: ParsedDocument; chunkCount: number }

/** Resolves once searches find the version and its job has ended. Throws `DocumentGone` and `LeaseLost`. */
export type Endings = { end(ending: Ending): Promise<void> }

/**
 * Versions of one workspace and environment that become ready during a transaction share the next one. So the index
 * is locked, the terms are counted and SQLite's postings are written once for all. If that fails, each version is
 * tried by itself, so that a deleted document does not fail the others.
 */
export function createEndings(dependencies: SliceDependencies): Endings {
  const waiting = new Map<string, { ending: Ending; done: PromiseWithResolvers<void> }[]>()

  const endAll = async (key: string, ready: { ending: Ending; done: PromiseWithResolvers<void> }[]) => {
    while (ready.length > 0) {
      await idleTurn()
      const some = ready.splice(0, countTogether(ready.map(({ ending }) => ending)))
      try {
        await endTogether(
          some.map(({ ending }) => ending),
          dependencies,
        )
        for (const { done } of some) done.resolve()
      } catch (error) {
        if (some.length === 1) some[0]?.done.reject(error)
        else for (const { ending, done } of some) done.resolve(endTogether([ending], dependencies))
      }
    }
    waiting.delete(key)
  }

  return {
    end(ending) {
      const { workspaceId, environment } = ending.job.payload.scope
      const key = `${workspaceId} ${environment}`
      const done = Promise.withResolvers<void>()
      const others = waiting.get(key)
      if (others !== undefined) others.push({ ending, done })
      else {
        const ready = [{ ending, done }]
        waiting.set(key, ready)
        void endAll(key, ready)
      }
      return done.promise
    },
  }
}

/** A turn of the event loop that takes no longer than this had nothing to do. */
const idleTurnMs = 0.1
const longestWaitMs = 10

/**
 * Resolves once there is nothing else to do, or after `longestWaitMs`: versions ready by then are written together.
 */
async function idleTurn(): Promise<void> {
  const untilMs = performance.now() + longestWaitMs
  // The turn in progress has begun already.
  await setImmediate()
  for (let turnAtMs = performance.now(); turnAtMs < untilMs; ) {
    await setImmediate()
    const nowMs = performance.now()
    if (nowMs - turnAtMs < idleTurnMs) return
    turnAtMs = nowMs
  }
}

/**
 * How many of the first endings have together no more chunks than a slice may have; at least one. A later version
 * counts as a full slice, since it also removes a slice of the earlier version.
 */
function countTogether(endings: readonly Ending[]): number {
  let chunks = 0
  const count = endings.findIndex(({ document, slice }) => {
    chunks += document.version > 1 ? chunksPerSlice : slice.rows.length
    return chunks > chunksPerSlice
  })
  return count < 0 ? endings.length : Math.max(1, count)
}

/** Ends the jobs in the order of their ids, in which a heartbeat comes to their rows as well. */
function endTogether(some: readonly Ending[], dependencies: SliceDependencies): Promise<void> {
  const endings = some.toSorted((one, other) => (one.job.id < other.job.id ? -1 : 1))
  return dependencies.database.write(async tx => {
    for (const { job } of endings) await job.endIn(tx)
    const current = await writeSlices(tx, endings, dependencies)
    for (const [place, ending] of endings.entries()) await publish(tx, ending, current[place], dependencies)
  })
}

/** Makes searches find the version, in the transaction that ends its job. */
async function publish(
  tx: Tx,
  { job, document, parsed, chunkCount }: Ending,
  current: UnderWay | undefined,
  { index, jobs, clock, outbox }: SliceDependencies,
): Promise<void> {
  if (current === undefined) throw new DocumentGone()
  const { scope } = job.payload
  // The trash takes a document out of the index. A document restored in time finds this job still at work.
  if ((await countIndexed(tx, document.id, document.version)) !== chunkCount) throw new DocumentGone()
  const title = current.given_title ?? parsed.title
  await index.publishVersion(scope, tx, document.id, document.version)
  await addToCollection(scope, tx, document.collectionId, { chunks: chunkCount - current.chunk_count })
  await updateDocument(scope, tx, document.id, {
    status: 'ready',
    progress: 1,
    served_version: document.version,
    title,
    text_length: parsed.textLength,
    page_count: parsed.pageCount,
    warnings: encodeJson(parsed.warnings),
    chunk_count: chunkCount,
    updated_at: clock(),
  })
  await recordDocumentEvent(tx, outbox, scope, {
    id: document.id,
    collectionId: document.collectionId,
    version: document.version,
    status: 'ready',
    warnings: parsed.warnings,
    at: clock(),
  })
  if (current.served_version !== null) await jobs.enqueue(tx, leftoversJob(scope, document.id))
  // The document got another title or name while it was read.
  if (title !== document.title || current.name !== document.name) {
    await jobs.enqueue(tx, reindexJob(scope, document.id, 'rewrite'))
  }
}

/** Removes the chunks of this version that an earlier attempt wrote. Search has never returned them. */
async function discardVersion(job: Job<IngestPayload>, dependencies: SliceDependencies): Promise<void> {
  const { scope, documentId, version } = job.payload
  const removeAll = async (removeSlice: (tx: Tx) => Promise<number>): Promise<void> => {
    const step = () =>
      job.write(async tx => {
        await requireUnderWay(job, tx)
        return removeSlice(tx)
      })
    while ((await step()) > 0) job.signal.throwIfAborted()
  }
  await removeAll(tx => dependencies.index.discardVersion(scope, tx, documentId, version))
  await removeAll(tx => deleteChunks(tx, documentId, version))
}

async function requireUnderWay({ payload }: Job<IngestPayload>, tx: Tx): Promise<UnderWay> {
  const current = await lockUnderWay(payload.scope, tx, payload)
  if (current === undefined) throw new DocumentGone()
  return current
}

/** Chunks are analysed and embedded outside of any transaction. */
async function* slicesOf(
  row: StoredDocument,
  document: IndexedDocument,
  parsed: ParsedDocument,
  embedder: DocumentEmbedder | null,
  { stages, newId }: Dependencies,
): AsyncGenerator<Slice> {
  let position = 0
  for await (const chunks of partsOf(parsed.chunks, chunksAtOnce)) {
    const rows = chunks.map((chunk, offset) => chunkRow(newId('chunk'), row, chunk, position + offset))
    position += rows.length
    const slices: ChunkRow[][] = []
    const tables: TableRow[][] = []
    for (let start = 0; start < rows.length; start += chunksPerSlice) {
      slices.push(rows.slice(start, start + chunksPerSlice))
      tables.push(chunks.slice(start, start + chunksPerSlice).flatMap(chunk => tableRows(row, chunk)))
    }
    const writers =
      embedder === null
        ? []
        : await stages.embed(signal => Promise.all(slices.map(slice => embedder.embed(slice, signal))))
    for (const [place, slice] of slices.entries()) {
      const writeVectors = writers[place] ?? writeNothing
      const prepared = prepareChunks(document, slice)
      // The caller writes the previous slice next. That must not be in the turn in which this slice was analysed.
      await setImmediate()
      yield { rows: slice, tables: tables[place] ?? [], prepared, writeVectors }
    }
  }
}

const writeNothing = (): Promise<void> => Promise.resolve()

async function* partsOf<Item>(lists: AsyncIterable<Item[]>, maxLength: number): AsyncGenerator<Item[]> {
  for await (const list of lists) {
    for (let start = 0; start < list.length; start += maxLength) yield list.slice(start, start + maxLength)
  }
}

const chunkRow = (id: string, row: StoredDocument, chunk: Chunk, position: number): ChunkRow => ({
  id,
  workspace_id: row.workspace_id,
  environment: row.environment,
  collection_id: row.collection_id,
  document_id: row.id,
  document_version: row.version,
  position,
  headings: chunk.headings.join('\n'),
  text: chunk.text,
  gap: chunk.gap,
  page: chunk.page,
  start_offset: chunk.startOffset,
  end_offset: chunk.endOffset,
})

const tableRows = (row: StoredDocument, { tables }: Chunk): TableRow[] =>
  tables.map(table => ({
    document_id: row.id,
    document_version: row.version,
    start_offset: table.startOffset,
    rows_offset: table.rowsOffset,
    end_offset: table.endOffset,
    page: table.page,
    headings: table.headings.join('\n'),
    titles: table.titles.join('\n'),
    columns: table.columns.join('\n'),
    column_count: table.columnCount,
    row_count: table.rowCount,
  }))
