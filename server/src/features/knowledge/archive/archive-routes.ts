/** Endpoints for archives of collections. */
import { accepted, defineRoute, file as fileReply, ok, type Route } from '../../../http/route.ts'
import {
  type ArchiveService,
  CollectionImport,
  ImportFields,
  importExample,
  presentImport,
} from './archives-service.ts'

export const archiveRoutes = (archives: ArchiveService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/knowledge/collections/:id/export',
    operationId: 'exportCollection',
    summary: 'Export a collection',
    description:
      'Returns one archive (`.tar.gz`) with all documents: versions, metadata, text, vectors and original files. `POST /knowledge/imports` creates a collection with the same search results from it, on this server or another. Documents in the trash are not included. A truncated archive has no end marker, so the import refuses it.',
    permission: 'knowledge:read',
    answersFile: true,
    fileTypes: ['application/gzip', 'application/octet-stream'],
    replyTexts: { 200: 'The archive of the collection.' },
    errors: ['limit_reached'],
    handle: async ({ caller, params }) => {
      const { row, stream } = await archives.export(caller, params.id)
      return fileReply(stream, {
        'content-type': 'application/gzip',
        'content-disposition': `attachment; filename="${row.id}.tar.gz"`,
      })
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/knowledge/imports',
    operationId: 'importCollection',
    summary: 'Import a collection',
    description:
      'Creates a collection from an archive, sent as multipart/form-data. The collection appears only when it is complete, and a failed import leaves nothing. Documents get new ids and keep their external ids. `Prefer: wait=N` waits up to N seconds for the end.',
    permission: 'knowledge:write',
    audit: 'collection.import',
    waits: true,
    upload: { file: 'file', fields: ImportFields, jsonFields: [], example: { name: 'Handbook' } },
    data: CollectionImport,
    example: { ...importExample, status: 'queued', progress: 0, collectionId: null, finishedAt: null },
    success: [202],
    errors: ['limit_reached'],
    handle: async ({ caller, upload, patience }) => {
      const row = await archives.import(caller, upload.fields, upload.file, patience())
      return accepted(presentImport(row), `/knowledge/imports/${row.id}`)
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/knowledge/imports/:id',
    operationId: 'getImport',
    summary: 'Get an import',
    description:
      'Returns the progress and result of the import. `Prefer: wait=N` waits up to N seconds for its end.',
    permission: 'knowledge:read',
    waits: true,
    data: CollectionImport,
    example: importExample,
    handle: async ({ caller, params, patience }) =>
      ok(presentImport(await archives.get(caller, params.id, patience()))),
  }),
]
