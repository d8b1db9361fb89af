/** Endpoints that take in many files at once, or fetch one by its address. */

import { created, defineRoute, ok, type Route } from '../../../http/route.ts'
import { Type } from '../../../platform/json-schema/type.ts'
import { etagOf } from '../../../platform/revision.ts'
import { exampleId } from '../../../platform/schemas.ts'
import { type DocumentService, presentDocument } from '../documents/documents-service.ts'
import { Document, documentExample, UploadFields } from '../records/schemas.ts'
import { Batch, BatchFields, batchExample, maxBatchFiles } from './batch-schemas.ts'
import type { BatchService } from './batches.ts'
import type { UrlUpload } from './url-uploads.ts'

const UrlFields = Type.Closed('UrlUpload', {
  url: Type.String({
    minLength: 1,
    maxLength: 2_000,
    description: 'Public http or https URL of the file.',
    examples: ['https://example.com/handbook/leave.md'],
  }),
  ...UploadFields.properties,
})

export const intakeRoutes = (services: {
  batches: BatchService
  urlUpload: UrlUpload
  documents: DocumentService
}): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/knowledge/documents/batch',
    operationId: 'uploadDocuments',
    summary: 'Upload many documents',
    description: `Sends up to ${maxBatchFiles} files as parts named \`file\`, or a zip with up to 2,000 files. The reply has a result for each file; a rejected file does not affect the others. Each file's path becomes its external id unless \`externalIds=none\`, so sending the same files again changes nothing. The server reads and indexes the files after the reply. Each file may be as large as the plan's upload limit, and all files together four times that. Limits apply to the unpacked files of a zip. Nested zips are not unpacked, links are not followed, and folders and system files are skipped.`,
    permission: 'knowledge:write',
    audit: 'document.batch',
    triesDry: true,
    upload: {
      file: 'file',
      fields: BatchFields,
      jsonFields: ['metadata'],
      example: { collectionId: exampleId('collection'), metadata: { department: 'support' } },
      many: { maxFiles: maxBatchFiles },
    },
    data: Batch,
    replyTexts: { 200: 'What became of each file.' },
    example: batchExample,
    handle: async ({ caller, upload, dryRun }) =>
      ok(await services.batches.take(caller, upload.fields, upload.parts, { dryRun })),
  }),
  defineRoute({
    method: 'POST',
    path: '/knowledge/documents/from-url',
    operationId: 'uploadDocumentFromUrl',
    summary: 'Upload a document by its URL',
    description:
      "The server fetches the file within two minutes (`ATRIUM_URL_TIMEOUT_SECONDS`), up to the plan's upload limit, and processes it like an upload: 201 with the new document. If a document has the `externalId` that you send, it is updated (200), with a new version if the content has changed. Addresses inside the server's network are refused, including after redirects.",
    permission: 'knowledge:write',
    audit: 'document.fetch',
    waits: true,
    body: UrlFields,
    bodyExample: { url: 'https://example.com/handbook/leave.md', collectionId: documentExample.collectionId },
    data: Document,
    example: { ...documentExample, status: 'queued', progress: 0, chunkCount: 0 },
    success: [200, 201],
    errors: ['already_exists', 'storage_limit', 'integration_unreachable'],
    handle: async ({ caller, body: { url, ...fields }, patience, signal }) => {
      const { row, outcome } = await services.urlUpload(caller, url, fields, signal)
      const settled = await services.documents.settled(caller, row, patience())
      const document = presentDocument(settled)
      return outcome === 'created'
        ? created(document, `/knowledge/documents/${row.id}`, etagOf(settled))
        : ok(document, etagOf(settled))
    },
  }),
]
