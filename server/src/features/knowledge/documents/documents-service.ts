/** Documents: uploading, listing, changing, reading, and waiting for them. `ingest.ts` processes their content. */
import type { ReceivedFile } from '../../../platform/blobs/blobs.ts'
import type { Caller } from '../../../platform/caller.ts'
import { type Patience, toTimestamp } from '../../../platform/clock.ts'
import { decodeJson } from '../../../platform/database/json.ts'
import type { Page, PageRequest } from '../../../platform/database/page.ts'
import { found } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { checkRevision } from '../../../platform/revision.ts'
import type { AuditService } from '../../audit/service.ts'
import { lockCollection } from '../records/collections-store.ts'
import { isRetryable } from '../records/document-outbox.ts'
import {
  countUnsettled,
  type DocumentFilter,
  type DocumentRow,
  findByExternalId,
  findDocument,
  findDocuments,
  listDocuments,
  lockDocument,
  type ShownDocumentRow,
  type Unsettled,
} from '../records/documents-store.ts'
import type { Chunk, Document, DocumentTable, UploadFields } from '../records/schemas.ts'
import type { Settled } from '../records/settled.ts'
import { type DocumentChange, describe } from './document-changes.ts'
import {
  externalIdTaken,
  type Preconditions,
  requireCollection,
  type Uploads,
  type Upserted,
} from './document-uploads.ts'
import { readTables } from './tables/read-tables.ts'
import { readChunks, readContent, requireVersion } from './versions-service.ts'

/** A document's row without reading its content. */
export type FoundDocumentRow = Pick<DocumentRow, 'id' | 'external_id' | 'name' | 'metadata'>

export type DocumentService = ReturnType<typeof createDocumentService>

