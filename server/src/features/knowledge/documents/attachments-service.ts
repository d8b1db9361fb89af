/** Documents as attachments of a prompt: how a model can see each one, and the bytes of images. */
import { buffer } from 'node:stream/consumers'
import type { BlobStore } from '../../../platform/blobs/blobs.ts'
import type { Caller } from '../../../platform/caller.ts'
import type { Database } from '../../../platform/database/database.ts'
import { type DocumentRow, findDocuments } from '../records/documents-store.ts'

export type Attachable = {
  documentId: string
  /** An image is shown as an image, even if text was recognised in it. */
  kind: 'text' | 'image'
  /** For a text the served version, null if there is none yet. For an image the latest version. */
  version: number | null
  mediaType: string
  sizeBytes: number
  status: DocumentRow['status']
}

export type AttachmentsService = ReturnType<typeof createAttachmentsService>

/** The images that models take. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const

const isImageType = (mediaType: string): boolean => imageTypes.some(known => known === mediaType)

export function createAttachmentsService({ database, blobs }: { database: Database; blobs: BlobStore }) {
  return {
    /** The documents by id. Leaves out documents that the caller does not reach. */
    async find({ scope }: Caller, ids: readonly string[]): Promise<Map<string, Attachable>> {
      const rows = await findDocuments(scope, database.read, ids)
      return new Map(rows.map(row => [row.id, attachable(row)]))
    },

    /** Null if the image no longer exists. */
    async image(
      { scope }: Caller,
      id: string,
    ): Promise<{ version: number; mediaType: string; bytes: Uint8Array } | null> {
      const [row] = await findDocuments(scope, database.read, [id])
      if (row === undefined || !isImageType(row.media_type)) return null
      const bytes = await buffer(await blobs.open(row.blob_id))
      return { version: row.version, mediaType: row.media_type, bytes }
    },
  }
}

function attachable(row: DocumentRow): Attachable {
  const isImage = isImageType(row.media_type)
  return {
    documentId: row.id,
    kind: isImage ? 'image' : 'text',
    version: isImage ? row.version : row.served_version,
    mediaType: row.media_type,
    sizeBytes: row.size_bytes,
    status: row.status,
  }
}
