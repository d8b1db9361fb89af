/** The job that makes a document of an upload whose last byte has come: once, however often it is begun. */

import type { Caller } from '../../../platform/caller.ts'
import { minuteMs, secondMs } from '../../../platform/clock.ts'
import { decodeJson } from '../../../platform/database/json.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { NewJob, Queue } from '../../../platform/jobs/job.ts'
import type { Platform } from '../../../platform/platform.ts'
import { restoreCaller } from '../../../platform/stored-caller.ts'
import { takeFile, type Uploads } from '../documents/document-uploads.ts'
import type { WholeScope } from '../records/document-jobs.ts'
import { findDocument } from '../records/documents-store.ts'
import type { UploadFields } from '../records/schemas.ts'
import { findUpload, type UploadRow, updateUpload } from './resumable-store.ts'

export const uploadQueue = 'knowledge-upload'

type Payload = { scope: WholeScope; uploadId: string }

/** What a row stores of the header Upload-Metadata: as it was sent, and as it was read. */
export type StoredFields = { sent: string; fields: UploadFields }

export const uploadJob = ({ workspaceId, environment }: WholeScope, uploadId: string): NewJob => ({
  queue: uploadQueue,
  workspaceId,
  payload: { scope: { workspaceId, environment }, uploadId } satisfies Payload,
})

export function createUploadQueue(
  dependencies: Pick<Platform, 'database' | 'blobs' | 'partialFiles' | 'clock'> & {
    uploads: Uploads
  },
): Queue<Payload> {
  const { database, blobs, partialFiles, uploads, clock } = dependencies

  /** The id of the document, which an earlier attempt may have made. */
  const makeDocument = async (caller: Caller, upload: UploadRow, documentId: string): Promise<string> => {
    if ((await findDocument(caller.scope, database.read, documentId)) !== undefined) return documentId
    const { fields } = decodeJson(upload.fields) as StoredFields
    const stated = { name: upload.name, mediaType: upload.stated_media_type }
    const file = await partialFiles.receive(upload.id, stated)
    try {
      return (await takeFile(uploads, caller, fields, file, { id: documentId })).row.id
    } finally {
      await blobs.discard(file)
    }
  }

  return {
    concurrency: 2,
    leaseMs: 30 * secondMs,
    maxAttempts: 10,
    timeoutMs: 15 * minuteMs,
    async handle(job) {
      const { scope, uploadId } = job.payload
      const upload = await findUpload(scope, database.read, 0, uploadId)
      if (upload?.status !== 'finishing' || upload.document_id === null) return
      try {
        const id = await makeDocument(restoreCaller(upload.caller), upload, upload.document_id)
        const change = { status: 'done', document_id: id, updated_at: clock() } as const
        await job.complete(tx => updateUpload(scope, tx, uploadId, change))
      } catch (error) {
        if (!(error instanceof ServiceError) || error.statusCode >= 500) throw error
        const change = failure(error.code, messageOf(error))
        await job.complete(tx => updateUpload(scope, tx, uploadId, { ...change, updated_at: clock() }))
      }
      await partialFiles.remove(uploadId)
    },
    async onDead({ payload: { scope, uploadId } }, _error, tx) {
      const message = 'The upload could not be taken in, for a reason on our side. Upload the file again.'
      await updateUpload(scope, tx, uploadId, { ...failure('internal_error', message), updated_at: clock() })
    },
  }
}

const failure = (code: string, message: string) =>
  ({ status: 'failed', document_id: null, error_code: code, error_message: message }) as const

/** The faulty field's message says more than that there is one. */
function messageOf(error: ServiceError): string {
  const [fault] = error.errors
  return fault === undefined ? error.message : `The ${fault.field} ${fault.message}`
}
