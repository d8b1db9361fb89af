/** Documents: received, listed, read, waited for, erased. What becomes of their content is told in `ingest.ts`. */
import type { Readable } from 'node:stream'
import type { BlobStore, ReceivedFile } from '../../platform/blobs/blobs.ts'
import type { Caller } from '../../platform/caller.ts'
import { type Clock, toTimestamp } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { decodeJson } from '../../platform/database/json.ts'
import type { Page, PageRequest } from '../../platform/database/page.ts'
import { invalidField, notFound, ServiceError } from '../../platform/errors.ts'
import type { NewId } from '../../platform/ids.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { checkRevision } from '../../platform/revision.ts'
import type { AuditService } from '../audit/service.ts'
import type { Limits } from '../limits/service.ts'
import { addToCollection, findCollection } from './collections-store.ts'
import { createTakeIn, unknownCollection } from './document-uploads.ts'
import {
  type DocumentFilter,
  type DocumentRow,
  findDocument,
  listDocuments,
  lockDocument,
  readChunkTexts,
  updateDocument,
} from './documents-store.ts'
import { eraseDocumentJob } from './erase.ts'
import type { Document, DocumentContent, UploadFields } from './schemas.ts'
import type { IndexWriter } from './search/index-writer.ts'
import type { Settled } from './settled.ts'

/** How long to wait for `ready` or `failed`; `signal` is the client's. */
export type Patience = { waitMs: number; signal: AbortSignal }

export type DocumentService = {
  /**
   * Takes a received file over and queues it. Throws 400 for an unknown collection and an empty file, 409 `conflict`
   * where the collection has a document of this external id, 415 naming what is taken, and 403 `storage_limit`.
   */
  create(caller: Caller, fields: UploadFields, file: ReceivedFile, patience: Patience): Promise<DocumentRow>
  list(caller: Caller, filter: DocumentFilter, page: PageRequest): Promise<Page<DocumentRow>>
  get(caller: Caller, id: string, patience: Patience): Promise<DocumentRow>
  /** At most 100,000 code points; throws `conflict` while there is no text yet, or none at all. */
  content(caller: Caller, id: string, range: { from: number; to?: number }): Promise<DocumentContent>
  original(caller: Caller, id: string): Promise<{ row: DocumentRow; stream: Readable }>
  /** From the reply on it is not there and not found; a job erases what it left. */
  remove(
    caller: Caller,
    id: string,
    options: { ifMatch: string | null; dryRun: boolean },
  ): Promise<DocumentRow>
}

const maxContentLength = 100_000
const pollMs = 250

export function createDocumentService(dependencies: {
  database: Database
  blobs: BlobStore
  index: IndexWriter
  jobs: Jobs
  settled: Settled
  limits: Limits
  audit: AuditService
  clock: Clock
  newId: NewId
}): DocumentService {
  const { database, blobs, index, jobs, settled, audit, clock } = dependencies
  const takeIn = createTakeIn(dependencies)

  const get = async (caller: Caller, id: string): Promise<DocumentRow> =>
    found(await findDocument(caller.scope, database.read, id))

  const wait = async (caller: Caller, id: string, { waitMs, signal }: Patience): Promise<DocumentRow> => {
    const giveUpAt = performance.now() + waitMs
    for (let row = await get(caller, id); ; row = await get(caller, id)) {
      const leftMs = giveUpAt - performance.now()
      if (isSettled(row) || leftMs <= 0 || signal.aborted) return row
      // Another process may do the work, so the news of this one only hastens.
      await settled.next(id, Math.min(pollMs, leftMs))
    }
  }

  return {
    create: async (caller, fields, file, patience) => {
      const row = await takeIn(caller, fields, file)
      return patience.waitMs > 0 ? wait(caller, row.id, patience) : row
    },

    async list(caller, filter, page) {
      if (
        filter.collectionId !== undefined &&
        (await findCollection(caller.scope, database.read, filter.collectionId)) === undefined
      ) {
        throw unknownCollection()
      }
      return listDocuments(caller.scope, database.read, filter, page)
    },

    get: wait,

    async content(caller, id, { from, to }) {
      const row = await get(caller, id)
      if (row.text_length === null) {
        throw new ServiceError('conflict', `The document has no text: it is ${row.status}`)
      }
      const end = Math.min(to ?? from + maxContentLength, from + maxContentLength, row.text_length)
      if (to !== undefined && to < from) throw invalidField('to', 'must not lie before `from`')
      const version = { documentId: row.id, version: row.version }
      const chunks = from < end ? await readChunkTexts(database.read, version, from, end) : []
      const text = chunks.map(chunk => chunk.text + chunk.gap).join('')
      const first = chunks[0]?.start_offset ?? from
      const codePoints = Array.from(text).slice(from - first, end - first)
      return {
        documentId: row.id,
        version: row.version,
        startOffset: Math.min(from, row.text_length),
        endOffset: Math.max(end, Math.min(from, row.text_length)),
        length: row.text_length,
        text: codePoints.join(''),
      }
    },

    async original(caller, id) {
      const row = await get(caller, id)
      return { row, stream: await blobs.open(row.blob_id) }
    },

    remove: (caller, id, { ifMatch, dryRun }) =>
      database.write(async tx => {
        const row = found(await lockDocument(caller.scope, tx, database.engine, id))
        checkRevision(ifMatch, row)
        if (dryRun) return row
        await updateDocument(caller.scope, tx, id, { deleted_at: clock() })
        await addToCollection(caller.scope, tx, row.collection_id, {
          documents: -1,
          chunks: -row.chunk_count,
          bytes: -row.size_bytes,
        })
        await index.removeDocument(caller.scope, tx, id)
        await jobs.enqueue(tx, eraseDocumentJob(caller.scope, id))
        await audit.record(tx, caller, {
          action: 'document.delete',
          resourceId: id,
          details: { name: row.name, collectionId: row.collection_id },
        })
        return row
      }),
  }
}

export const isSettled = ({ status }: Pick<DocumentRow, 'status'>): boolean =>
  status === 'ready' || status === 'failed'

export const presentDocument = (row: DocumentRow): Document => ({
  id: row.id,
  collectionId: row.collection_id,
  externalId: row.external_id,
  name: row.name,
  title: row.title,
  mediaType: row.media_type,
  sizeBytes: row.size_bytes,
  sha256: row.sha256,
  version: row.version,
  status: row.status,
  progress: row.progress,
  error: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' },
  pageCount: row.page_count,
  chunkCount: row.chunk_count,
  metadata: decodeJson(row.metadata),
  createdAt: toTimestamp(row.created_at),
  updatedAt: toTimestamp(row.updated_at),
})

function found(row: DocumentRow | undefined): DocumentRow {
  if (row === undefined) throw notFound()
  return row
}
