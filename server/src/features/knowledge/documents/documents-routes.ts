/** Endpoints for documents, and for retries of failed documents. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import {
  accepted,
  created,
  createdRecord,
  defineRoute,
  deletedRecord,
  listed,
  ok,
  okRecord,
  preview,
  type Reply,
  type Route,
  standardList,
  storedFile,
} from '../../../http/route.ts'
import { safeName } from '../../../platform/blobs/file-name.ts'
import { Type } from '../../../platform/json-schema/type.ts'
import { etagOf } from '../../../platform/revision.ts'
import { exampleId, idOf, stringEnum } from '../../../platform/schemas.ts'
import { filterParameter, parseFilterText } from '../filter/filter.ts'
import { type DocumentFailureCode, documentFailures } from '../records/document-outbox.ts'
import {
  Chunk,
  chunkExample,
  Document,
  DocumentContent,
  DocumentPatch,
  documentExample,
  documentStatuses,
  TextUpload,
  TextUpsert,
  textExample,
  UploadFields,
  UpsertFields,
} from '../records/schemas.ts'
import { type DocumentService, presentDocument } from './documents-service.ts'
import type { RetryService } from './retry-service.ts'
import { tableRoutes } from './tables/tables-routes.ts'
import type { TrashService } from './trash-service.ts'

/** For every deletion that otherwise moves something to the trash. */
export const eraseParameter = Type.Object({
  erase: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Permanently erases it with all its text, versions, files, and quotes inside runs. Works for items in the trash too.',
    }),
  ),
})

const versionParameter = (text: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 999_999_999, description: text }))

