/** Collections: creating, listing and changing them. */
import type { Caller, Scope } from '../../../platform/caller.ts'
import { toTimestamp } from '../../../platform/clock.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import type { Page, PageRequest } from '../../../platform/database/page.ts'
import { forbidden, found } from '../../../platform/errors.ts'
import type { Embeddings } from '../../../platform/models/embedding/embeddings.ts'
import type { Platform } from '../../../platform/platform.ts'
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

export type CollectionService = ReturnType<typeof createCollectionService>

export function createCollectionService(
  dependencies: Pick<Platform, 'database' | 'clock' | 'newId'> & {
    embeddings: Embeddings
    access: AccessService
    audit: AuditService
  },
) {
  const { database, embeddings, access, audit, clock, newId } = dependencies
  const describeVectors = async (scope: Scope, rows: readonly CollectionRow[]): Promise<DescribedVectors> => {
    const wanted = embeddings.modelOf(scope.environment)
    if (wanted === null) return { wanted, byId: new Map() }
    const ids = rows.map(({ id }) => id)
    const known = await describeCollections(database.read, ids)
    return { wanted, byId: new Map(known.map(vectors => [vectors.collectionId, vectors])) }
  }

  return {
    list: (caller: Caller, page: PageRequest): Promise<Page<CollectionRow>> =>
      listCollections(caller.scope, database.read, page),

    get: async (caller: Caller, id: string): Promise<CollectionRow> =>
      found(await findCollection(caller.scope, database.read, id)),

    /** The collection in its wire format. */
    present: async ({ scope }: Caller, row: CollectionRow): Promise<Collection> => {
      const teamsOf = await access.teamsOf(database.read, 'collection', [row])
      return presentCollection(row, await describeVectors(scope, [row]), teamsOf)
    },

    async presentAll({ scope }: Caller, rows: readonly CollectionRow[]): Promise<Collection[]> {
      const vectors = await describeVectors(scope, rows)
      const teamsOf = await access.teamsOf(database.read, 'collection', rows)
      return rows.map(row => presentCollection(row, vectors, teamsOf))
    },

    /** `also` runs in the same transaction. */
    async create(
      caller: Caller,
      { name, description = null, ...wanted }: NewCollection,
      also?: (tx: Tx, collectionId: string) => Promise<void>,
    ): Promise<CollectionRow> {
      const { workspaceId, environment, collectionIds } = caller.scope
      if (collectionIds !== undefined) {
        throw forbidden('whole_workspace', 'A key that is narrowed to collections cannot make new ones')
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

    update: (
      caller: Caller,
      id: string,
      { access: wantedAccess, teamIds, ...change }: CollectionChange,
      ifMatch: string | null,
    ): Promise<CollectionRow> =>
      database.write(async tx => {
        const wanted = accessChange(wantedAccess, teamIds)
        const kept = await access.prepare(caller, tx, wanted, async () => {
          const row = found(await findCollection(caller.scope, tx, id))
          const teamsOf = await access.teamsOf(tx, 'collection', [row])
          return { access: row.access, teamIds: teamsOf(id) }
        })
        const row = found(await lockCollection(caller.scope, tx, id))
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

    /** The given ids that do not exist for the scope. */
    async missing(scope: Scope, ids: readonly string[], query: Query = database.read): Promise<string[]> {
      const existing = await existingCollectionIds(scope, query, ids)
      return ids.filter(id => !existing.has(id))
    },
  }
}

/** `wanted` is the model in the server's settings; null if there is none. */
type DescribedVectors = { wanted: string | null; byId: ReadonlyMap<string, CollectionVectors> }

/** A collection without chunks waits for no update: its first chunks get their vectors during processing. */
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
