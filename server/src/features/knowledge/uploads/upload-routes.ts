/**
 * Endpoints for uploads of many files, by URL, and in pieces with the tus protocol 1.0.0 (core, creation,
 * creation-with-upload, termination, expiration, checksum).
 */
import {
  created,
  defineRoute,
  deletedRecord,
  listed,
  noContent,
  ok,
  type Route,
  standardList,
} from '../../../http/route.ts'
import { checksumAlgorithms } from '../../../platform/blobs/partial-files.ts'
import { invalidField, ServiceError } from '../../../platform/errors.ts'
import { Type } from '../../../platform/json-schema/type.ts'
import { etagOf } from '../../../platform/revision.ts'
import { exampleId } from '../../../platform/schemas.ts'
import { type DocumentService, presentDocument } from '../documents/documents-service.ts'
import { Document, documentExample, UploadFields } from '../records/schemas.ts'
import type { BatchService } from './batches.ts'
import type { Piece } from './resumable-pieces.ts'
import { presentUpload, type ResumableUploads, sentMetadataOf, stateOf } from './resumable-uploads.ts'
import {
  AppendHeaders,
  Batch,
  BatchFields,
  batchExample,
  CreationHeaders,
  maxBatchFiles,
  ResumableUpload,
  resumableUploadExample,
  TusCapabilities,
  tusExtensions,
  tusVersion,
  VersionHeaders,
} from './upload-schemas.ts'
import type { UrlUpload } from './url-uploads.ts'

const replyHeaders = { 'tus-resumable': tusVersion }
const mediaType = 'application/offset+octet-stream'

