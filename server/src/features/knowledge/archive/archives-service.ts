/** Archives of collections: exported as a stream, imported by a job. */
import type { Readable } from 'node:stream'
import type { BlobStore, ReceivedFile } from '../../../platform/blobs/blobs.ts'
import type { Caller, Scope } from '../../../platform/caller.ts'
import { type Clock, type Patience, toTimestamp } from '../../../platform/clock.ts'
import { takeTurn } from '../../../platform/database/between-processes.ts'
import type { Database } from '../../../platform/database/database.ts'
import { forbidden, found, invalidField, isUnavailable, limitReached } from '../../../platform/errors.ts'
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import type { Platform } from '../../../platform/platform.ts'
import { exampleId, idOf, nullable, stringEnum, timestamp } from '../../../platform/schemas.ts'
import type { AuditService } from '../../audit/service.ts'
import { type CollectionRow, findCollection } from '../records/collections-store.ts'
import type { Settled } from '../records/settled.ts'
import { countUnderWay, findImport, type ImportRow, insertImport } from './archive-store.ts'
import { type Bytes, exportCollection, jsonEntry, packArchive } from './export-collection.ts'
import { archiveFormat, entryNames, noCounts } from './format.ts'
import { importJob } from './import-queue.ts'

const importStatuses = ['queued', 'running', 'succeeded', 'failed'] as const

export const CollectionImport = Type.Closed('CollectionImport', {
  id: idOf('import'),
  status: stringEnum(importStatuses, { description: '`succeeded` and `failed` are final.' }),
  progress: Type.Number({ minimum: 0, maximum: 1, description: 'From 0 to 1.' }),
  error: nullable(
    Type.Closed(
      {
        code: stringEnum([
          'archive_invalid',
          'archive_version',
          'storage_limit',
          'crashed_server',
          'processing_failed',
        ]),
        message: Type.String({ description: 'What went wrong, for people.' }),
      },
      { description: 'Why it `failed`; a failed import leaves nothing.' },
    ),
  ),
  collectionId: nullable(idOf('collection'), {
    description: 'The new collection, once it has `succeeded`.',
  }),
  documentCount: Type.Integer({ description: 'Number of imported documents.' }),
  sizeBytes: Type.Integer({ description: 'Bytes of the archive.' }),
  createdAt: timestamp({ description: 'When it was created.' }),
  updatedAt: timestamp({ description: 'When it last changed.' }),
  finishedAt: nullable(timestamp(), { description: 'When it ended; null until then.' }),
})
export type CollectionImport = Static<typeof CollectionImport>

export const ImportFields = Type.Closed({
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '\\S',
      description: 'Name of the new collection; by default the name in the archive.',
    }),
  ),
})
export type ImportFields = Static<typeof ImportFields>

export const importExample: CollectionImport = {
  id: exampleId('import'),
  status: 'succeeded',
  progress: 1,
  error: null,
  collectionId: exampleId('collection'),
  documentCount: 12,
  sizeBytes: 402_118,
  createdAt: '2026-11-21T09:30:00.000Z',
  updatedAt: '2026-11-21T09:30:04.000Z',
  finishedAt: '2026-11-21T09:30:04.000Z',
}

export type ArchiveService = ReturnType<typeof createArchiveService>

/** Exports of one workspace at the same time, in this process. */
const exportsAtOnce = 3
const importsAtOnce = 5

export function createArchiveService(
  dependencies: Pick<Platform, 'database' | 'blobs' | 'jobs' | 'clock' | 'newId'> & {
    settled: Settled
    audit: AuditService
  },
) {
  const { database, blobs, jobs, settled, audit, clock, newId } = dependencies
  const exporting = new Map<string, number>()

  const count = (workspaceId: string, change: 1 | -1): void => {
    const left = (exporting.get(workspaceId) ?? 0) + change
    if (left > 0) exporting.set(workspaceId, left)
    else exporting.delete(workspaceId)
  }

  const find = async (caller: Caller, id: string): Promise<ImportRow> =>
    found(await findImport(caller.scope, database.read, id))

  const wait = (caller: Caller, known: ImportRow, patience: Patience): Promise<ImportRow> =>
    settled.wait(
      known,
      patience,
      row => row.finished_at !== null,
      () => find(caller, known.id),
    )

  return {
    /** Streams the archive. The stream is cut off if a document is permanently erased meanwhile. */
    async export(caller: Caller, collectionId: string): Promise<{ row: CollectionRow; stream: Readable }> {
      const row = found(await findCollection(caller.scope, database.read, collectionId))
      const { workspaceId } = caller.scope
      if ((exporting.get(workspaceId) ?? 0) >= exportsAtOnce) {
        throw limitReached(
          'exports',
          exportsAtOnce,
          `${exportsAtOnce} exports are in progress already: wait until one of them has ended`,
        )
      }
      count(workspaceId, 1)
      try {
        await database.write(tx =>
          audit.record(tx, caller, {
            action: 'collection.export',
            resourceId: row.id,
            details: { name: row.name },
          }),
        )
      } catch (error) {
        count(workspaceId, -1)
        throw error
      }
      const stream = packArchive(() => collectionArchive(dependencies, row, clock))
      stream.once('close', () => count(workspaceId, -1))
      return { row, stream }
    },

    /**
     * Takes over the file and queues its import. Throws 400 for an empty file, and `limit_reached` if too many
     * imports are in progress.
     */
    async import(caller: Caller, { name }: ImportFields, file: ReceivedFile, patience: Patience) {
      const { scope } = caller
      if (scope.collectionIds !== undefined) {
        throw forbidden('whole_workspace', 'A key that is narrowed to collections cannot make new ones')
      }
      if (file.sizeBytes === 0) throw invalidField('file', 'is empty')
      const row = newImport(scope, name ?? null, file, {
        id: newId('import'),
        blobId: newId('blob'),
        now: clock(),
      })
      await blobs.adopt(file, row.blob_id)
      try {
        await database.write(async tx => {
          await takeTurn(tx, `imports ${scope.workspaceId} ${scope.environment}`)
          if ((await countUnderWay(scope, tx)) >= importsAtOnce) {
            throw limitReached(
              'imports',
              importsAtOnce,
              `${importsAtOnce} imports are in progress already: wait until one of them has ended`,
            )
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
        // If the database failed during the commit, the row may exist. If no row exists, the sweep removes the file.
        if (!isUnavailable(error)) await blobs.remove(row.blob_id)
        throw error
      }
      return wait(caller, row, patience)
    },

    get: async (caller: Caller, id: string, patience: Patience): Promise<ImportRow> =>
      wait(caller, await find(caller, id), patience),
  }
}

const newImport = (
  { workspaceId, environment }: Scope,
  name: string | null,
  file: ReceivedFile,
  { id, blobId, now }: { id: string; blobId: string; now: number },
): ImportRow => ({
  id,
  workspace_id: workspaceId,
  environment,
  status: 'queued',
  progress: 0,
  error_code: null,
  error_message: null,
  name,
  blob_id: blobId,
  size_bytes: file.sizeBytes,
  collection_id: null,
  document_count: 0,
  created_at: now,
  updated_at: now,
  finished_at: null,
  revision: 1,
})

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

const codes = ['archive_invalid', 'archive_version', 'storage_limit', 'crashed_server'] as const

const presentError = (code: string, message: string): NonNullable<CollectionImport['error']> => ({
  code: codes.find(known => known === code) ?? 'processing_failed',
  message,
})
