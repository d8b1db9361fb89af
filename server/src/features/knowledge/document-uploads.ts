/** Taking an uploaded file in: checked, moved to its place, and queued in the transaction that makes its record. */
import type { BlobStore, ReceivedFile } from '../../platform/blobs/blobs.ts'
import type { Caller } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Query } from '../../platform/database/database.ts'
import { encodeJson } from '../../platform/database/json.ts'
import { invalidField, ServiceError } from '../../platform/errors.ts'
import type { NewId } from '../../platform/ids.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { AuditService } from '../audit/service.ts'
import type { Limits } from '../limits/service.ts'
import { addToCollection, findCollection, lockCollection, sumSizeBytes } from './collections-store.ts'
import { type DocumentRow, findByExternalId, insertDocument } from './documents-store.ts'
import { ingestJob } from './ingest-job.ts'
import { formats, sniffFile, supportedTypes } from './parsing/sniff.ts'
import type { UploadFields } from './schemas.ts'

/** Promises what `DocumentService.create` does, without the waiting. */
export type TakeIn = (caller: Caller, fields: UploadFields, file: ReceivedFile) => Promise<DocumentRow>

type Dependencies = {
  database: Database
  blobs: BlobStore
  jobs: Jobs
  limits: Limits
  audit: AuditService
  clock: Clock
  newId: NewId
}

export function createTakeIn(dependencies: Dependencies): TakeIn {
  const { database, blobs, jobs, audit } = dependencies
  return async (caller, fields, file) => {
    const mediaType = await checkUpload(dependencies, caller, fields, file)
    const row = newDocument(dependencies, caller, fields, file, mediaType)
    await blobs.adopt(file, row.blob_id)
    try {
      await database.write(async tx => {
        const collection = await lockCollection(caller.scope, tx, database.engine, row.collection_id)
        if (collection === undefined) throw unknownCollection()
        if (row.external_id !== null) {
          const same = await findByExternalId(caller.scope, tx, row.collection_id, row.external_id)
          if (same !== undefined) throw externalIdTaken(row.external_id, same.id)
        }
        await requireStorage(dependencies, caller, tx, row.size_bytes)
        await insertDocument(caller.scope, tx, row)
        await addToCollection(caller.scope, tx, row.collection_id, { documents: 1, bytes: row.size_bytes })
        await jobs.enqueue(tx, ingestJob(caller.scope, row.id, row.version))
        await audit.record(tx, caller, {
          action: 'document.create',
          resourceId: row.id,
          details: { name: row.name, collectionId: row.collection_id, sizeBytes: row.size_bytes },
        })
      })
    } catch (error) {
      await blobs.remove(row.blob_id)
      throw error
    }
    return row
  }
}

/** Answers what the file is; throws for whatever can be told before it is taken in. */
async function checkUpload(
  dependencies: Dependencies,
  caller: Caller,
  fields: UploadFields,
  file: ReceivedFile,
): Promise<string> {
  if ((await findCollection(caller.scope, dependencies.database.read, fields.collectionId)) === undefined) {
    throw unknownCollection()
  }
  if (file.sizeBytes === 0) throw invalidField('file', 'is empty')
  const sniffed = await sniffFile(file.path, file.name)
  if (sniffed.format === null) throw unsupported(sniffed.seemsToBe)
  await requireStorage(dependencies, caller, dependencies.database.read, file.sizeBytes)
  return formats[sniffed.format].mediaType
}

/** Asked before the file is taken in, and again in its transaction, where uploads beside it count. */
async function requireStorage(
  { limits }: Dependencies,
  caller: Caller,
  query: Query,
  sizeBytes: number,
): Promise<void> {
  const { storageBytes } = limits.of(caller)
  const usedBytes = await sumSizeBytes(caller.scope, query)
  if (usedBytes + sizeBytes <= storageBytes) return
  throw new ServiceError(
    'storage_limit',
    `The plan's storage of ${storageBytes} bytes would be exceeded: ${usedBytes} are in use`,
  )
}

function newDocument(
  { clock, newId }: Dependencies,
  caller: Caller,
  fields: UploadFields,
  file: ReceivedFile,
  mediaType: string,
): DocumentRow {
  const { workspaceId, environment } = caller.scope
  const now = clock()
  return {
    id: newId('document'),
    workspace_id: workspaceId,
    environment,
    collection_id: fields.collectionId,
    external_id: fields.externalId ?? null,
    name: file.name === '' ? 'unnamed' : file.name,
    title: fields.title ?? null,
    media_type: mediaType,
    size_bytes: file.sizeBytes,
    sha256: file.sha256,
    version: 1,
    status: 'queued',
    progress: 0,
    error_code: null,
    error_message: null,
    metadata: encodeJson(fields.metadata ?? {}),
    blob_id: newId('blob'),
    text_length: null,
    page_count: null,
    chunk_count: 0,
    deleted_at: null,
    created_at: now,
    updated_at: now,
    revision: 1,
  }
}

export const unknownCollection = (): ServiceError =>
  invalidField('collectionId', 'There is no collection with this id')

const externalIdTaken = (externalId: string, id: string): ServiceError =>
  new ServiceError(
    'conflict',
    `The collection has a document ${id} with the external id ${externalId} already`,
  )

const unsupported = (seemsToBe: string): ServiceError =>
  new ServiceError(
    'unsupported_media_type',
    `The file seems to be ${seemsToBe}, which is not supported. Supported: ${supportedTypes.join(', ')}`,
  )
