/** Endpoints that try failed documents again. */

import { accepted, defineRoute, preview, type Route } from '../../../http/route.ts'
import { Type } from '../../../platform/json-schema/type.ts'
import { etagOf } from '../../../platform/revision.ts'
import { idOf, stringEnum } from '../../../platform/schemas.ts'
import { type DocumentFailureCode, documentFailures } from '../records/ingest-failures.ts'
import { Document, documentExample } from '../records/schemas.ts'
import { type DocumentService, presentDocument } from './documents-service.ts'
import type { RetryService } from './retry-service.ts'

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
      'Retries every `failed` document that the key can access, or those of one collection or with certain error codes, in the background. Documents that fail later are not included. `dryRun` returns how many documents would be retried.',
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
