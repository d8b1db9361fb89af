/** A document's history: the versions that are kept, and bringing one of them back as a new one. */
import type { ReceivedFile } from '../../../platform/blobs/blobs.ts'
import type { Caller } from '../../../platform/caller.ts'
import { toOptionalTimestamp } from '../../../platform/clock.ts'
import type { Page, PageRequest } from '../../../platform/database/page.ts'
import { found } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import {
  type DocumentRow,
  findDocument,
  findVersion,
  listVersions,
  type VersionRow,
} from '../records/documents-store.ts'
import type { DocumentVersion } from '../records/schemas.ts'
import { requireVersion } from './document-contents.ts'
import type { Uploads } from './document-uploads.ts'

export type VersionsService = ReturnType<typeof createVersionsService>

export function createVersionsService(
  dependencies: Pick<Platform, 'database' | 'blobs'> & {
    uploads: Uploads
  },
) {
  const { database, blobs, uploads } = dependencies

  const find = async (caller: Caller, id: string): Promise<DocumentRow> =>
    found(await findDocument(caller.scope, database.read, id))

  /** Every version has a file of its own, so that each can go without the others. */
  const withCopy = async <T>(row: DocumentRow, version: number, use: (file: ReceivedFile) => Promise<T>) => {
    const stored = await requireVersion(database.read, row, version)
    const { name, mediaType: statedMediaType, sizeBytes: maxBytes } = stored
    const stream = await blobs.open(stored.blobId)
    const file = await blobs.receive(stream, { name, statedMediaType, maxBytes })
    try {
      return await use(file)
    } finally {
      await blobs.discard(file)
    }
  }

  return {
    /** The latest, then those that it replaced. */
    async list(
      caller: Caller,
      documentId: string,
      { page, pageSize }: PageRequest,
    ): Promise<Page<DocumentVersion>> {
      const row = await find(caller, documentId)
      const kept = await listVersions(database.read, documentId)
      const all = [presentLatest(row), ...kept.map(version => presentKept(row, version))]
      return { items: all.slice((page - 1) * pageSize, page * pageSize), total: all.length }
    },

    async get(caller: Caller, documentId: string, version: number): Promise<DocumentVersion> {
      const row = await find(caller, documentId)
      if (version === row.version) return presentLatest(row)
      return presentKept(row, found(await findVersion(database.read, documentId, version)))
    },

    /** Makes a new version of the content that a kept one has; `unchanged` where that is the present content. */
    async restore(caller: Caller, documentId: string, version: number, ifMatch: string | null) {
      const row = await find(caller, documentId)
      if (version !== row.version) found(await findVersion(database.read, documentId, version))
      return withCopy(row, version, file =>
        uploads.replace(caller, documentId, file, {
          ifMatch,
          action: 'document.restore_version',
          details: { restored: version },
        }),
      )
    },

    /** Makes a new version of the latest one's file. Throws `conflict` while a version is in progress. */
    async reprocess(caller: Caller, documentId: string, ifMatch: string | null): Promise<DocumentRow> {
      const latest = await find(caller, documentId)
      const { row } = await withCopy(latest, latest.version, file =>
        uploads.replace(caller, documentId, file, { ifMatch, action: 'document.reprocess', isAgain: true }),
      )
      return row
    },
  }
}

const presentLatest = (row: DocumentRow): DocumentVersion => ({
  documentId: row.id,
  version: row.version,
  status: row.status,
  isServed: row.version === row.served_version,
  name: row.name,
  title: row.title,
  mediaType: row.media_type,
  sizeBytes: row.size_bytes,
  sha256: row.sha256,
  textLength: row.text_length,
  pageCount: row.page_count,
  replacedAt: null,
})

const presentKept = (row: DocumentRow, version: VersionRow): DocumentVersion => ({
  documentId: row.id,
  version: version.version,
  status: 'ready',
  isServed: version.version === row.served_version,
  name: version.name,
  title: version.title,
  mediaType: version.media_type,
  sizeBytes: version.size_bytes,
  sha256: version.sha256,
  textLength: version.text_length,
  pageCount: version.page_count,
  replacedAt: toOptionalTimestamp(version.replaced_at),
})
