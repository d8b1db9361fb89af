/** Endpoints for a document by the id that it has in the system that it comes from. */

import { created, defineRoute, noContent, ok, preview, type Route } from '../../../http/route.ts'
import { Type } from '../../../platform/json-schema/type.ts'
import { etagOf } from '../../../platform/revision.ts'
import { stringEnum } from '../../../platform/schemas.ts'
import { Document, documentExample, UpsertFields } from '../records/schemas.ts'
import { eraseParameter } from './documents-routes.ts'
import { type DocumentService, presentDocument } from './documents-service.ts'
import type { TrashService } from './trash-service.ts'

const path = '/knowledge/collections/:id/documents/:externalId'

const pathTexts = {
  externalId: {
    description:
      "The document's id in the system that it comes from: any text of up to 500 characters, percent-encoded (a slash is `%2F`).",
    example: 'wiki/4711',
  },
}

const noPatience = () => ({ waitMs: 0, signal: AbortSignal.abort() })

export const externalDocumentRoutes = (documents: DocumentService, trash: TrashService): Route[] => [
  defineRoute({
    method: 'PUT',
    path,
    operationId: 'putDocument',
    tag: 'knowledge',
    summary: 'Create or update a document by its external id',
    description:
      'Makes the document what it is sent as. Unchanged content (by SHA-256) is left alone and answered with 200, though a title, metadata and file name that are sent take effect. Changed content becomes a new version (200): the present one is found until the new one is `ready`, then both change places at once. A document that is not there yet is made (201).',
    permission: 'knowledge:write',
    audit: 'document.put',
    pathTexts,
    waits: true,
    headers: Type.Object({
      'If-None-Match': Type.Optional(
        stringEnum(['*'], { description: 'The call fails with 412 where the document is there already.' }),
      ),
    }),
    upload: { file: 'file', fields: UpsertFields, jsonFields: ['metadata'] },
    data: Document,
    example: { ...documentExample, version: 2, servedVersion: 1, status: 'queued', progress: 0 },
    success: [200, 201],
    errors: ['conflict', 'precondition_failed', 'storage_limit'],
    handle: async ({ caller, params, upload, headers, patience, ifMatch }) => {
      const ifNoneMatch = headers['If-None-Match'] !== undefined
      const target = { collectionId: params.id, externalId: params.externalId }
      const options = { ifMatch, ifNoneMatch, ...patience() }
      const { row, outcome } = await documents.put(caller, target, upload.fields, upload.file, options)
      const document = presentDocument(row)
      return outcome === 'created'
        ? created(document, `/knowledge/documents/${row.id}`, etagOf(row))
        : ok(document, etagOf(row))
    },
  }),
  defineRoute({
    method: 'GET',
    path,
    operationId: 'getDocumentByExternalId',
    tag: 'knowledge',
    summary: 'Get a document by its external id',
    description: '`Prefer: wait=N` answers once it is `ready` or `failed`, or after N seconds.',
    permission: 'knowledge:read',
    pathTexts,
    waits: true,
    data: Document,
    example: documentExample,
    success: [200],
    errors: [],
    handle: async ({ caller, params, patience }) => {
      const target = { collectionId: params.id, externalId: params.externalId }
      const row = await documents.getByExternalId(caller, target, patience())
      return ok(presentDocument(row), etagOf(row))
    },
  }),
  defineRoute({
    method: 'DELETE',
    path,
    operationId: 'deleteDocumentByExternalId',
    tag: 'knowledge',
    summary: 'Delete a document by its external id',
    description:
      'As the deletion by its id: into the trash, where it can be restored, or with `erase=true` at once and for good.',
    permission: 'knowledge:write',
    audit: 'document.delete',
    pathTexts,
    destructive: true,
    query: eraseParameter,
    success: [204],
    errors: ['precondition_failed'],
    handle: async ({ caller, params, query, ifMatch, dryRun }) => {
      const target = { collectionId: params.id, externalId: params.externalId }
      const { id } = await documents.getByExternalId(caller, target, noPatience())
      await trash.remove(caller, id, { ifMatch, dryRun, erase: query.erase === true })
      return dryRun
        ? preview([{ effect: 'deleted', resource: 'document', count: 1, ids: [id] }])
        : noContent()
    },
  }),
]
