/** Endpoints for files, each of which is a document. */
import { bareJson, defineRoute, type Route, storedFile } from '../../http/route.ts'
import { Type } from '../../platform/json-schema/type.ts'
import { idOf, stringEnum } from '../../platform/schemas.ts'
import { about, listQuery, sliceAsked } from './about-routes.ts'
import { listOf, presentFile } from './store-reply.ts'
import type { StoredFiles } from './stored-files.ts'

const UploadFields = Type.Object(
  {
    purpose: Type.Optional(
      stringEnum(['assistants', 'user_data', 'vision', 'evals'], { description: 'Is the same for all.' }),
    ),
    vector_store_id: Type.Optional(idOf('collection', { description: 'The store to put it into at once.' })),
  },
  { additionalProperties: false },
)

export const fileRoutes = (stored: StoredFiles): Route[] => [
  defineRoute({
    ...about,
    method: 'GET',
    path: '/files',
    operationId: 'listOpenAiFiles',
    summary: 'List the documents as files',
    description: 'The latest first.',
    permission: 'knowledge:read',
    appliesFilter: true,
    query: listQuery,
    handle: async ({ caller, query }) => {
      const { rows, hasMore } = await stored.listFiles(caller, sliceAsked(query))
      return bareJson(listOf(rows.map(presentFile), hasMore))
    },
  }),
  defineRoute({
    ...about,
    method: 'POST',
    path: '/files',
    operationId: 'createOpenAiFile',
    summary: 'Upload a file',
    description: 'It becomes a document.',
    permission: 'knowledge:write',
    audit: 'document.create',
    upload: { file: 'file', fields: UploadFields, jsonFields: [], example: { purpose: 'assistants' } },
    handle: async ({ caller, upload }) => {
      const storeId = upload.fields.vector_store_id
      return bareJson(presentFile(await stored.createFile(caller, { storeId }, upload.file)))
    },
  }),
  defineRoute({
    ...about,
    method: 'GET',
    path: '/files/:id',
    operationId: 'getOpenAiFile',
    summary: 'Get a file',
    description: 'With its status.',
    permission: 'knowledge:read',
    appliesFilter: true,
    handle: async ({ caller, params }) => bareJson(presentFile(await stored.file(caller, params.id))),
  }),
  defineRoute({
    ...about,
    method: 'GET',
    path: '/files/:id/content',
    operationId: 'getOpenAiFileContent',
    summary: 'Download a file',
    description: 'As it was uploaded.',
    permission: 'knowledge:read',
    appliesFilter: true,
    answersFile: true,
    handle: async ({ caller, params }) => {
      const { sizeBytes, sha256, mediaType, open } = await stored.original(caller, params.id)
      // A page that someone uploaded is not shown as one of this server's.
      const headers = { 'content-type': mediaType, 'content-disposition': 'attachment' }
      return storedFile({ sizeBytes, sha256, headers, open })
    },
  }),
  defineRoute({
    ...about,
    method: 'DELETE',
    path: '/files/:id',
    operationId: 'deleteOpenAiFile',
    summary: 'Delete a file',
    description: 'From every vector store too.',
    permission: 'knowledge:write',
    audit: 'document.delete',
    handle: async ({ caller, params }) => {
      await stored.removeFile(caller, params.id)
      return bareJson({ id: params.id, object: 'file', deleted: true })
    },
  }),
]
