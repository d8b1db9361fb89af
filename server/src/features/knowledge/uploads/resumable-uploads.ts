/** Resumable uploads: the server stores a file piece by piece, a client continues after a failure, and the file becomes a document. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { PartialFiles } from '../../../platform/blobs/partial-files.ts'
import type { Caller } from '../../../platform/caller.ts'
import { type Clock, dayMs, secondMs } from '../../../platform/clock.ts'
import type { Database, Query } from '../../../platform/database/database.ts'
import { encodeJson } from '../../../platform/database/json.ts'
import type { Page, PageRequest } from '../../../platform/database/page.ts'
import { takeTurn } from '../../../platform/database/take-turns.ts'
import { type ErrorCode, errorCodes, notFound, ServiceError } from '../../../platform/errors.ts'
import type { Faults } from '../../../platform/faults.ts'
import type { NewId } from '../../../platform/ids.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { Log } from '../../../platform/log.ts'
import { checkRevision } from '../../../platform/revision.ts'
import { storeCaller } from '../../../platform/stored-caller.ts'
import type { AuditService } from '../../audit/service.ts'
import type { Limits } from '../../limits/service.ts'
import { usedStorage } from '../../limits/storage-service.ts'
import { unknownCollection } from '../documents/document-uploads.ts'
import { findCollection } from '../records/collections-store.ts'
import type { UploadFields } from '../records/schemas.ts'
import type { KeptFields } from './resumable-job.ts'
import { blamingHeader, parseUploadMetadata } from './resumable-metadata.ts'
import { createPieceWriter, type Piece } from './resumable-pieces.ts'
import {
  deleteUpload,
  findUpload,
  insertUpload,
  listUploads,
  lockUpload,
  releaseLocks,
  revisionOf,
  sumOpenUploads,
  type UploadRow,
} from './resumable-store.ts'
import { createUploadSweep } from './resumable-sweep.ts'

export type ResumableUploads = {
  /** The largest file that the caller may upload. */
  maxSizeBytes(caller: Caller): number
  /**
   * Throws 400 for faults of the metadata, 413 for a length over the plan's, `storage_limit`, and `upload_limit` where
   * too many are open.
   */
  create(caller: Caller, lengthBytes: number, metadata: string): Promise<UploadRow>
  list(caller: Caller, page: PageRequest): Promise<Page<UploadRow>>
  get(caller: Caller, id: string): Promise<UploadRow>
  /**
   * Adds bytes; with the last one the upload becomes a document before this resolves, or soon after. Throws `conflict`
   * where the offset is another or somebody else is adding, 413 for more than was said, `checksum_mismatch`, and what
   * an upload throws where the whole file is not taken.
   */
  append(caller: Caller, id: string, piece: Piece): Promise<UploadRow>
  /** Answers what was, or with `dryRun` would be, removed. */
  remove(caller: Caller, id: string, options: { ifMatch: string | null; dryRun: boolean }): Promise<UploadRow>
  /** For housekeeping, in every workspace: removes what is over, and files that belong to nothing. */
  tidy(): Promise<number>
  /** For the start of a server that is the only one. */
  releaseLocks(): Promise<void>
}

const openAtOnce = 100
/** Counted from the last byte that came. */
const keptMs = dayMs
const finishWaitMs = 60 * secondMs
const finishPollMs = 25

export type ResumableDependencies = {
  database: Database
  partialFiles: PartialFiles
  limits: Limits
  audit: AuditService
  jobs: Jobs
  clock: Clock
  newId: NewId
  faults: Faults
  log: Log
  /** Throws `validation_failed` for what is no `UploadFields`. */
  validateFields: (value: unknown) => void
}

