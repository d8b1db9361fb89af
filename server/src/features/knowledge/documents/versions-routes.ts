/** Endpoints for the history of a document. */

import { accepted, created, defineRoute, listed, ok, type Route, standardList } from '../../../http/route.ts'
import { notFound } from '../../../platform/errors.ts'
import { Type } from '../../../platform/json-schema/type.ts'
import { etagOf } from '../../../platform/revision.ts'
import { Document, DocumentVersion, documentExample, documentVersionExample } from '../records/schemas.ts'
import { type DocumentService, presentDocument } from './documents-service.ts'
import type { VersionsService } from './versions-service.ts'

const versionText = { version: { description: 'The number of the version.', example: '1' } }

export const versionRoutes = (versions: VersionsService, documents: DocumentService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/knowledge/documents/:id/versions',
    operationId: 'listDocumentVersions',
    summary: "List a document's versions",
    description:
      'The latest version and the versions served before it, newest first. If there are more than `ATRIUM_DOCUMENT_VERSIONS`, the oldest are removed.',
    permission: 'knowledge:read',
    appliesFilter: true,
    list: { ...standardList, ranked: true },
    data: Type.Array(DocumentVersion),
    example: [documentVersionExample],
    handle: async ({ caller, params, page }) => listed(await versions.list(caller, params.id, page), page),
  }),
  defineRoute({
    method: 'GET',
    path: '/knowledge/documents/:id/versions/:version',
    operationId: 'getDocumentVersion',
    summary: "Get one of a document's versions",
    description:
      'Returns one version. To read its text and file, use `content` and `original` with `version`.',
    permission: 'knowledge:read',
    appliesFilter: true,
    pathTexts: versionText,
    data: DocumentVersion,
    example: documentVersionExample,
    handle: async ({ caller, params }) =>
      ok(await versions.get(caller, params.id, versionOf(params.version))),
  }),
  defineRoute({
    method: 'POST',
    path: '/knowledge/documents/:id/versions/:version/restore',
    operationId: 'restoreDocumentVersion',
    summary: 'Bring an earlier version back',
    description:
      'Creates a new version with the content of an earlier one (201). Search keeps returning the current version until the new one is `ready`. If the current version has the same content, nothing changes (200). `Prefer: wait=N` waits up to N seconds until it is `ready` or `failed`.',
    permission: 'knowledge:write',
    audit: 'document.restore_version',
    waits: true,
    pathTexts: versionText,
    data: Document,
    example: { ...documentExample, version: 3, servedVersion: 2, status: 'queued', progress: 0 },
    success: [200, 201],
    replyTexts: {
      200: 'The document, whose latest version already has this content.',
      201: 'The document with a new version.',
    },
    errors: ['precondition_failed', 'storage_limit', 'unsupported_media_type'],
    handle: async ({ caller, params, ifMatch, patience }) => {
      const restored = await versions.restore(caller, params.id, versionOf(params.version), ifMatch)
      const { outcome } = restored
      const row = await documents.settled(caller, restored.row, patience())
      const document = presentDocument(row)
      return outcome === 'unchanged'
        ? ok(document, etagOf(row))
        : created(document, `/knowledge/documents/${row.id}/versions/${row.version}`, etagOf(row))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/knowledge/documents/:id/reprocess',
    operationId: 'reprocessDocument',
    summary: 'Read a document again',
    description:
      'Creates a new version by reading the same file again, for example after an upgrade or after enabling text recognition. Search keeps returning the current version until the new one is `ready`. 409 while a version is being processed. `Prefer: wait=N` waits up to N seconds until it is `ready` or `failed`.',
    permission: 'knowledge:write',
    audit: 'document.reprocess',
    waits: true,
    data: Document,
    example: { ...documentExample, version: 2, servedVersion: 1, status: 'queued', progress: 0 },
    success: [202],
    errors: ['document_in_progress', 'precondition_failed', 'storage_limit', 'unsupported_media_type'],
    handle: async ({ caller, params, ifMatch, patience }) => {
      const queued = await versions.reprocess(caller, params.id, ifMatch)
      const row = await documents.settled(caller, queued, patience())
      return accepted(presentDocument(row), `/knowledge/documents/${row.id}`, etagOf(row))
    },
  }),
]

/** Throws the same 404 for text that is not a number as for an unknown version. */
function versionOf(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw notFound()
  return Number(text)
}
