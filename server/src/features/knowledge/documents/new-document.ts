/** The row of a document as it begins. */
import type { ReceivedFile } from '../../../platform/blobs/blobs.ts'
import type { Caller } from '../../../platform/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import { encodeJson } from '../../../platform/database/json.ts'
import type { NewDocumentRow } from '../records/documents-store.ts'
import type { UploadFields } from '../records/schemas.ts'

export function newDocument(
  { clock }: { clock: Clock },
  { scope: { workspaceId, environment } }: Caller,
  fields: UploadFields,
  file: ReceivedFile,
  made: { id: string; blobId: string; mediaType: string },
): NewDocumentRow {
  const now = clock()
  return {
    id: made.id,
    workspace_id: workspaceId,
    environment,
    collection_id: fields.collectionId,
    external_id: fields.externalId ?? null,
    name: file.name === '' ? 'unnamed' : file.name,
    title: fields.title ?? null,
    given_title: fields.title ?? null,
    media_type: made.mediaType,
    size_bytes: file.sizeBytes,
    sha256: file.sha256,
    version: 1,
    served_version: null,
    status: 'queued',
    progress: 0,
    error_code: null,
    error_message: null,
    metadata: encodeJson(fields.metadata ?? {}),
    blob_id: made.blobId,
    text_length: null,
    page_count: null,
    chunk_count: 0,
    deleted_at: null,
    erase_at: null,
    created_at: now,
    updated_at: now,
    revision: 1,
  }
}
