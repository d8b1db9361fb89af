/** Erases deleted data for good, slice by slice, with all its traces; also erases all data of a workspace. */
import { setTimeout as sleep } from 'node:timers/promises'
import { hourMs, minuteMs, secondMs } from '../../../platform/clock.ts'
import type { Database, Query, Tx } from '../../../platform/database/database.ts'
import type { Job, Queue } from '../../../platform/jobs/job.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { ErasureJob, Slice, WorkspaceData } from '../../../platform/workspace-data.ts'
import type { AuditService } from '../../audit/service.ts'
import { deleteChunks } from '../records/chunks-store.ts'
import { addToCollection, deleteCollectionRow, emptyKeptRow } from '../records/collections-store.ts'
import { type ErasePayload, eraseJob, purgeJob, type WholeScope } from '../records/document-jobs.ts'
import { deleteDocumentRow, listDocumentIds, listVersions, lockStored } from '../records/documents-store.ts'
import { listDue } from '../records/trash-store.ts'
import { mergePostings } from '../search/index/index-store.ts'
import type { IndexWriter } from '../search/index/index-writer.ts'

/**
 * Removes the words of a document from the data of another feature. `write` runs one short transaction at a time. The
 * function can be called again for the same document, and then has nothing left to do.
 */
export type EraseTraces = (
  scope: WholeScope,
  documentId: string,
  write: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>,
) => Promise<void>

/** Whether another feature keeps data that names a collection, such as an answer of its connection. */
export type RemembersCollection = (scope: WholeScope, query: Query, collectionId: string) => Promise<boolean>

const rowsAtOnce = 100
/**
 * After this time every request or run that read the document before its deletion has ended: all have shorter limits.
 */
const latestWriterMs = 2 * hourMs

/** Every step is idempotent, so an interrupted attempt starts again from the beginning. */
export function createEraseQueue(
  dependencies: Pick<Platform, 'database' | 'blobs' | 'jobs' | 'clock'> & {
    index: IndexWriter
    audit: AuditService
    /** One function for each feature that keeps words of documents. */
    eraseTraces: readonly EraseTraces[]
    remembersCollection: RemembersCollection
  },
): Queue<ErasePayload> {
  const { database, index, blobs, jobs, audit, clock, eraseTraces, remembersCollection } = dependencies

  const isDue = ({ erase_at }: { erase_at: number | null }): boolean =>
    erase_at !== null && erase_at <= clock()

  const forget = async (job: Job<ErasePayload>, documentId: string): Promise<void> => {
    for (const erase of eraseTraces) await erase(job.payload.scope, documentId, work => job.write(work))
    await job.write(tx => audit.forgetReplies(tx, [documentId]))
  }

  const eraseDocument = async (job: Job<ErasePayload>, id: string, when?: 'due'): Promise<void> => {
    const { scope } = job.payload
    const files = await job.write(async tx => {
      const row = await lockStored(scope, tx, id)
      // The document may have been restored since it was listed.
      if (row === undefined || (when === 'due' && !isDue(row))) return null
      // The stored reply to an upload of many files names each document, and is kept under their collection.
      await audit.forgetReplies(tx, [row.collection_id])
      return [row, ...(await listVersions(tx, id))].map(({ blob_id }) => blob_id)
    })
    if (files === null) return
    for (const blobId of files) await blobs.remove(blobId)
    await forget(job, id)
    while (await job.write(tx => eraseSlice(scope, tx, id))) {
      job.signal.throwIfAborted()
    }
  }

  /** Returns whether rows are left. The document's row is locked, so that no other job writes rows for it meanwhile. */
  const eraseSlice = async (scope: WholeScope, tx: Tx, id: string): Promise<boolean> => {
    const row = await lockStored(scope, tx, id)
    if (row === undefined) return false
    const indexed = await index.removeDocument(scope, tx, id)
    const deleted = await deleteChunks(tx, id)
    if (indexed > 0 || deleted > 0) return true
    const versions = await listVersions(tx, id)
    const storedBytes = versions.reduce((sum, { size_bytes }) => sum + size_bytes, row.size_bytes)
    await addToCollection(scope, tx, row.collection_id, { storedBytes: -storedBytes })
    await deleteDocumentRow(scope, tx, id)
    await jobs.enqueue(tx, {
      ...eraseJob(scope, { traceOf: id }),
      runAt: clock() + latestWriterMs,
    })
    return false
  }

  const eraseCollection = async (job: Job<ErasePayload>, id: string): Promise<void> => {
    const { scope } = job.payload
    const next = () => job.write(tx => listDocumentIds(tx, 'all', id, { after: '', limit: rowsAtOnce }))
    for (let ids = await next(); ids.length > 0; ids = await next()) {
      for (const documentId of ids) await eraseDocument(job, documentId)
    }
    await job.write(async tx => {
      await index.forgetCollection(scope, tx, id)
      // If other data names a collection of teams, its emptied row stays: only it says which teams may see that data.
      const isRemembered = await remembersCollection(scope, tx, id)
      if (!isRemembered || !(await emptyKeptRow(scope, tx, id))) await deleteCollectionRow(scope, tx, id)
    })
  }

  const eraseDue = async (job: Job<ErasePayload>): Promise<void> => {
    const { scope } = job.payload
    const next = (table: 'documents' | 'collections') =>
      listDue(scope, database.read, table, clock(), rowsAtOnce)
    for (let due = await next('documents'); due.length > 0; due = await next('documents')) {
      for (const { id } of due) await eraseDocument(job, id, 'due')
    }
    for (let due = await next('collections'); due.length > 0; due = await next('collections')) {
      for (const { id } of due) await eraseCollection(job, id)
    }
  }

  return {
    concurrency: 1,
    leaseMs: 30 * secondMs,
    maxAttempts: 20,
    timeoutMs: 60 * minuteMs,
    async handle(job) {
      const { payload } = job
      if ('documentId' in payload) await eraseDocument(job, payload.documentId)
      else if ('collectionId' in payload) await eraseCollection(job, payload.collectionId)
      else if ('traceOf' in payload) await forget(job, payload.traceOf)
      else await eraseDue(job)
      if (database.emptyLog !== null) await job.complete(tx => jobs.enqueue(tx, purgeJob(clock())))
    },
  }
}

