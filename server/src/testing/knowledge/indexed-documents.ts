/** Documents for tests of search: written straight into the tables and the index, in steps that a test can choose. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { SearchResults } from '../../features/knowledge/search/find-passages.ts'
import {
  chunksPerSlice,
  createIndexWriter,
  type IndexWriter,
  prepareChunks,
} from '../../features/knowledge/search/index/index-writer.ts'
import { createSearch, type Search } from '../../features/knowledge/search/search.ts'
import { createFinderHere } from '../../features/knowledge/vectors/finder.ts'
import type { Scope } from '../../platform/caller.ts'
import type { Database } from '../../platform/database/database.ts'
import { insertWorkspace } from '../workspace.ts'

/** Ids are counted, so that they are the same in each run and on each database. */
export type Library = {
  writer: IndexWriter
  search: Search
  createScope(environment?: 'live' | 'test'): Promise<Scope>
  createCollection(scope: Scope): Promise<string>
  /** Writes a document with its chunks and makes it visible. */
  add(scope: Scope, document: TestDocument): Promise<AddedDocument>
  /** Writes another version of it, which search does not find yet; returns the ids of its chunks. */
  addVersion(document: AddedDocument, version: number, chunks: readonly TestChunk[]): Promise<string[]>
  /** Publishes the version, and removes all that it replaced. */
  publish(document: AddedDocument, version: number): Promise<void>
  /** Removes it from the index altogether. */
  remove(document: AddedDocument): Promise<void>
  find(scope: Scope, query: string, collectionIds?: string[]): Promise<SearchResults>
}

export type TestChunk = string | { text: string; headings?: string; page?: number }

export type TestDocument = {
  collectionId: string
  title?: string | undefined
  name?: string
  chunks: readonly TestChunk[]
}

export type AddedDocument = {
  id: string
  scope: Scope
  collectionId: string
  title: string | null
  name: string
  chunkIds: string[]
}

export function createLibrary(database: Database): Library {
  let count = 0
  const nextId = (prefix: string): string => `${prefix}_${String(++count).padStart(8, '0')}`
  const writer = createIndexWriter(database)
  // In the test's own thread: what is found is the same.
  const search = createSearch(createFinderHere(database))

  const addVersion: Library['addVersion'] = async (document, version, chunks) => {
    const { id, scope, collectionId } = document
    let offset = 0
    const rows = chunks.map((chunk, position) => {
      const { text, headings = '', page = null } = typeof chunk === 'string' ? { text: chunk } : chunk
      const start = offset
      offset += Array.from(text).length
      return {
        id: nextId('chk'),
        workspace_id: scope.workspaceId,
        environment: scope.environment,
        collection_id: collectionId,
        document_id: id,
        document_version: version,
        position,
        headings,
        text,
        gap: '',
        page,
        start_offset: start,
        end_offset: offset,
      }
    })
    const prepared = prepareChunks(document, rows)
    for (let start = 0; start < rows.length; start += chunksPerSlice) {
      const end = start + chunksPerSlice
      await database.write(async tx => {
        await tx.insertInto('chunks').values(rows.slice(start, end)).execute()
        await writer.writeChunks(scope, tx, { ...document, version }, prepared.slice(start, end))
      })
    }
    return rows.map(row => row.id)
  }

  const publish: Library['publish'] = async ({ id, scope }, version) => {
    let left = await database.write(tx => writer.publishVersion(scope, tx, id, version))
    while (left > 0) left = await database.write(tx => writer.removeReplaced(scope, tx, id, version))
  }

  return {
    writer,
    search,
    addVersion,
    publish,
    createScope: async (environment = 'live') => ({
      workspaceId: await insertWorkspace(database),
      environment,
    }),
    createCollection: async scope => {
      const id = nextId('col')
      await database.write(tx => tx.insertInto('collections').values(collectionRow(scope, id)).execute())
      return id
    },
    add: async (scope, { collectionId, title = null, name = 'document.txt', chunks }) => {
      const document = { id: nextId('doc'), scope, collectionId, title, name }
      await database.write(tx => tx.insertInto('documents').values(documentRow(document)).execute())
      const chunkIds = await addVersion({ ...document, chunkIds: [] }, 1, chunks)
      await publish({ ...document, chunkIds }, 1)
      return { ...document, chunkIds }
    },
    remove: async ({ id, scope }) => {
      let left = Number.POSITIVE_INFINITY
      while (left > 0) left = await database.write(tx => writer.removeDocument(scope, tx, id))
    },
    find: (scope, query, collectionIds) =>
      search(scope, withoutUndefined({ query, limit: 1_000, collectionIds })),
  }
}

const collectionRow = ({ workspaceId, environment }: Scope, id: string) => ({
  id,
  workspace_id: workspaceId,
  environment,
  name: id,
  description: null,
  document_count: 0,
  chunk_count: 0,
  size_bytes: 0,
  deleted_at: null,
  erase_at: null,
  created_at: 0,
  updated_at: 0,
  revision: 1,
})

const documentRow = ({ id, scope, collectionId, title, name }: Omit<AddedDocument, 'chunkIds'>) => ({
  id,
  workspace_id: scope.workspaceId,
  environment: scope.environment,
  collection_id: collectionId,
  external_id: null,
  name,
  title,
  given_title: null,
  media_type: 'text/plain',
  size_bytes: 0,
  sha256: '',
  version: 1,
  served_version: 1,
  status: 'ready' as const,
  progress: 1,
  error_code: null,
  error_message: null,
  metadata: '{}',
  blob_id: '',
  text_length: 0,
  page_count: null,
  chunk_count: 0,
  deleted_at: null,
  created_at: 0,
  updated_at: 0,
  revision: 1,
})