export const documentRoutes = (documents: DocumentService, trash: TrashService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/knowledge/documents',
    operationId: 'listDocuments',
    summary: 'List documents',
    description: 'Documents that the key can access, newest first.',
    permission: 'knowledge:read',
    appliesFilter: true,
    query: Type.Object({
      collectionId: Type.Optional(idOf('collection', { description: 'Only documents of this collection.' })),
      status: Type.Optional(stringEnum(documentStatuses, { description: 'Only documents in this status.' })),
      externalId: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 500,
          description: 'Only the document with this external id.',
        }),
      ),
      filter: Type.Optional(filterParameter),
    }),
    list: { ...standardList, sorts: ['createdAt', 'updatedAt'], dates: ['created', 'updated'] },
    data: Type.Array(Document),
    example: [documentExample],
    handle: async ({ caller, query: { filter, ...query }, page }) => {
      const matching = filter === undefined ? {} : { matching: parseFilterText(filter) }
      const rows = await documents.list(caller, { ...query, ...matching }, page)
      return listed(rows, page, presentDocument)
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/knowledge/documents',
    operationId: 'uploadDocument',
    summary: 'Upload a document',
    description:
      'Sends one file as multipart/form-data. The request succeeds once the file is safely stored. The server then reads and indexes it; search finds the document once its status is `ready`. `Prefer: wait=N` waits up to N seconds for that.',
    permission: 'knowledge:write',
    audit: 'document.create',
    waits: true,
    upload: {
      file: 'file',
      fields: UploadFields,
      jsonFields: ['metadata'],
      example: {
        collectionId: exampleId('collection'),
        externalId: 'wiki/4711',
        title: 'Leave and holidays',
        metadata: { department: 'support', year: 2026 },
      },
      asJson: { body: TextUpload, below: '/from-text' },
    },
    data: Document,
    example: { ...documentExample, status: 'queued', progress: 0, chunkCount: 0 },
    success: [201],
    errors: ['already_exists', 'storage_limit'],
    handle: async ({ caller, upload, patience }) =>
      createdRecord(
        await documents.create(caller, upload.fields, upload.file, patience()),
        presentDocument,
        '/knowledge/documents',
      ),
  }),
  defineRoute({
    method: 'POST',
    path: '/knowledge/documents/from-text',
    operationId: 'uploadDocumentFromText',
    summary: 'Upload a text',
    description:
      'Stores a text as a document. The server then indexes it; search finds the document once its status is `ready`. `Prefer: wait=N` waits up to N seconds for that.',
    permission: 'knowledge:write',
    audit: 'document.create',
    waits: true,
    storesText: true,
    body: TextUpload,
    bodyExample: { collectionId: documentExample.collectionId, ...textExample },
    data: Document,
    example: { ...documentExample, status: 'queued', progress: 0, chunkCount: 0 },
    success: [201],
    errors: ['already_exists', 'storage_limit'],
    handle: async ({ caller, body, upload, patience }) => {
      const { text: _text, name: _name, ...fields } = body
      const row = await documents.create(caller, fields, upload.file, patience())
      return createdRecord(row, presentDocument, '/knowledge/documents')
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/knowledge/documents/:id',
    operationId: 'getDocument',
    summary: 'Get a document',
    description:
      'Returns one document with its status. `Prefer: wait=N` waits up to N seconds until it is `ready` or `failed`.',
    permission: 'knowledge:read',
    appliesFilter: true,
    waits: true,
    data: Document,
    example: documentExample,
    handle: async ({ caller, params, patience }) =>
      okRecord(await documents.get(caller, params.id, patience()), presentDocument),
  }),
  defineRoute({
    method: 'GET',
    path: '/knowledge/documents/:id/content',
    operationId: 'getDocumentContent',
    summary: "Read a document's text",
    description:
      'Returns the extracted text. Offsets are in Unicode code points, as in search results and citations. At most 100,000 code points per request.',
    permission: 'knowledge:read',
    appliesFilter: true,
    query: Type.Object({
      from: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 1e9,
          default: 0,
          description: 'Offset of the first code point.',
        }),
      ),
      to: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 1e9, description: 'Offset after the last code point.' }),
      ),
      version: versionParameter('Version to read; by default the one that search finds.'),
    }),
    data: DocumentContent,
    example: {
      documentId: documentExample.id,
      version: 1,
      startOffset: 210,
      endOffset: 253,
      length: 4_100,
      text: 'Everybody has 28 days of paid leave a year.',
    },
    replyTexts: { 200: 'The text of the document, or the piece that was asked for.' },
    errors: ['version_without_text'],
    handle: async ({ caller, params, query }) =>
      ok(
        await documents.content(
          caller,
          params.id,
          withoutUndefined({
            from: query.from ?? 0,
            to: query.to,
            version: query.version,
          }),
        ),
      ),
  }),
  defineRoute({
    method: 'GET',
    path: '/knowledge/documents/:id/chunks',
    operationId: 'listDocumentChunks',
    summary: "List a document's chunks",
    description:
      'The passages that search finds, in the order of the text. White space between two chunks belongs to neither. Once another version is served, `after` no longer names a chunk of the list; `version` stays with one.',
    permission: 'knowledge:read',
    appliesFilter: true,
    query: Type.Object({
      version: versionParameter('Version to read; by default the one that search finds.'),
    }),
    list: standardList,
    data: Type.Array(Chunk),
    example: [chunkExample],
    errors: ['version_without_text'],
    handle: async ({ caller, params, query, page }) =>
      listed(await documents.chunks(caller, params.id, query.version, page), page),
  }),
  defineRoute({
    method: 'GET',
    path: '/knowledge/documents/:id/original',
    operationId: 'getDocumentOriginal',
    summary: 'Download the original file',
    description:
      'Returns the uploaded file, byte for byte. `Range` asks for one part of it, for example to continue a download; with `If-Range`, the part comes only if the file is still the same, otherwise the whole file. Several ranges in one request get the whole file.',
    permission: 'knowledge:read',
    appliesFilter: true,
    answersFile: true,
    query: Type.Object({
      version: versionParameter('Version of the file; by default the latest.'),
    }),
    replyTexts: { 200: 'The file as it was uploaded.' },
    errors: ['precondition_failed', 'range_not_satisfiable'],
    handle: async ({ caller, params, query }) => {
      const { sizeBytes, sha256, mediaType, name, open } = await documents.original(
        caller,
        params.id,
        query.version,
      )
      const headers = { 'content-type': mediaType, 'content-disposition': attachment(name) }
      return storedFile({ sizeBytes, sha256, headers, open })
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/knowledge/documents/:id',
    operationId: 'updateDocument',
    summary: "Change a document's title or metadata",
    description:
      'Changes the title, metadata or external id at once, without a new version. Search finds a new title a moment later.',
    permission: 'knowledge:write',
    audit: 'document.update',
    body: DocumentPatch,
    bodyExample: { title: 'Leave and holidays 2027', metadata: { department: 'people', year: 2027 } },
    data: Document,
    example: documentExample,
    errors: ['already_exists', 'precondition_failed'],
    handle: async ({ caller, params, body, ifMatch }) =>
      okRecord(await documents.update(caller, params.id, body, ifMatch), presentDocument),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/knowledge/documents/:id',
    operationId: 'deleteDocument',
    summary: 'Delete a document',
    description:
      'As soon as the request succeeds, the document is neither listed nor found. It stays in the trash for 30 days (`ATRIUM_TRASH_DAYS`) and can be restored. With `erase=true` it is permanently erased in the background instead.',
    permission: 'knowledge:write',
    audit: 'document.delete',
    destructive: true,
    query: eraseParameter,
    success: [204],
    errors: ['precondition_failed'],
    handle: async ({ caller, params, query, ifMatch, dryRun }) => {
      const row = await trash.remove(caller, params.id, { ifMatch, dryRun, erase: query.erase === true })
      return deletedRecord(dryRun, 'document', row.id)
    },
  }),
  ...tableRoutes(documents),
]

