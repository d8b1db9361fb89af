/** The ways in which documents come besides a single upload. */

import { UploadFields } from './features/knowledge/records/schemas.ts'
import { createSyncService, type SyncService } from './features/knowledge/syncs/sync-service.ts'
import { type BatchService, createBatchService } from './features/knowledge/uploads/batches.ts'
import {
  createResumableUploads,
  type ResumableUploads,
} from './features/knowledge/uploads/resumable-uploads.ts'
import { createUrlUpload, type UrlUpload } from './features/knowledge/uploads/url-uploads.ts'
import { validation } from './http/validation.ts'

export type IntakeServices = {
  batches: BatchService
  urlUpload: UrlUpload
  syncs: SyncService
  resumableUploads: ResumableUploads
}

export const createIntakeServices = (
  shared: Parameters<typeof createBatchService>[0] &
    Parameters<typeof createUrlUpload>[0] &
    Parameters<typeof createSyncService>[0] &
    Omit<Parameters<typeof createResumableUploads>[0], 'validateFields'>,
): IntakeServices => ({
  batches: createBatchService(shared),
  urlUpload: createUrlUpload(shared),
  syncs: createSyncService(shared),
  resumableUploads: createResumableUploads({
    ...shared,
    validateFields: validation.body(UploadFields),
  }),
})
