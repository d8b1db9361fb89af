/** Endpoints that take in many files at once, or fetch one by its address. */

import { created, defineRoute, ok, type Route } from '../../../http/route.ts'
import { Type } from '../../../platform/json-schema/type.ts'
import { etagOf } from '../../../platform/revision.ts'
import { type DocumentService, presentDocument } from '../documents/documents-service.ts'
import { Document, documentExample, UploadFields } from '../records/schemas.ts'
import { Batch, BatchFields, batchExample, maxBatchFiles } from './batch-schemas.ts'
import type { BatchService } from './batches.ts'
import type { UrlUpload } from './url-uploads.ts'

const UrlFields = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: 'Where the file is: http or https, on the public internet.',
      examples: ['https://example.com/handbook/leave.md'],
    }),
    ...UploadFields.properties,
  },
  { title: 'UrlUpload', additionalProperties: false },
)

export const intakeRoutes = (services: {
  batches: BatchService
  urlUpload: UrlUpload
  documents: DocumentService
}): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/knowledge/documents/batch',
    operationId: 'uploadDocuments',
    tag: 'knowledge',
    summary: 'Upload many documents',
    description: `Sends up to ${maxBatchFiles} files as parts named \`file\`, or a zip of up to 2,000, and answers what became of each: a file that cannot be taken never costs another. Every file's path is its external id unless \`externalIds=none\`, so that the same files again are unchanged. Files are read and indexed after the reply. Each may be as large as the plan's upload, all of them four times that. What is packed within a zip is judged by what comes out; a zip inside a zip is not unpacked, links are not followed, and folders and what systems leave beside files are passed over.`,
    permission: 'knowledge:write',
    audit: 'document.batch',
    triesDry: true,
    upload: {
      file: 'file',
      fields: BatchFields,
      jsonFields: ['metadata'],
      many: { maxFiles: maxBatchFiles },
    },
    data: Batch,
    example: batchExample,
    success: [200],
    errors: [],
    handle: async ({ caller, upload, dryRun }) =>
      ok(await services.batches.take(caller, upload.fields, upload.parts, { dryRun })),
  }),
  defineRoute({
    method: 'POST',
    path: '/knowledge/documents/from-url',
    operationId: 'uploadDocumentFromUrl',
    tag: 'knowledge',
    summary: 'Upload a document by its URL',
    description:
      'The server fetches the file, within two minutes (`ATRIUM_URL_TIMEOUT_SECONDS`) and the size that the plan allows, and takes it in like an upload: 201 with the new document. With an `externalId` the document that has it is brought up to date: 200, with a new version where the content has changed. Addresses inside the network of the server are refused, whatever they redirect from.',
    permission: 'knowledge:write',
    audit: 'document.fetch',
    waits: true,
    body: UrlFields,
    bodyExample: { url: 'https://example.com/handbook/leave.md', collectionId: documentExample.collectionId },
    data: Document,
    example: { ...documentExample, status: 'queued', progress: 0, chunkCount: 0 },
    success: [200, 201],
    errors: ['conflict', 'storage_limit', 'integration_unreachable'],
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