export const resumableRoutes = (uploads: ResumableUploads): Route[] => [
  defineRoute({
    method: 'OPTIONS',
    path: '/knowledge/uploads',
    operationId: 'getUploadCapabilities',
    summary: 'What resumable uploads can do',
    description: 'The version and extensions of the tus protocol and the largest file size, also as headers.',
    permission: 'knowledge:write',
    replyHeaders,
    data: TusCapabilities,
    example: {
      version: tusVersion,
      extensions: tusExtensions,
      maxSizeBytes: 2_147_483_648,
      checksumAlgorithms: [...checksumAlgorithms],
    },
    replyTexts: { 200: 'What the server knows of the tus protocol.' },
    handle: async ({ caller }) =>
      ok(
        {
          version: tusVersion,
          extensions: tusExtensions,
          maxSizeBytes: uploads.maxSizeBytes(caller),
          checksumAlgorithms: [...checksumAlgorithms],
        },
        {
          'tus-version': tusVersion,
          'tus-extension': tusExtensions.join(','),
          'tus-max-size': String(uploads.maxSizeBytes(caller)),
          'tus-checksum-algorithm': checksumAlgorithms.join(','),
        },
      ),
  }),
  defineRoute({
    method: 'POST',
    path: '/knowledge/uploads',
    operationId: 'createUpload',
    summary: 'Begin a resumable upload',
    description:
      'For large files or unreliable connections. Any tus client, such as tus-js-client, sends the file in pieces and resumes after an interruption. After the last byte the file becomes a document, like any other upload. An upload that receives nothing for a day expires.',
    permission: 'knowledge:write',
    audit: 'upload.create',
    replyHeaders,
    headers: CreationHeaders,
    streamedBody: { mediaType, isOptional: true, description: 'The first bytes of the file, if any.' },
    data: ResumableUpload,
    example: { ...resumableUploadExample, offset: 0 },
    success: [201],
    errors: [
      'already_exists',
      'document_in_progress',
      'concurrent_change',
      'upload_offset',
      'upload_busy',
      'storage_limit',
      'upload_limit',
      'checksum_mismatch',
      'precondition_failed',
    ],
    handle: async ({ caller, headers, bytes, checkCaller }) => {
      checkVersion(headers['Tus-Resumable'])
      const checksum = checksumOf(headers['Upload-Checksum'])
      let upload = await uploads.create(caller, headers['Upload-Length'], headers['Upload-Metadata'])
      const statedBytes = headers['Content-Length'] ?? null
      if (statedBytes !== 0) {
        const piece = { offset: 0, statedBytes, checksum, ifMatch: null, bytes, checkCaller }
        upload = await uploads.append(caller, upload.id, piece)
      }
      return created(presentUpload(upload), `/knowledge/uploads/${upload.id}`, stateOf(upload))
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/knowledge/uploads',
    operationId: 'listUploads',
    summary: 'List resumable uploads',
    description: 'Uploads in progress and those of the last day, newest first.',
    permission: 'knowledge:write',
    replyHeaders,
    list: { ...standardList, dates: ['created'] },
    data: Type.Array(ResumableUpload),
    example: [resumableUploadExample],
    handle: async ({ caller, page }) => {
      const { items, total } = await uploads.list(caller, page)
      return listed({ items: items.map(presentUpload), total }, page)
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/knowledge/uploads/:id',
    operationId: 'getUpload',
    summary: 'Get a resumable upload',
    description:
      'Returns the progress of the upload. `HEAD` returns only the headers: `Upload-Offset`, `Upload-Length`, `Upload-Metadata`, `Upload-Expires`, and `Atrium-Document-Id` once it is a document.',
    permission: 'knowledge:write',
    replyHeaders,
    headers: VersionHeaders,
    data: ResumableUpload,
    example: resumableUploadExample,
    errors: ['precondition_failed'],
    handle: async ({ caller, params, headers, isHead }) => {
      // The tus protocol uses HEAD and its version header. A GET of the record works without the header.
      if (isHead) checkVersion(headers['Tus-Resumable'])
      const upload = await uploads.get(caller, params.id)
      return ok(presentUpload(upload), {
        ...stateOf(upload),
        'upload-metadata': sentMetadataOf(upload),
        // The tus protocol demands this, since a cached offset would be wrong.
        'cache-control': 'no-store',
      })
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/knowledge/uploads/:id',
    operationId: 'appendToUpload',
    summary: 'Send bytes of a resumable upload',
    description:
      "Sends bytes starting at `Upload-Offset`, which must equal the upload's current offset (else 409). The reply to the last bytes comes once the document is created, and names it in `Location` and `Atrium-Document-Id`. A rejected file gets the same error code as in a normal upload. Bytes received before an interruption are kept.",
    permission: 'knowledge:write',
    audit: 'upload.append',
    replyHeaders,
    headers: AppendHeaders,
    streamedBody: { mediaType, isOptional: false, description: 'The bytes.' },
    success: [204],
    replyTexts: { 204: 'The bytes are stored; `Upload-Offset` says how far the upload has come.' },
    errors: [
      'already_exists',
      'document_in_progress',
      'concurrent_change',
      'upload_ended',
      'upload_offset',
      'upload_busy',
      'storage_limit',
      'checksum_mismatch',
      'precondition_failed',
    ],
    handle: async ({ caller, params, headers, bytes, checkCaller, ifMatch }) => {
      checkVersion(headers['Tus-Resumable'])
      const piece = {
        offset: headers['Upload-Offset'],
        statedBytes: headers['Content-Length'] ?? null,
        checksum: checksumOf(headers['Upload-Checksum']),
        ifMatch,
        bytes,
        checkCaller,
      }
      const upload = await uploads.append(caller, params.id, piece)
      const { documentId } = presentUpload(upload)
      const location = documentId === null ? {} : { location: `/api/v1/knowledge/documents/${documentId}` }
      return noContent({ ...stateOf(upload), ...location })
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/knowledge/uploads/:id',
    operationId: 'deleteUpload',
    summary: 'Give up a resumable upload',
    description: 'Deletes the upload and the bytes received. A document created from it stays.',
    permission: 'knowledge:write',
    audit: 'upload.delete',
    destructive: true,
    replyHeaders,
    headers: VersionHeaders,
    success: [204],
    errors: ['upload_busy', 'precondition_failed'],
    handle: async ({ caller, params, headers, ifMatch, dryRun }) => {
      // A missing upload is a 404 in any protocol. A dry run is not a request of the tus protocol.
      await uploads.get(caller, params.id)
      if (!dryRun) checkVersion(headers['Tus-Resumable'])
      const { id } = await uploads.remove(caller, params.id, { ifMatch, dryRun })
      return deletedRecord(dryRun, 'upload', id)
    },
  }),
]

/** A client of another version, or of none, gets the version of this server. */
function checkVersion(version: string | undefined): void {
  if (version === tusVersion) return
  const message = `Send the header Tus-Resumable: ${tusVersion}`
  throw new ServiceError('precondition_failed', message, {
    headers: { 'tus-version': tusVersion },
    errors: [{ field: 'Tus-Resumable', message }],
  })
}

function checksumOf(header: string | undefined): Piece['checksum'] {
  if (header === undefined) return null
  const [name, encoded = ''] = header.split(' ')
  const algorithm = checksumAlgorithms.find(known => known === name)
  if (algorithm === undefined) {
    throw invalidField('Upload-Checksum', `must name one of ${checksumAlgorithms.join(', ')}`)
  }
  return { algorithm, digest: Buffer.from(encoded, 'base64') }
}

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
      const { row, outcome } = await services.urlUpload(caller, url, fields, signal())
      const settled = await services.documents.settled(caller, row, patience())
      const document = presentDocument(settled)
      return outcome === 'created'
        ? created(document, `/knowledge/documents/${row.id}`, etagOf(settled))
        : ok(document, etagOf(settled))
    },
  }),
]
