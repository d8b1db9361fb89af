/** The trash: deleted documents and collections can be restored for a time, or erased at once with every trace. */
import type { Caller, Scope } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { type Page, type PageRequest, previewedIds } from '../../../platform/database/page.ts'
import { found } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { checkRevision } from '../../../platform/revision.ts'
import type { AuditService } from '../../audit/service.ts'
import { actorOf, type Outbox } from '../../events/outbox-service.ts'
import {
  addToCollection,
  type CollectionRow,
  findCollection,
  lockCollection,
  updateCollection,
} from '../records/collections-store.ts'
import { eraseJob, ingestJob, leftoversJob, reindexJob } from '../records/document-jobs.ts'
import { recordDocumentEvent } from '../records/document-outbox.ts'
import {
  type DocumentRow,
  findByExternalId,
  findDocument,
  listDocumentIds,
  lockDocument,
  updateDocument,
} from '../records/documents-store.ts'
import {
  contentsOfTrash,
  listDueScopes,
  listTrashedCollections,
  listTrashedDocuments,
  lockTrashedCollection,
  lockTrashedDocument,
  makeTrashDue,
  notInTrash,
  type Removal,
  type TrashContents,
  type TrashCounts,
  type TrashedCollectionRow,
  type TrashedDocumentRow,
} from '../records/trash-store.ts'
import type { IndexWriter } from '../search/index/index-writer.ts'
import { externalIdTaken } from './document-uploads.ts'

export type TrashService = ReturnType<typeof createTrashService>

/** The agents that name the collection, as far as the scope reaches them; `ids` are the first of them. */
export type NamersOf = (
  scope: Scope,
  query: Query,
  asked: { collectionId: string; limit: number },
) => Promise<{ count: number; ids: string[] }>

type TrashDependencies = Pick<Platform, 'database' | 'jobs' | 'clock'> & {
  index: IndexWriter
  audit: AuditService
  outbox: Outbox
  /** How long a deleted document or collection can be restored. */
  trashMs: number
  namersOf: NamersOf
}

const scopesPerRound = 1_000

export function createTrashService(dependencies: TrashDependencies) {
  const { database, jobs, audit, clock } = dependencies
  return {
    /** Deletes and restores whole collections with everything in them. */
    collections: createCollectionTrash(dependencies),
    ...createDocumentTrash(dependencies),

    /** A job erases everything in the trash. After the reply, nothing in it can be restored. */
    empty: (caller: Caller): Promise<TrashCounts> =>
      database.write(async tx => {
        const counts = await makeTrashDue(caller.scope, tx, clock())
        if (counts.documents + counts.collections === 0) return counts
        await jobs.enqueue(tx, eraseJob(caller.scope, { due: true }))
        await audit.record(tx, caller, { action: 'trash.empty', resourceId: null, details: counts })
        return counts
      }),

    /** What `empty` would erase: the counts and the first ids. */
    contents: ({ scope }: Caller): Promise<TrashContents> =>
      contentsOfTrash(scope, database.read, clock(), previewedIds),

    /**
     * Queues the erasure of everything whose time in the trash is over. Returns the number of scopes that had any, at
     * most `atMost`.
     */
    async sweep(atMost = scopesPerRound): Promise<number> {
      const scopes = await listDueScopes(database.read, clock(), atMost)
      for (const scope of scopes) {
        const uniqueKey = `erase ${scope.workspaceId} ${scope.environment}`
        await database.write(tx => jobs.enqueue(tx, { ...eraseJob(scope, { due: true }), uniqueKey }))
      }
      return scopes.length
    },
  }
}