/** The path by external id: the document's id in its source system. */
const externalPath = '/knowledge/collections/:id/documents/:externalId'

const pathTexts = {
  externalId: {
    description:
      "The document's id in the source system: any text of up to 500 characters but `.` and `..`, percent-encoded (a slash is `%2F`).",
    example: 'wiki/4711',
  },
}

const createOnly = Type.Object({
  'If-None-Match': Type.Optional(stringEnum(['*'], { description: '412 if the document already exists.' })),
})

const targetOf = ({ id, externalId }: { id: string; externalId: string }) => ({
  collectionId: id,
  externalId,
})

function answerPut({ row, outcome }: Awaited<ReturnType<DocumentService['put']>>): Reply<Document> {
  const document = presentDocument(row)
  return outcome === 'created'
    ? created(document, `/knowledge/documents/${row.id}`, etagOf(row))
    : ok(document, etagOf(row))
}

const noPatience = () => ({ waitMs: 0, signal: AbortSignal.abort() })

export const externalDocumentRoutes = (documents: DocumentService, trash: TrashService): Route[] => [
  defineRoute({
    method: 'PUT',
    path: externalPath,
    operationId: 'putDocument',
    summary: 'Create or update a document by its external id',
    description:
      'Creates or updates the document with this external id from a file, sent as multipart/form-data. If the content is new, the document is created (201). If the content is unchanged (by SHA-256), no version is created (200), but the title, metadata and file name that you send are applied. If the content has changed, a new version is created (200). Search keeps returning the old version until the new one is `ready`.',
    permission: 'knowledge:write',
    audit: 'document.put',
    pathTexts,
    waits: true,
    headers: createOnly,
    upload: {
      file: 'file',
      fields: UpsertFields,
      jsonFields: ['metadata'],
      example: { title: 'Leave and holidays', metadata: { department: 'support', year: 2026 } },
      asJson: { body: TextUpsert, below: '/text' },
    },
    data: Document,
    example: { ...documentExample, version: 2, servedVersion: 1, status: 'queued', progress: 0 },
    success: [200, 201],
    errors: ['document_in_progress', 'concurrent_change', 'precondition_failed', 'storage_limit'],
    handle: async ({ caller, params, upload, headers, patience, ifMatch }) => {
      const options = { ifMatch, ifNoneMatch: headers['If-None-Match'] !== undefined, ...patience() }
      return answerPut(await documents.put(caller, targetOf(params), upload.fields, upload.file, options))
    },
  }),
  defineRoute({
    method: 'PUT',
    path: `${externalPath}/text`,
    operationId: 'putDocumentText',
    summary: 'Create or update a document by its external id from a text',
    description:
      'Creates (201) or updates (200) the document with this external id from a text. As with a file, unchanged content makes no new version, and search keeps returning the old version until the new one is `ready`.',
    permission: 'knowledge:write',
    audit: 'document.put',
    pathTexts,
    waits: true,
    headers: createOnly,
    storesText: true,
    body: TextUpsert,
    bodyExample: textExample,
    data: Document,
    example: { ...documentExample, version: 2, servedVersion: 1, status: 'queued', progress: 0 },
    success: [200, 201],
    errors: ['document_in_progress', 'concurrent_change', 'precondition_failed', 'storage_limit'],
    handle: async ({ caller, params, body, upload, headers, patience, ifMatch }) => {
      const { text: _text, name: _name, ...fields } = body
      const options = { ifMatch, ifNoneMatch: headers['If-None-Match'] !== undefined, ...patience() }
      return answerPut(await documents.put(caller, targetOf(params), fields, upload.file, options))
    },
  }),
  defineRoute({
    method: 'GET',
    path: externalPath,
    operationId: 'getDocumentByExternalId',
    summary: 'Get a document by its external id',
    description:
      'Returns one document with its status. `Prefer: wait=N` waits up to N seconds until it is `ready` or `failed`.',
    permission: 'knowledge:read',
    appliesFilter: true,
    pathTexts,
    waits: true,
    data: Document,
    example: documentExample,
    handle: async ({ caller, params, patience }) => {
      const target = targetOf(params)
      const row = await documents.getByExternalId(caller, target, patience())
      return okRecord(row, presentDocument)
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: externalPath,
    operationId: 'updateDocumentByExternalId',
    summary: "Change a document's title or metadata by its external id",
    description:
      'Works like a change by id: the title, metadata or external id at once, without a new version. Search finds a new title a moment later.',
    permission: 'knowledge:write',
    audit: 'document.update',
    pathTexts,
    body: DocumentPatch,
    bodyExample: { title: 'Leave and holidays 2027', metadata: { department: 'people', year: 2027 } },
    data: Document,
    example: documentExample,
    errors: ['already_exists', 'precondition_failed'],
    handle: async ({ caller, params, body, ifMatch }) => {
      const target = targetOf(params)
      const { id } = await documents.getByExternalId(caller, target, noPatience())
      const row = await documents.update(caller, id, body, ifMatch)
      return okRecord(row, presentDocument)
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: externalPath,
    operationId: 'deleteDocumentByExternalId',
    summary: 'Delete a document by its external id',
    description:
      'Works like deletion by id: moves the document to the trash, where it can be restored, or permanently erases it with `erase=true`.',
    permission: 'knowledge:write',
    audit: 'document.delete',
    pathTexts,
    destructive: true,
    query: eraseParameter,
    success: [204],
    errors: ['precondition_failed'],
    handle: async ({ caller, params, query, ifMatch, dryRun }) => {
      const target = targetOf(params)
      const { id } = await documents.getByExternalId(caller, target, noPatience())
      await trash.remove(caller, id, { ifMatch, dryRun, erase: query.erase === true })
      return deletedRecord(dryRun, 'document', id)
    },
  }),
]

/** RFC 6266 with the extended name of RFC 8187: a plain name for old clients, the exact name for all others. */
function attachment(path: string): string {
  // Older rows have names that were stored as they were sent.
  const name = safeName(path)
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

const failureCodes = Object.keys(documentFailures) as DocumentFailureCode[]

const RetryRequest = Type.Closed('RetryRequest', {
  collectionId: Type.Optional(idOf('collection', { description: 'Only documents of this collection.' })),
  errorCodes: Type.Optional(
    Type.Array(stringEnum(failureCodes), {
      minItems: 1,
      maxItems: failureCodes.length,
      uniqueItems: true,
      description: 'Only documents that failed with one of these codes.',
    }),
  ),
})

const RetryResult = Type.Closed('RetryResult', {
  documentCount: Type.Integer({ description: 'Number of documents queued again.' }),
})

export const retryRoutes = (retries: RetryService, documents: DocumentService): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/knowledge/documents/:id/retry',
    operationId: 'retryDocument',
    summary: 'Try a failed document again',
    description:
      'Reads and indexes the stored file of a `failed` document again. A document in any other status is a 409. `Prefer: wait=N` waits up to N seconds until it is `ready` or `failed`.',
    permission: 'knowledge:write',
    audit: 'document.retry',
    waits: true,
    data: Document,
    example: { ...documentExample, status: 'queued', progress: 0, chunkCount: 0 },
    success: [202],
    errors: ['document_not_failed'],
    handle: async ({ caller, params, patience }) => {
      const queued = await retries.retry(caller, params.id)
      const row = await documents.settled(caller, queued, patience())
      return accepted(presentDocument(row), `/knowledge/documents/${row.id}`, etagOf(row))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/knowledge/documents/retry',
    operationId: 'retryDocuments',
    summary: 'Try all failed documents again',
    description:
      'Retries every `failed` document that the key can access, or those of one collection or with certain error codes, in the background. Documents that are added later are not included. `dryRun` returns how many documents would be retried.',
    permission: 'knowledge:write',
    audit: 'document.retry_all',
    destructive: true,
    body: RetryRequest,
    bodyExample: { errorCodes: ['parsing_timeout', 'processing_failed'] },
    data: RetryResult,
    example: { documentCount: 12 },
    success: [202],
    replyTexts: { 202: 'How many documents are queued again.' },
    handle: async ({ caller, body, dryRun }) => {
      const { count: documentCount, ids } = await retries.retryAll(caller, body, { dryRun })
      return dryRun
        ? preview([{ effect: 'queued', resource: 'document', count: documentCount, ids }])
        : accepted({ documentCount }, '/knowledge/documents?status=queued')
    },
  }),
]