/** Every posting is rewritten, so a pause for other writers is this many times as long as the work before it. */
const pausePerWork = 4
/**
 * Words that are deleted during a round may be in postings that were merged already. Their deletion has its own job,
 * so the rounds can end.
 */
const maxRounds = 3

/**
 * Removes erased text from SQLite's files. A deleted word stays in FTS5's segments until they are merged, and a deleted
 * row stays in the write-ahead log until the log is restarted. Each step can be done again.
 */
export function createPurgeQueue(emptyLog: NonNullable<Database['emptyLog']>): Queue {
  return {
    concurrency: 1,
    leaseMs: minuteMs,
    maxAttempts: 20,
    timeoutMs: hourMs,
    async handle(job) {
      for (let round = 1; round <= maxRounds; round++) if (!(await mergeAll(job))) break
      if (!(await emptyLog()))
        throw new Error('A reader still needs the write-ahead log: it is emptied later')
    },
  }
}

/** Returns whether there was something to merge. */
async function mergeAll(job: Job): Promise<boolean> {
  const merge = async (begin: boolean): Promise<boolean> => {
    const startedAtMs = performance.now()
    const isMore = await job.write(tx => mergePostings(tx, { begin }))
    if (isMore)
      await sleep(pausePerWork * (performance.now() - startedAtMs), undefined, { signal: job.signal })
    return isMore
  }
  if (!(await merge(true))) return false
  while (await merge(false)) job.signal.throwIfAborted()
  return true
}

// Erases what a workspace has uploaded, imported and collected.

type Dependencies = Pick<Platform, 'database' | 'blobs' | 'partialFiles' | 'jobs' | 'clock'>

const filesAtOnce = 100

/** `collections` erases one collection per job. */
export const createKnowledgeData = (
  dependencies: Dependencies,
  collections: Queue<ErasePayload>,
): WorkspaceData => ({
  async erase(job) {
    await eraseUploads(dependencies, job)
    await eraseImports(dependencies, job)
    await eraseCollections(dependencies, job, collections)
  },
  slices: [
    { table: 'search_terms', key: ['index_number', 'term'], of: ofIndex },
    { table: 'search_languages', key: ['index_number', 'language'], of: ofIndex },
    { table: 'search_indexes', key: ['number'] },
    { table: 'embedding_usage', key: ['environment', 'model'] },
  ],
  async afterwards(tx) {
    const { database, jobs, clock } = dependencies
    if (database.emptyLog !== null) await jobs.enqueue(tx, purgeJob(clock()))
  },
})

const ofIndex: NonNullable<Slice['of']> = {
  column: 'index_number',
  parent: 'search_indexes',
  parentKey: 'number',
}

/** Removes each file before its row, so that after a crash the row still leads to the file. */
async function eraseUploads({ database, partialFiles }: Dependencies, job: ErasureJob): Promise<void> {
  const next = () =>
    database.read
      .selectFrom('uploads')
      .select('id')
      .where('workspace_id', '=', job.payload.workspaceId)
      .limit(filesAtOnce)
      .execute()
  for (let rows = await next(); rows.length > 0; rows = await next()) {
    const ids = rows.map(({ id }) => id)
    for (const id of ids) await partialFiles.remove(id)
    await job.write(tx => tx.deleteFrom('uploads').where('id', 'in', ids).execute())
  }
}

async function eraseImports({ database, blobs }: Dependencies, job: ErasureJob): Promise<void> {
  const next = () =>
    database.read
      .selectFrom('imports')
      .select(['id', 'blob_id'])
      .where('workspace_id', '=', job.payload.workspaceId)
      .limit(filesAtOnce)
      .execute()
  for (let rows = await next(); rows.length > 0; rows = await next()) {
    const ids = rows.map(({ id }) => id)
    for (const row of rows) await blobs.remove(row.blob_id)
    await job.write(tx => tx.deleteFrom('imports').where('id', 'in', ids).execute())
  }
}

async function eraseCollections(
  { database }: Dependencies,
  job: ErasureJob,
  collections: Queue<ErasePayload>,
): Promise<void> {
  const { workspaceId } = job.payload
  const next = () =>
    database.read
      .selectFrom('collections')
      .select(['id', 'environment'])
      .where('workspace_id', '=', workspaceId)
      .limit(1)
      .executeTakeFirst()
  for (let collection = await next(); collection !== undefined; collection = await next()) {
    const { id: collectionId, environment } = collection
    const payload = { scope: { workspaceId, environment }, collectionId }
    // The end of the collection's job is not the end of this job.
    await collections.handle({ ...job, payload, complete: job.write })
    job.signal.throwIfAborted()
  }
}