function createDocumentTrash(dependencies: TrashDependencies) {
  const { database, index, jobs, audit, clock, trashMs } = dependencies

  /** Erases a document that is already in the trash, if `removal.erase` is set. Throws 404 otherwise. */
  const eraseTrashed = async (caller: Caller, tx: Tx, id: string, removal: Removal): Promise<DocumentRow> => {
    const row = found(removal.erase ? await lockTrashedDocument(caller.scope, tx, id, clock()) : undefined)
    checkRevision(removal.ifMatch, row)
    if (removal.dryRun) return row
    await updateDocument(caller.scope, tx, id, { erase_at: clock() })
    await jobs.enqueue(tx, eraseJob(caller.scope, { documentId: id }))
    await record(caller, tx, 'document.delete', row, { erased: true })
    await recordDeletion(dependencies, caller, tx, row, { erased: true, at: clock() })
    return row
  }

  const record = (
    caller: Caller,
    tx: Tx,
    action: string,
    { id, name }: { id: string; name: string },
    details: Record<string, unknown> = {},
  ): Promise<void> => audit.record(tx, caller, { action, resourceId: id, details: { name, ...details } })

  return {
    list: (caller: Caller, page: PageRequest): Promise<Page<TrashedDocumentRow>> =>
      listTrashedDocuments(caller.scope, database.read, clock(), page),

    /** After the reply, the document is neither listed nor found. `also` runs in the same transaction. */
    remove: (caller: Caller, id: string, removal: Removal, also?: (tx: Tx) => Promise<void>) =>
      database.write(async tx => {
        const row = await lockDocument(caller.scope, tx, id)
        if (row === undefined) return eraseTrashed(caller, tx, id, removal)
        checkRevision(removal.ifMatch, row)
        if (removal.dryRun) return row
        const { scope } = caller
        const now = clock()
        const eraseAt = removal.erase ? now : now + trashMs
        await updateDocument(scope, tx, id, { deleted_at: now, erase_at: eraseAt, updated_at: now })
        const left = await index.removeDocument(scope, tx, id)
        await addToCollection(scope, tx, row.collection_id, {
          documents: -1,
          chunks: -row.chunk_count,
          bytes: -row.size_bytes,
        })
        if (removal.erase) await jobs.enqueue(tx, eraseJob(scope, { documentId: id }))
        else if (left > 0) await jobs.enqueue(tx, leftoversJob(scope, id))
        await record(caller, tx, 'document.delete', row, {
          collectionId: row.collection_id,
          erased: removal.erase ? true : undefined,
        })
        await recordDeletion(dependencies, caller, tx, row, { erased: removal.erase, at: now })
        await also?.(tx)
        return row
      }),

    /**
     * Takes the document out of the trash; its status tells when search finds it again. Throws 404 for an unknown
     * document, and `not_in_trash` for a document outside the trash. Throws `already_exists` if another document now
     * has the external id.
     */
    restore: (caller: Caller, id: string): Promise<DocumentRow> =>
      database.write(async tx => {
        const { scope } = caller
        const row = await lockTrashedDocument(scope, tx, id, clock())
        if (row === undefined) {
          found(await findDocument(scope, tx, id))
          throw notInTrash(id)
        }
        found(await lockCollection(scope, tx, row.collection_id))
        if (row.external_id !== null) {
          const same = await findByExternalId(scope, tx, row.collection_id, row.external_id)
          if (same !== undefined) throw externalIdTaken(row.external_id, same.id)
        }
        const isServed = row.version === row.served_version
        const isUnderWay = !isServed && row.status !== 'failed'
        const restored = { deleted_at: null, erase_at: null, updated_at: clock() }
        const begun = {
          ...restored,
          status: isServed ? ('indexing' as const) : ('queued' as const),
          progress: 0,
          error_code: null,
          error_message: null,
        }
        await updateDocument(scope, tx, id, isServed || isUnderWay ? begun : restored)
        await addToCollection(scope, tx, row.collection_id, {
          documents: 1,
          chunks: row.chunk_count,
          bytes: row.size_bytes,
        })
        if (row.served_version !== null) await jobs.enqueue(tx, reindexJob(scope, id, 'write'))
        if (isUnderWay) await jobs.enqueue(tx, ingestJob(scope, id, row.version))
        await record(caller, tx, 'document.restore', row)
        return (await findDocument(scope, tx, id)) ?? row
      }),
  }
}

const recordDeletion = (
  { outbox }: TrashDependencies,
  caller: Caller,
  tx: Tx,
  { id, collection_id: collectionId, version }: DocumentRow,
  { erased, at }: { erased: boolean; at: number },
): Promise<void> =>
  recordDocumentEvent(tx, outbox, caller.scope, {
    id,
    collectionId,
    version,
    at,
    status: 'deleted',
    erased,
    actor: actorOf(caller),
  })

type Named = Awaited<ReturnType<NamersOf>>

const noAgents: Named = { count: 0, ids: [] }

function createCollectionTrash(dependencies: TrashDependencies) {
  const { database, index, jobs, audit, outbox, clock, trashMs, namersOf } = dependencies
  return {
    list: (caller: Caller, page: PageRequest): Promise<Page<TrashedCollectionRow>> =>
      listTrashedCollections(caller.scope, database.read, clock(), page),

    /** After the reply, callers see neither the collection nor its documents. A dry run also returns first ids. */
    remove: (
      caller: Caller,
      id: string,
      { ifMatch, dryRun, erase }: Removal,
    ): Promise<{ row: CollectionRow; documentIds: string[]; agents: Named }> =>
      database.write(async tx => {
        const { scope } = caller
        const now = clock()
        const live = await lockCollection(scope, tx, id)
        const row = found(live ?? (erase ? await lockTrashedCollection(scope, tx, id, now) : undefined))
        checkRevision(ifMatch, row)
        if (dryRun) {
          const first = { after: '', limit: previewedIds }
          const documentIds = await listDocumentIds(tx, 'untrashed', id, first)
          // Only a caller that may read agents is shown which ones lose the collection.
          const agents = caller.permissions.has('agents:read')
            ? await namersOf(scope, tx, { collectionId: id, limit: previewedIds })
            : noAgents
          return { row, documentIds, agents }
        }
        await updateCollection(scope, tx, row, {
          deleted_at: row.deleted_at ?? now,
          erase_at: erase ? now : now + trashMs,
        })
        await index.hideCollection(scope, tx, id)
        if (erase) await jobs.enqueue(tx, eraseJob(scope, { collectionId: id }))
        await audit.record(tx, caller, {
          action: 'collection.delete',
          resourceId: id,
          details: { name: row.name, documents: row.document_count, erased: erase ? true : undefined },
        })
        await outbox.record(tx, {
          workspaceId: scope.workspaceId,
          environment: scope.environment,
          collectionId: id,
          at: now,
          type: 'collection.deleted',
          data: { id, documentCount: row.document_count, erased: erase, actor: actorOf(caller) },
        })
        return { row, documentIds: [], agents: noAgents }
      }),

    /** Restores the collection and its documents; search finds them at once. Processing continues within a minute. */
    restore: (caller: Caller, id: string): Promise<CollectionRow> =>
      database.write(async tx => {
        const { scope } = caller
        const row = await lockTrashedCollection(scope, tx, id, clock())
        if (row === undefined) {
          found(await findCollection(scope, tx, id))
          throw notInTrash(id)
        }
        await updateCollection(scope, tx, row, { deleted_at: null, erase_at: null, updated_at: clock() })
        await index.showCollection(scope, tx, id)
        await audit.record(tx, caller, {
          action: 'collection.restore',
          resourceId: id,
          details: { name: row.name },
        })
        return (await findCollection(scope, tx, id)) ?? row
      }),
  }
}
