/** Deleting collections into the trash, with everything in them, and taking them out again. */
import type { Caller } from '../../../platform/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { type Page, type PageRequest, previewedIds } from '../../../platform/database/page.ts'
import { notFound } from '../../../platform/errors.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { checkRevision } from '../../../platform/revision.ts'
import type { AuditService } from '../../audit/service.ts'
import { actorOf, type Outbox } from '../../events/outbox-service.ts'
import {
  type CollectionRow,
  findCollection,
  lockCollection,
  updateCollection,
} from '../records/collections-store.ts'
import { eraseJob } from '../records/document-jobs.ts'
import {
  firstDocumentsOf,
  listTrashedCollections,
  lockTrashedCollection,
  notInTrash,
  type Removal,
  type TrashedCollectionRow,
} from '../records/trash-store.ts'
import type { IndexWriter } from '../search/index/index-writer.ts'

export type CollectionTrash = {
  list(caller: Caller, page: PageRequest): Promise<Page<TrashedCollectionRow>>
  /** From the reply on neither the collection nor its documents are there. */
  /** Answers the first documents in it, too. */
  remove(caller: Caller, id: string, removal: Removal): Promise<{ row: CollectionRow; documentIds: string[] }>
  /** With all of its documents, found again from the reply on; what was under way goes on within a minute. */
  restore(caller: Caller, id: string): Promise<CollectionRow>
}

export function createCollectionTrash(dependencies: {
  database: Database
  index: IndexWriter
  jobs: Jobs
  audit: AuditService
  outbox: Outbox
  clock: Clock
  /** How long what was deleted can be restored. */
  trashMs: number
}): CollectionTrash {
  const { database, index, jobs, audit, outbox, clock, trashMs } = dependencies
  const { engine } = database
  return {
    list: (caller, page) => listTrashedCollections(caller.scope, database.read, clock(), page),

    remove: (caller, id, { ifMatch, dryRun, erase }) =>
      database.write(async tx => {
        const { scope } = caller
        const now = clock()
        const live = await lockCollection(scope, tx, engine, id)
        const row = live ?? (erase ? await lockTrashedCollection(scope, tx, engine, id, now) : undefined)
        if (row === undefined) throw notFound()
        checkRevision(ifMatch, row)
        if (dryRun) return { row, documentIds: await firstDocumentsOf(scope, tx, id, previewedIds) }
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
        const { workspaceId, environment } = scope
        await outbox.record(tx, {
          workspaceId,
          environment,
          collectionId: id,
          at: now,
          type: 'collection.deleted',
          data: { id, documentCount: row.document_count, erased: erase, actor: actorOf(caller) },
        })
        return { row, documentIds: [] }
      }),

    restore: (caller, id) =>
      database.write(async tx => {
        const { scope } = caller
        const row = await lockTrashedCollection(scope, tx, engine, id, clock())
        if (row === undefined) {
          throw (await findCollection(scope, tx, id)) === undefined ? notFound() : notInTrash()
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
