/** The queue that imports archives of one collection. A failed import erases everything that it wrote. */
import type { Caller } from '../../../platform/caller.ts'
import { type Clock, hourMs, minuteMs } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { Json } from '../../../platform/database/json.ts'
import { type Job, JobPoisoned, type NewJob, type Queue } from '../../../platform/jobs/job.ts'
import { restoreCaller, storeCaller } from '../../../platform/stored-caller.ts'
import type { AuditService } from '../../audit/service.ts'
import { type Limits, usedStorage } from '../../limits/service.ts'
import { eraseJob } from '../records/document-jobs.ts'
import type { Settled } from '../records/settled.ts'
import { findImport, type ImportRow, sumAbandonedBytes, updateImport } from './archive-store.ts'
import { ArchiveFault, damaged, noCounts } from './format.ts'
import {
  beginCollection,
  createTextRoom,
  type ImportDependencies,
  importEntries,
} from './import-collection.ts'
import { openArchive } from './read-archive.ts'

export const importQueue = 'knowledge-import'

type ImportPayload = { importId: string; caller: Json<Record<string, unknown>> }

export const importJob = (caller: Caller, importId: string): NewJob => ({
  queue: importQueue,
  workspaceId: caller.scope.workspaceId,
  payload: { importId, caller: storeCaller(caller) } satisfies ImportPayload,
})

/** Progress is written at most this often: each write is a transaction. */
const progressEveryMs = 500
/** The share of the progress for reading the archive. The rest is for indexing. */
const readingShare = 0.6

export function createImportQueue(
  dependencies: ImportDependencies & {
    limits: Limits
    settled: Settled
    audit: AuditService
    clock: Clock
  },
): Queue<ImportPayload> {
  const { database, blobs, jobs, limits, settled, audit, clock } = dependencies

  /** A retry starts again from the beginning, so it first erases the collection of the earlier attempt. */
  const eraseCollection = async (tx: Tx, caller: Caller, row: ImportRow): Promise<void> => {
    if (row.collection_id === null) return
    await jobs.enqueue(tx, eraseJob(caller.scope, { collectionId: row.collection_id }))
    await updateImport(caller.scope, tx, row.id, { collection_id: null })
  }

  const fail = async (tx: Tx, caller: Caller, id: string, fault: { code: string; message: string }) => {
    const row = await findImport(caller.scope, tx, id)
    if (row === undefined) return
    await eraseCollection(tx, caller, row)
    await updateImport(caller.scope, tx, id, {
      status: 'failed',
      error_code: fault.code,
      error_message: fault.message.slice(0, 2_000),
      document_count: 0,
      updated_at: clock(),
      finished_at: clock(),
    })
    database.afterCommit(tx, () => {
      settled.announce(id)
      // If this fails, the sweep of unused files removes the file.
      blobs.remove(row.blob_id).catch(() => undefined)
    })
  }

  const takeIn = async (job: Job<ImportPayload>, caller: Caller, row: ImportRow): Promise<void> => {
    const { scope } = caller
    const note = createProgress(job, caller, row, clock)
    const archive = await openArchive(await blobs.open(row.blob_id), note)
    try {
      if (archive.kind !== 'collection') {
        throw damaged(
          'The archive is of a whole workspace: it is imported by the operator: `npm run -s atrium -- workspace import`',
        )
      }
      const { storageBytes } = limits.of(caller)
      const stored = await database.snapshot(
        scope.workspaceId,
        async query => (await usedStorage(scope, query)) - (await sumAbandonedBytes(scope, query)),
      )
      const textRoom = await createTextRoom(scope, database.read, storageBytes)
      const counts = noCounts()
      const [collection] = await importEntries(archive, counts, (number, entry) => {
        // The import's row names only one collection, so a second one would make the first unreachable.
        if (number > 1) throw damaged('The archive has more than one collection')
        return beginCollection(dependencies, () => scope, entry, counts, {
          name: row.name ?? undefined,
          maxFileBytes: Math.max(0, storageBytes - stored),
          textRoom,
          takesNewModels: false,
          signal: job.signal,
          write: job.write,
          onMade: (tx, collectionId) => updateImport(scope, tx, row.id, { collection_id: collectionId }),
        })
      })
      if (collection === undefined) throw damaged('The archive has no collection')
      await collection.index()
      await job.complete(async tx => {
        await collection.show(tx)
        await updateImport(scope, tx, row.id, {
          status: 'succeeded',
          progress: 1,
          document_count: counts.documents,
          updated_at: clock(),
          finished_at: clock(),
        })
        await audit.record(tx, caller, {
          action: 'collection.create',
          resourceId: collection.collectionId,
          details: { name: row.name ?? collection.record.name, importId: row.id },
        })
      })
    } finally {
      archive.close()
    }
    settled.announce(row.id)
    await blobs.remove(row.blob_id)
  }

  return {
    concurrency: 1,
    leaseMs: minuteMs,
    maxAttempts: 10,
    timeoutMs: 6 * hourMs,
    async handle(job) {
      const caller = restoreCaller(job.payload.caller)
      const row = await findImport(caller.scope, database.read, job.payload.importId)
      if (row === undefined || row.finished_at !== null) return
      await job.write(async tx => {
        await eraseCollection(tx, caller, row)
        await updateImport(caller.scope, tx, row.id, { status: 'running', progress: 0, updated_at: clock() })
      })
      try {
        await takeIn(job, caller, row)
      } catch (error) {
        if (!(error instanceof ArchiveFault)) throw error
        await job.complete(tx => fail(tx, caller, row.id, error))
      }
    },
    onDead({ payload }, error, tx) {
      const message = 'The archive could not be taken in; the log of the server says why'
      const fault =
        error instanceof JobPoisoned
          ? { code: 'crashed_server', message: error.message }
          : { code: 'processing_failed', message }
      return fail(tx, restoreCaller(payload.caller), payload.importId, fault)
    },
  }
}

/** The returned function takes the number of archive bytes that have been read. */
function createProgress(
  job: Job<ImportPayload>,
  { scope }: Caller,
  row: ImportRow,
  clock: Clock,
): (bytes: number) => void {
  let writtenAtMs = performance.now()
  return bytes => {
    if (performance.now() - writtenAtMs < progressEveryMs) return
    writtenAtMs = performance.now()
    const progress = Math.min(readingShare, (readingShare * bytes) / row.size_bytes)
    // If the lease is lost, the import's own next write fails.
    job.write(tx => updateImport(scope, tx, row.id, { progress, updated_at: clock() })).catch(() => undefined)
  }
}
