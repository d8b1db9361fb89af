/** Collections: made, renamed, and erased with everything in them. */
import type { Caller } from '../../platform/caller.ts'
import { type Clock, toTimestamp } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Page, PageRequest } from '../../platform/database/page.ts'
import { notFound, ServiceError } from '../../platform/errors.ts'
import type { NewId } from '../../platform/ids.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { checkRevision } from '../../platform/revision.ts'
import type { AuditService } from '../audit/service.ts'
import {
  type CollectionRow,
  existingCollectionIds,
  findCollection,
  insertCollection,
  listCollections,
  lockCollection,
  sumSizeBytes,
  updateCollection,
} from './collections-store.ts'
import { eraseCollectionJob } from './erase.ts'
import type { Collection, CollectionChange, NewCollection } from './schemas.ts'
import type { IndexWriter } from './search/index-writer.ts'

export type CollectionService = {
  list(caller: Caller, page: PageRequest): Promise<Page<CollectionRow>>
  get(caller: Caller, id: string): Promise<CollectionRow>
  create(caller: Caller, wanted: NewCollection): Promise<CollectionRow>
  update(caller: Caller, id: string, change: CollectionChange, ifMatch: string | null): Promise<CollectionRow>
  /** From the reply on it is not there, nor are its documents; a job erases them. Answers what it held. */
  remove(
    caller: Caller,
    id: string,
    options: { ifMatch: string | null; dryRun: boolean },
  ): Promise<CollectionRow>
  /** Bytes of all original files in the environment. */
  storedBytes(scope: Caller['scope']): Promise<number>
  /** Those of the ids that do not exist for the scope. */
  missing(scope: Caller['scope'], ids: readonly string[]): Promise<string[]>
}

export function createCollectionService(dependencies: {
  database: Database
  index: IndexWriter
  jobs: Jobs
  audit: AuditService
  clock: Clock
  newId: NewId
}): CollectionService {
  const { database, index, jobs, audit, clock, newId } = dependencies
  return {
    list: (caller, page) => listCollections(caller.scope, database.read, page),
    get: async (caller, id) => found(await findCollection(caller.scope, database.read, id)),

    async create(caller, { name, description = null }) {
      const { workspaceId, environment, collectionIds } = caller.scope
      if (collectionIds !== undefined) {
        throw new ServiceError(
          'permission_missing',
          'A key that is narrowed to collections cannot make new ones',
        )
      }
      const now = clock()
      const row: CollectionRow = {
        id: newId('collection'),
        workspace_id: workspaceId,
        environment,
        name,
        description,
        document_count: 0,
        chunk_count: 0,
        size_bytes: 0,
        deleted_at: null,
        created_at: now,
        updated_at: now,
        revision: 1,
      }
      await database.write(async tx => {
        await insertCollection(caller.scope, tx, row)
        await audit.record(tx, caller, {
          action: 'collection.create',
          resourceId: row.id,
          details: { name },
        })
      })
      return row
    },

    update: (caller, id, change, ifMatch) =>
      database.write(async tx => {
        const row = found(await lockCollection(caller.scope, tx, database.engine, id))
        checkRevision(ifMatch, row)
        await updateCollection(caller.scope, tx, row, { ...change, updated_at: clock() })
        await audit.record(tx, caller, {
          action: 'collection.update',
          resourceId: id,
          details: { ...change },
        })
        return found(await findCollection(caller.scope, tx, id))
      }),

    remove: (caller, id, { ifMatch, dryRun }) =>
      database.write(async tx => {
        const row = found(await lockCollection(caller.scope, tx, database.engine, id))
        checkRevision(ifMatch, row)
        if (dryRun) return row
        await updateCollection(caller.scope, tx, row, { deleted_at: clock() })
        await index.hideCollection(caller.scope, tx, id)
        await jobs.enqueue(tx, eraseCollectionJob(caller.scope, id))
        await audit.record(tx, caller, {
          action: 'collection.delete',
          resourceId: id,
          details: { name: row.name, documents: row.document_count },
        })
        return row
      }),

    storedBytes: scope => sumSizeBytes(scope, database.read),

    async missing(scope, ids) {
      const existing = await existingCollectionIds(scope, database.read, ids)
      return ids.filter(id => !existing.has(id))
    },
  }
}

export const presentCollection = (row: CollectionRow): Collection => ({
  id: row.id,
  name: row.name,
  description: row.description,
  documentCount: row.document_count,
  chunkCount: row.chunk_count,
  sizeBytes: row.size_bytes,
  embedding: null,
  createdAt: toTimestamp(row.created_at),
  updatedAt: toTimestamp(row.updated_at),
})

function found(row: CollectionRow | undefined): CollectionRow {
  if (row === undefined) throw notFound()
  return row
}