export function createResumableUploads(dependencies: ResumableDependencies): ResumableUploads {
  const { database, partialFiles, limits, audit, clock, newId, validateFields } = dependencies
  const { engine } = database
  const writePiece = createPieceWriter({ ...dependencies, keptMs })

  const get = async ({ scope }: Caller, id: string): Promise<UploadRow> =>
    found(await findUpload(scope, database.read, clock(), id))

  /** Asked here and once more when the whole file is taken in: what is on its way counts as if it had come. */
  const requireRoom = async (caller: Caller, query: Query, lengthBytes: number): Promise<void> => {
    const { uploadBytes, storageBytes } = limits.of(caller)
    if (lengthBytes > uploadBytes) throw tooLarge(uploadBytes)
    const open = await sumOpenUploads(caller.scope, query, clock())
    if (open.uploads >= openAtOnce) throw tooManyOpen()
    const usedBytes = await usedStorage(caller.scope, query)
    const used = usedBytes + open.bytes
    if (used + lengthBytes <= storageBytes) return
    limits.reached(caller.scope, { limit: 'storage', agentId: null, max: storageBytes, used })
    throw noRoom(storageBytes, used)
  }

  /** Waits for the document, which a worker makes: of this process as a rule, at once. */
  const finish = async (caller: Caller, id: string): Promise<UploadRow> => {
    const giveUpAt = performance.now() + finishWaitMs
    let upload = await get(caller, id)
    while (upload.status === 'finishing' && performance.now() < giveUpAt) {
      await sleep(finishPollMs)
      upload = await get(caller, id)
    }
    if (upload.status === 'failed') throw refusalOf(upload)
    return upload
  }

  return {
    maxSizeBytes: caller => limits.of(caller).uploadBytes,

    async create(caller, lengthBytes, metadata) {
      const { name, mediaType, fields } = parseUploadMetadata(metadata)
      blamingHeader(() => validateFields(fields))
      // As the schema has just found them to be.
      const valid = fields as UploadFields
      if ((await findCollection(caller.scope, database.read, valid.collectionId)) === undefined) {
        blamingHeader(() => {
          throw unknownCollection()
        })
      }
      // Before a file is made, and again where no other can come in between.
      await requireRoom(caller, database.read, lengthBytes)
      const kept: KeptFields = { sent: metadata, fields: valid }
      const row = newUpload(caller, { id: newId('upload'), now: clock(), name, mediaType, lengthBytes, kept })
      await partialFiles.create(row.id)
      await database.write(async tx => {
        await takeTurn(tx, engine, `uploads ${caller.scope.workspaceId} ${caller.scope.environment}`)
        await requireRoom(caller, tx, lengthBytes)
        await insertUpload(caller.scope, tx, row)
        await audit.record(tx, caller, {
          action: 'upload.create',
          resourceId: row.id,
          details: { name, collectionId: row.collection_id, lengthBytes },
        })
      })
      return row
    },

    list: (caller, page) => listUploads(caller.scope, database.read, clock(), page),
    get,

    async append(caller, id, piece) {
      const isWhole = await writePiece(caller, id, piece)
      return isWhole ? finish(caller, id) : get(caller, id)
    },

    async remove(caller, id, { ifMatch, dryRun }) {
      const upload = await database.write(async tx => {
        const row = found(await lockUpload(caller.scope, tx, engine, clock(), id))
        checkRevision(ifMatch, revisionOf(row))
        if (row.status === 'finishing' || row.lock_until > clock()) throw busy()
        if (dryRun) return row
        await deleteUpload(caller.scope, tx, id)
        await audit.record(tx, caller, {
          action: 'upload.delete',
          resourceId: id,
          details: { name: row.name, offsetBytes: row.offset_bytes },
        })
        return row
      })
      if (!dryRun) await partialFiles.remove(id)
      return upload
    },

    tidy: createUploadSweep(dependencies),
    releaseLocks: () => database.write(tx => releaseLocks(tx)),
  }
}

type NewUpload = {
  id: string
  now: number
  name: string
  mediaType: string
  lengthBytes: number
  kept: KeptFields
}

const newUpload = (
  caller: Caller,
  { id, now, name, mediaType, lengthBytes, kept }: NewUpload,
): UploadRow => ({
  id,
  workspace_id: caller.scope.workspaceId,
  environment: caller.scope.environment,
  collection_id: kept.fields.collectionId,
  status: 'open',
  name,
  stated_media_type: mediaType,
  fields: encodeJson<Record<string, unknown>>(kept),
  caller: storeCaller(caller),
  length_bytes: lengthBytes,
  offset_bytes: 0,
  document_id: null,
  error_code: null,
  error_message: null,
  lock_token: null,
  lock_until: 0,
  created_at: now,
  updated_at: now,
  expires_at: now + keptMs,
})

function refusalOf({ error_code, error_message }: UploadRow): ServiceError {
  const code = Object.keys(errorCodes).find((known): known is ErrorCode => known === error_code)
  return new ServiceError(code ?? 'internal_error', error_message ?? undefined)
}

function found(row: UploadRow | undefined): UploadRow {
  if (row === undefined) throw notFound()
  return row
}

const tooLarge = (uploadBytes: number): ServiceError =>
  new ServiceError('payload_too_large', `The file is larger than ${uploadBytes} bytes, the limit of the plan`)

const tooManyOpen = (): ServiceError =>
  new ServiceError('upload_limit', `${openAtOnce} uploads are open already: finish or delete some`, {
    headers: { 'retry-after': '60' },
  })

const noRoom = (storageBytes: number, usedBytes: number): ServiceError =>
  new ServiceError(
    'storage_limit',
    `The plan's storage of ${storageBytes} bytes would be exceeded: ${usedBytes} are in use or on their way`,
  )

const busy = (): ServiceError =>
  new ServiceError('conflict', 'Another request is adding to the upload at this moment: try again', {
    headers: { 'retry-after': '1' },
  })
