/** The trash: what was deleted comes back until its time is over, or goes at once with every trace. */
import type { Caller } from '../../../platform/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Tx } from '../../../platform/database/database.ts'
import { type Page, type PageRequest, previewedIds } from '../../../platform/database/page.ts'
import { notFound, type ServiceError } from '../../../platform/errors.ts'
import type { Faults } from '../../../platform/faults.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { checkRevision } from '../../../platform/revision.ts'
import type { AuditService } from '../../audit/service.ts'
import { actorOf, type Outbox } from '../../events/outbox-service.ts'
import { addToCollection, lockCollection } from '../records/collections-store.ts'
import { eraseJob, ingestJob, leftoversJob, reindexJob } from '../records/document-jobs.ts'
import { recordDocumentEvent } from '../records/document-outbox.ts'
import {
  type DocumentRow,
  findByExternalId,
  findDocument,
  lockDocument,
  updateDocument,
} from '../records/documents-store.ts'
import {
  contentsOfTrash,
  listDueScopes,
  listTrashedDocuments,
  lockTrashedDocument,
  makeTrashDue,
  notInTrash,
  type Removal,
  type TrashContents,
  type TrashCounts,
  type TrashedDocumentRow,
} from '../records/trash-store.ts'
import type { IndexWriter } from '../search/index/index-writer.ts'
import { type CollectionTrash, createCollectionTrash } from './collections-trash.ts'
import { externalIdTaken } from './document-uploads.ts'

export type TrashService = {
  /** Whole collections, which go and come back with everything in them. */
  collections: CollectionTrash
  list(caller: Caller, page: PageRequest): Promise<Page<TrashedDocumentRow>>
  /** From the reply on the document is not there and not found. `also` belongs to the same transaction. */
  remove(caller: Caller, id: string, removal: Removal, also?: (tx: Tx) => Promise<void>): Promise<DocumentRow>
  /**
   * Takes the document out of the trash; its status tells when it is found again. Throws 404 for what is not there,
   * and `conflict` where it is no longer in the trash or its external id is another's by now.
   */
  restore(caller: Caller, id: string): Promise<DocumentRow>
  /** Everything in it is erased by a job, and cannot be restored from the reply on. */
  empty(caller: Caller): Promise<TrashCounts>
  /** What `empty` would take away: how many, and the first of them. */
  contents(caller: Caller): Promise<TrashContents>
  /** Queues the erasure of what has been in the trash long enough; answers in how many scopes there was any. */
  sweep(): Promise<number>
}

type TrashDependencies = {
  database: Database
  index: IndexWriter
  jobs: Jobs
  audit: AuditService
  outbox: Outbox
  clock: Clock
  faults: Faults
  /** How long what was deleted can be restored. */
  trashMs: number
}

export function createTrashService(dependencies: TrashDependencies): TrashService {
  const { database, index, jobs, audit, outbox, clock, faults, trashMs } = dependencies
  const { engine } = database

  /** A transaction that a test may end at its most delicate moments. */
  const write = async <T>(what: 'trash' | 'restore', work: (tx: Tx) => Promise<T>): Promise<T> => {
    const result = await database.write(async tx => {
      const value = await work(tx)
      faults.reach(`${what}.before-commit`)
      return value
    })
    faults.reach(`${what}.committed`)
    return result
  }

  /** The trash's own row of it is erased, where that is asked for. */
  const eraseTrashed = async (caller: Caller, tx: Tx, id: string, removal: Removal): Promise<DocumentRow> => {
    const row = removal.erase ? await lockTrashedDocument(caller.scope, tx, engine, id, clock()) : undefined
    if (row === undefined) throw notFound()
    checkRevision(removal.ifMatch, row)
    if (removal.dryRun) return row
    await updateDocument(caller.scope, tx, id, { erase_at: clock() })
    await jobs.enqueue(tx, eraseJob(caller.scope, { documentId: id }))
    await record(caller, tx, 'document.delete', row, { erased: true })
    await tellDeleted(outbox, tx, caller, row, { erased: true, at: clock() })
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
    collections: createCollectionTrash(dependencies),
    list: (caller, page) => listTrashedDocuments(caller.scope, database.read, clock(), page),

    remove: (caller, id, removal, also) =>
      write('trash', async tx => {
        const row = await lockDocument(caller.scope, tx, engine, id)
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
        await tellDeleted(outbox, tx, caller, row, { erased: removal.erase, at: now })
        await also?.(tx)
        return row
      }),

    restore: (caller, id) =>
      write('restore', async tx => {
        const { scope } = caller
        const row = await lockTrashedDocument(scope, tx, engine, id, clock())
        if (row === undefined) throw await missingFromTrash(caller, tx, id)
        if ((await lockCollection(scope, tx, engine, row.collection_id)) === undefined) throw notFound()
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

    empty: caller => emptyTrash(dependencies, caller),
    contents: ({ scope }) => contentsOfTrash(scope, database.read, clock(), previewedIds),

    async sweep() {
      const scopes = await listDueScopes(database.read, clock())
      for (const scope of scopes) {
        const uniqueKey = `erase ${scope.workspaceId} ${scope.environment}`
        await database.write(tx => jobs.enqueue(tx, { ...eraseJob(scope, { due: true }), uniqueKey }))
      }
      return scopes.length
    },
  }
}

const emptyTrash = (
  { database, jobs, audit, clock }: Pick<TrashDependencies, 'database' | 'jobs' | 'audit' | 'clock'>,
  caller: Caller,
): Promise<TrashCounts> =>
  database.write(async tx => {
    const counts = await makeTrashDue(caller.scope, tx, clock())
    if (counts.documents + counts.collections === 0) return counts
    await jobs.enqueue(tx, eraseJob(caller.scope, { due: true }))
    await audit.record(tx, caller, { action: 'trash.empty', resourceId: null, details: counts })
    return counts
  })

const tellDeleted = (
  outbox: Outbox,
  tx: Tx,
  caller: Caller,
  row: DocumentRow,
  { erased, at }: { erased: boolean; at: number },
): Promise<void> =>
  recordDocumentEvent(tx, outbox, caller.scope, {
    id: row.id,
    collectionId: row.collection_id,
    version: row.version,
    at,
    status: 'deleted',
    erased,
    actor: actorOf(caller),
  })

async function missingFromTrash({ scope }: Caller, tx: Tx, id: string): Promise<ServiceError> {
  return (await findDocument(scope, tx, id)) === undefined ? notFound() : notInTrash()
}
