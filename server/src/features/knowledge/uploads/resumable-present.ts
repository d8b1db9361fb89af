/** Resumable uploads as they are answered: the record, and the headers of the protocol. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { toTimestamp } from '../../../platform/clock.ts'
import { decodeJson } from '../../../platform/database/json.ts'
import { etagOf } from '../../../platform/revision.ts'
import type { KeptFields } from './resumable-job.ts'
import type { ResumableUpload } from './resumable-schemas.ts'
import { revisionOf, type UploadRow } from './resumable-store.ts'

export const presentUpload = (row: UploadRow): ResumableUpload => ({
  id: row.id,
  collectionId: row.collection_id,
  name: row.name,
  status: row.status,
  offset: row.offset_bytes,
  length: row.length_bytes,
  documentId: row.status === 'done' ? row.document_id : null,
  error: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' },
  createdAt: toTimestamp(row.created_at),
  expiresAt: toTimestamp(row.expires_at),
})

/** The header Upload-Metadata as it was sent. */
export const sentMetadataOf = (row: UploadRow): string => (decodeJson(row.fields) as KeptFields).sent

/** Where the upload stands, as headers. */
export function stateOf(upload: UploadRow): Record<string, string> {
  const { documentId } = presentUpload(upload)
  return withoutUndefined({
    'upload-offset': String(upload.offset_bytes),
    'upload-length': String(upload.length_bytes),
    'upload-expires': new Date(upload.expires_at).toUTCString(),
    ...etagOf(revisionOf(upload)),
    'atrium-document-id': documentId ?? undefined,
  })
}
