/** Collections: made, listed, renamed. */
import type { Caller, Scope } from '../../../platform/caller.ts'
import { type Clock, toTimestamp } from '../../../platform/clock.ts'
import type { Database, Query, Tx } from '../../../platform/database/database.ts'
import type { Page, PageRequest } from '../../../platform/database/page.ts'
import { notFound, ServiceError } from '../../../platform/errors.ts'
import type { NewId } from '../../../platform/ids.ts'
import type { Embeddings } from '../../../platform/models/embedding/embeddings.ts'
import { checkRevision } from '../../../platform/revision.ts'
import type { AuditService } from '../../audit/service.ts'
import { type AccessService, accessChange, type TeamsOf } from '../../workspaces/teams/access-service.ts'
import {
  type CollectionRow,
  existingCollectionIds,
  findCollection,
  insertCollection,
  listCollections,
  lockCollection,
  updateCollection,
} from '../records/collections-store.ts'
import type { Collection, CollectionChange, NewCollection } from '../records/schemas.ts'
import { type CollectionVectors, describeCollections } from '../vectors/collection-vectors-store.ts'

export type CollectionService = {
  list(caller: Caller, page: PageRequest): Promise<Page<CollectionRow>>
  get(caller: Caller, id: string): Promise<CollectionRow>
  /** As it goes over the wire. */
  present(caller: Caller, row: CollectionRow): Promise<Collection>
  presentAll(caller: Caller, rows: readonly CollectionRow[]): Promise<Collection[]>
  /** `also` belongs to the same transaction. */
  create(
    caller: Caller,
    wanted: NewCollection,
    also?: (tx: Tx, collectionId: string) => Promise<void>,
  ): Promise<CollectionRow>
  update(caller: Caller, id: string, change: CollectionChange, ifMatch: string | null): Promise<CollectionRow>
  /** Those of the ids that do not exist for the scope. */
  missing(scope: Caller['scope'], ids: readonly string[], query?: Query): Promise<string[]>
}

export function createCollectionService(dependencies: {
  database: Database
  embeddings: Embeddings
  access: AccessService
  audit: AuditService
  clock: Clock
  newId: NewId
}): CollectionService {
  const { database, embeddings, access, audit, clock, newId } = dependencies
  const describeVectors = async (scope: Scope, rows: readonly CollectionRow[]): Promise<DescribedVectors> => {
    const wanted = embeddings.modelOf(scope.environment)
    if (wanted === null) return { wanted, byId: new Map() }
    const ids = rows.map(({ id }) => id)
    const known = await describeCollections(database.read, ids)
    return { wanted, byId: new Map(known.map(vectors => [vectors.collectionId, vectors])) }
  }

  return {
    list: (caller, page) => listCollections(caller.scope, database.read, page),
    get: async (caller, id) => found(await findCollection(caller.scope, database.read, id)),

    present: async ({ scope }, row) => {
      const teamsOf = await access.teamsOf(database.read, 'collection', [row])
      return presentCollection(row, await describeVectors(scope, [row]), teamsOf)
    },
    async presentAll({ scope }, rows) {
      const vectors = await describeVectors(scope, rows)
      const teamsOf = await access.teamsOf(database.read, 'collection', rows)
      return rows.map(row => presentCollection(row, vectors, teamsOf))
    },

    async create(caller, { name, description = null, ...wanted }, also) {
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
        stored_bytes: 0,
        access: 'workspace',
        deleted_at: null,
        erase_at: null,
        created_at: now,
        updated_at: now,
        revision: 1,
      }
      return database.write(async tx => {
        const kept = await access.prepare(caller, tx, wanted, async () => null)
        const made = { ...row, access: kept?.access ?? row.access }
        await insertCollection(caller.scope, tx, made)
        if (kept?.access === 'teams') {
          await access.write(tx, 'collection', row.id, kept)
        }
        await audit.record(tx, caller, {
          action: 'collection.create',
          resourceId: row.id,
          details: { name, ...kept },
        })
        await also?.(tx, made.id)
        return made
      })
    },

    update: (caller, id, { access: wantedAccess, teamIds, ...change }, ifMatch) =>
      database.write(async tx => {
        const wanted = accessChange(wantedAccess, teamIds)
        const kept = await access.prepare(caller, tx, wanted, async () => {
          const row = found(await findCollection(caller.scope, tx, id))
          const teamsOf = await access.teamsOf(tx, 'collection', [row])
          return { access: row.access, teamIds: teamsOf(id) }
        })
        const row = found(await lockCollection(caller.scope, tx, database.engine, id))
        checkRevision(ifMatch, row)
        if (kept !== null) await access.write(tx, 'collection', id, kept)
        await updateCollection(caller.scope, tx, row, {
          ...change,
          access: kept?.access,
          updated_at: clock(),
        })
        await audit.record(tx, caller, {
          action: 'collection.update',
          resourceId: id,
          details: { ...change, ...kept },
        })
        return found(await findCollection(caller.scope, tx, id))
      }),

    async missing(scope, ids, query = database.read) {
      const existing = await existingCollectionIds(scope, query, ids)
      return ids.filter(id => !existing.has(id))
    },
  }
}

/** `wanted` is the model of the server's setting; null where there is none. */
type DescribedVectors = { wanted: string | null; byId: ReadonlyMap<string, CollectionVectors> }

/** A collection without chunks has nothing to wait for: its first ones get their vectors as they come. */
function vectorFields(
  row: CollectionRow,
  { wanted, byId }: DescribedVectors,
): Pick<Collection, 'embedding' | 'embeddingUpdate'> {
  if (wanted === null) return { embedding: null, embeddingUpdate: null }
  const { model = null, pending = false, error = null } = byId.get(row.id) ?? {}
  const isComplete = row.chunk_count === 0 || (model === wanted && !pending)
  return { embedding: model, embeddingUpdate: isComplete ? null : { model: wanted, error } }
}

const presentCollection = (row: CollectionRow, vectors: DescribedVectors, teamsOf: TeamsOf): Collection => ({
  id: row.id,
  name: row.name,
  description: row.description,
  documentCount: row.document_count,
  chunkCount: row.chunk_count,
  sizeBytes: row.size_bytes,
  storedBytes: row.stored_bytes,
  ...vectorFields(row, vectors),
  access: row.access,
  teamIds: teamsOf(row.id),
  createdAt: toTimestamp(row.created_at),
  updatedAt: toTimestamp(row.updated_at),
})

function found(row: CollectionRow | undefined): CollectionRow {
  if (row === undefined) throw notFound()
  return row
}