export function createDocumentService(
  dependencies: Pick<Platform, 'database' | 'blobs' | 'jobs' | 'clock'> & {
    uploads: Uploads
    settled: Settled
    audit: AuditService
  },
) {
  const { database, blobs, uploads, settled, audit } = dependencies

  const get = async (caller: Caller, id: string): Promise<DocumentRow> =>
    found(await findDocument(caller.scope, database.read, id))

  const wait = (caller: Caller, known: DocumentRow, patience: Patience): Promise<DocumentRow> =>
    settled.wait(known, patience, isSettled, () => get(caller, known.id))

  return {
    /** Like `Uploads.takeIn`, then waits until the document is settled. */
    create: async (caller: Caller, fields: UploadFields, file: ReceivedFile, patience: Patience) =>
      wait(caller, await uploads.takeIn(caller, fields, file), patience),

    /** Like `Uploads.upsert`, then waits until the document is settled. */
    put: async (
      caller: Caller,
      target: ExternalTarget,
      fields: DocumentChange,
      file: ReceivedFile,
      { waitMs, signal, ...preconditions }: Preconditions & Patience,
    ): Promise<Upserted> => {
      const { row, outcome } = await uploads.upsert(caller, target, fields, file, preconditions)
      return { row: await wait(caller, row, { waitMs, signal }), outcome }
    },

    /** Throws `already_exists` if another document of the collection has the external id. */
    update: (
      caller: Caller,
      id: string,
      change: DocumentChange,
      ifMatch: string | null,
    ): Promise<DocumentRow> =>
      database.write(async tx => {
        const { scope } = caller
        const row = found(await lockDocument(scope, tx, id))
        checkRevision(ifMatch, row)
        const { externalId } = change
        if (externalId !== undefined && externalId !== null && externalId !== row.external_id) {
          await lockCollection(scope, tx, row.collection_id)
          const same = await findByExternalId(scope, tx, row.collection_id, externalId)
          if (same !== undefined) throw externalIdTaken(externalId, same.id)
        }
        const changed = await describe(dependencies, caller, tx, row, change)
        if (changed.length > 0) {
          await audit.record(tx, caller, { action: 'document.update', resourceId: id, details: { changed } })
        }
        return found(await findDocument(scope, tx, id))
      }),

    async list(caller: Caller, filter: DocumentFilter, page: PageRequest): Promise<Page<ShownDocumentRow>> {
      if (filter.collectionId !== undefined) {
        await requireCollection(caller.scope, database.read, filter.collectionId)
      }
      return listDocuments(caller.scope, database.read, filter, page)
    },

    /** For each collection that the caller reaches, how many documents are in progress and how many have failed. */
    unsettled: ({ scope }: Caller, collectionIds: readonly string[]): Promise<Map<string, Unsettled>> =>
      countUnsettled(scope, database.read, collectionIds),

    /** Waits until the known row's document is settled. Returns its current row if patience ends before. */
    settled: wait,

    get: async (caller: Caller, id: string, patience: Patience): Promise<DocumentRow> =>
      wait(caller, await get(caller, id), patience),

    /** Those of the documents that the caller reaches. */
    named: ({ scope }: Caller, ids: readonly string[]): Promise<FoundDocumentRow[]> =>
      findDocuments(scope, database.read, ids),

    findByExternalId: ({ scope }: Caller, { collectionId, externalId }: ExternalTarget) =>
      findByExternalId(scope, database.read, collectionId, externalId),

    async getByExternalId(caller: Caller, { collectionId, externalId }: ExternalTarget, patience: Patience) {
      const known = found(await findByExternalId(caller.scope, database.read, collectionId, externalId))
      return wait(caller, await get(caller, known.id), patience)
    },

    /** At most 100,000 code points. Throws `version_without_text` if the version has no text or none yet. */
    content: async (caller: Caller, id: string, range: { version?: number; from: number; to?: number }) =>
      readContent(database.read, await get(caller, id), range),

    /** Throws the same errors as `content`. */
    chunks: async (
      caller: Caller,
      id: string,
      version: number | undefined,
      page: PageRequest,
    ): Promise<Page<Chunk>> => readChunks(database.read, await get(caller, id), version, page),

    /** Throws the same errors as `content`. */
    tables: async (
      caller: Caller,
      id: string,
      range: { version: number | undefined; from: number },
      page: PageRequest,
    ): Promise<Page<DocumentTable>> => readTables(database.read, await get(caller, id), range, page),

    /** The file of the version that search finds, else of the latest; or of the given version. */
    async servedFile(caller: Caller, id: string, version: number | null) {
      const row = await get(caller, id)
      return requireVersion(database.read, row, version ?? row.served_version ?? row.version)
    },

    /** The file of the latest version, or of the given version. `open` reads it; nothing is read before. */
    async original(caller: Caller, id: string, version?: number) {
      const row = await get(caller, id)
      const stored = await requireVersion(database.read, row, version ?? row.version)
      return { ...stored, open: (part?: { start: number; end: number }) => blobs.open(stored.blobId, part) }
    },
  }
}

type ExternalTarget = { collectionId: string; externalId: string }

export const isSettled = ({ status }: Pick<DocumentRow, 'status'>): boolean =>
  status === 'ready' || status === 'failed'

export const presentDocument = (row: ShownDocumentRow): Document => ({
  id: row.id,
  collectionId: row.collection_id,
  externalId: row.external_id,
  name: row.name,
  title: row.title,
  mediaType: row.media_type,
  sizeBytes: row.size_bytes,
  sha256: row.sha256,
  version: row.version,
  servedVersion: row.served_version,
  duplicateOf: row.duplicate_of,
  status: row.status,
  progress: row.progress,
  error: presentError(row),
  pageCount: row.page_count,
  warnings: decodeJson(row.warnings),
  chunkCount: row.chunk_count,
  metadata: decodeJson(row.metadata),
  createdAt: toTimestamp(row.created_at),
  updatedAt: toTimestamp(row.updated_at),
})

function presentError({ error_code: code, error_message: message }: ShownDocumentRow): Document['error'] {
  return code === null ? null : { code, message: message ?? '', retryable: isRetryable(code) }
}
