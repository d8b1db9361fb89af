/** Documents as attachments of a prompt: what each can be shown as, and the bytes of those that are images. */
import { buffer } from 'node:stream/consumers'
import type { BlobStore } from '../../../platform/blobs/blobs.ts'
import type { Caller } from '../../../platform/caller.ts'
import type { Database } from '../../../platform/database/database.ts'
import { type DocumentRow, findDocuments } from '../records/documents-store.ts'

export type Attachable = {
  documentId: string
  /** An image is shown as it is, whether words were read in it or not. */
  kind: 'text' | 'image'
  /** Of a text the one that is served, null if none is yet; of an image the latest. */
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
    /** By id; what the caller does not reach is not there. */
    async find({ scope }: Caller, ids: readonly string[]): Promise<Map<string, Attachable>> {
      const rows = await findDocuments(scope, database.read, ids)
      return new Map(rows.map(row => [row.id, attachable(row)]))
    },

    /** Null if there is no such image any more. */
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
