/** Archives of collections: given out as a stream, and taken in by a job. */
import type { Readable } from 'node:stream'
import type { BlobStore, ReceivedFile } from '../../../platform/blobs/blobs.ts'
import type { Caller } from '../../../platform/caller.ts'
import { type Clock, toTimestamp } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { takeTurn } from '../../../platform/database/take-turns.ts'
import { invalidField, notFound, ServiceError } from '../../../platform/errors.ts'
import type { NewId } from '../../../platform/ids.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { Patience } from '../../../platform/patience.ts'
import type { AuditService } from '../../audit/service.ts'
import { type CollectionRow, findCollection } from '../records/collections-store.ts'
import type { Settled } from '../records/settled.ts'
import type { CollectionImport, ImportFields } from './archive-schemas.ts'
import { exportCollection } from './export-collection.ts'
import { archiveFormat, entryNames, noCounts } from './format.ts'
import { importJob } from './import-job.ts'
import { countUnderWay, findImport, type ImportRow, insertImport } from './imports-store.ts'
import { type Bytes, jsonEntry, packArchive } from './write-archive.ts'

export type ArchiveService = {
  /** The archive as it is made; it is cut off where a document is erased for good meanwhile. */
  export(caller: Caller, collectionId: string): Promise<{ row: CollectionRow; stream: Readable }>
  /** Takes the file over and queues its import. Throws 400 for an empty file, and `conflict` where too many are under way. */
  import(caller: Caller, fields: ImportFields, file: ReceivedFile, patience: Patience): Promise<ImportRow>
  get(caller: Caller, id: string, patience: Patience): Promise<ImportRow>
}

/** Of one workspace, in this process. */
const exportsAtOnce = 3
const importsAtOnce = 5
const pollMs = 250

export function createArchiveService(dependencies: {
  database: Database
  blobs: BlobStore
  jobs: Jobs
  settled: Settled
  audit: AuditService
  clock: Clock
  newId: NewId
}): ArchiveService {
  const { database, blobs, jobs, settled, audit, clock, newId } = dependencies
  const exporting = new Map<string, number>()

  const count = (workspaceId: string, change: 1 | -1): void => {
    const left = (exporting.get(workspaceId) ?? 0) + change
    if (left > 0) exporting.set(workspaceId, left)
    else exporting.delete(workspaceId)
  }

  const find = async (caller: Caller, id: string): Promise<ImportRow> => {
    const row = await findImport(caller.scope, database.read, id)
    if (row === undefined) throw notFound()
    return row
  }

  const wait = async (caller: Caller, id: string, { waitMs, signal }: Patience): Promise<ImportRow> => {
    const giveUpAt = performance.now() + waitMs
    for (let row = await find(caller, id); ; row = await find(caller, id)) {
      const leftMs = giveUpAt - performance.now()
      if (row.finished_at !== null || leftMs <= 0 || signal.aborted) return row
      // Another process may do the work, so the news of this one only hastens.
      await settled.next(id, Math.min(pollMs, leftMs))
    }
  }

  return {
    async export(caller, collectionId) {
      const row = await findCollection(caller.scope, database.read, collectionId)
      if (row === undefined) throw notFound()
      const { workspaceId } = caller.scope
      if ((exporting.get(workspaceId) ?? 0) >= exportsAtOnce) {
        throw tooMany(`${exportsAtOnce} exports are under way already: wait until one of them has ended`)
      }
      await database.write(tx =>
        audit.record(tx, caller, {
          action: 'collection.export',
          resourceId: row.id,
          details: { name: row.name },
        }),
      )
      count(workspaceId, 1)
      const stream = packArchive(() => collectionArchive(dependencies, row, clock))
      stream.once('close', () => count(workspaceId, -1))
      return { row, stream }
    },

    async import(caller, { name }, file, patience) {
      const { scope } = caller
      if (scope.collectionIds !== undefined) {
        throw new ServiceError(
          'permission_missing',
          'A key that is narrowed to collections cannot make new ones',
        )
      }
      if (file.sizeBytes === 0) throw invalidField('file', 'is empty')
      const now = clock()
      const row: ImportRow = {
        id: newId('import'),
        workspace_id: scope.workspaceId,
        environment: scope.environment,
        status: 'queued',
        progress: 0,
        error_code: null,
        error_message: null,
        name: name ?? null,
        blob_id: newId('blob'),
        size_bytes: file.sizeBytes,
        collection_id: null,
        document_count: 0,
        created_at: now,
        updated_at: now,
        finished_at: null,
        revision: 1,
      }
      await blobs.adopt(file, row.blob_id)
      try {
        await database.write(async tx => {
          await takeTurn(tx, database.engine, `imports ${scope.workspaceId} ${scope.environment}`)
          if ((await countUnderWay(scope, tx)) >= importsAtOnce) {
            throw tooMany(`${importsAtOnce} imports are under way already: wait until one of them has ended`)
          }
          await insertImport(scope, tx, row)
          await jobs.enqueue(tx, importJob(caller, row.id))
          await audit.record(tx, caller, {
            action: 'collection.import',
            resourceId: row.id,
            details: { file: file.name, sizeBytes: file.sizeBytes },
          })
        })
      } catch (error) {
        await blobs.remove(row.blob_id)
        throw error
      }
      return patience.waitMs > 0 ? wait(caller, row.id, patience) : row
    },

    get: wait,
  }
}

const tooMany = (message: string): ServiceError => new ServiceError('conflict', message)

async function* collectionArchive(
  dependencies: { database: Database; blobs: BlobStore },
  row: CollectionRow,
  clock: Clock,
): Bytes {
  const counts = noCounts()
  const createdAt = toTimestamp(clock())
  yield* jsonEntry(entryNames.manifest, { format: archiveFormat, kind: 'collection', createdAt })
  yield* exportCollection(dependencies, row, 1, counts)
  yield* jsonEntry(entryNames.end, counts)
}

export const presentImport = (row: ImportRow): CollectionImport => ({
  id: row.id,
  status: row.status,
  progress: row.progress,
  error: row.error_code === null ? null : presentError(row.error_code, row.error_message ?? ''),
  collectionId: row.status === 'succeeded' ? row.collection_id : null,
  documentCount: row.document_count,
  sizeBytes: row.size_bytes,
  createdAt: toTimestamp(row.created_at),
  updatedAt: toTimestamp(row.updated_at),
  finishedAt: row.finished_at === null ? null : toTimestamp(row.finished_at),
})

const codes = ['archive_invalid', 'archive_version', 'storage_limit'] as const

const presentError = (code: string, message: string): NonNullable<CollectionImport['error']> => ({
  code: codes.find(known => known === code) ?? 'processing_failed',
  message,
})
