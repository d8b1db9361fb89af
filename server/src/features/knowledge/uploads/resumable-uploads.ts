/**
 * Resumable uploads: the server stores a file piece by piece, and a client can continue after a failure. The whole
 * file becomes a document.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Caller } from '../../../platform/caller.ts'
import { minuteMs, secondMs, toTimestamp } from '../../../platform/clock.ts'
import { takeTurn } from '../../../platform/database/between-processes.ts'
import type { Query } from '../../../platform/database/database.ts'
import { decodeJson, encodeJson } from '../../../platform/database/json.ts'
import type { Page, PageRequest } from '../../../platform/database/page.ts'
import { type ErrorCode, errorCodes, found, ServiceError, tooLarge } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { checkRevision, etagOf } from '../../../platform/revision.ts'
import { createRounds } from '../../../platform/schedules/rounds.ts'
import { storeCaller } from '../../../platform/stored-caller.ts'
import { sizeInWords } from '../../../platform/text/sizes.ts'
import type { AuditService } from '../../audit/service.ts'
import { type Limits, usedStorage } from '../../limits/service.ts'
import { requireCollection } from '../documents/document-uploads.ts'
import type { UploadFields } from '../records/schemas.ts'
import {
  beingAppended,
  createPieceWriter,
  keptMs,
  type Piece,
  type StoredFields,
} from './resumable-pieces.ts'
import {
  deleteUpload,
  findUpload,
  findUploadIds,
  insertUpload,
  listExpiredUploads,
  listUploads,
  lockUpload,
  releaseLocks,
  revisionOf,
  sumOpenUploads,
  type UploadRow,
} from './resumable-store.ts'
import { blamingHeader, parseUploadMetadata, type ResumableUpload } from './upload-schemas.ts'

export type ResumableUploads = ReturnType<typeof createResumableUploads>

const openAtOnce = 100
const finishWaitMs = 60 * secondMs
const finishPollMs = 25

type ResumableDependencies = Pick<
  Platform,
  'database' | 'partialFiles' | 'jobs' | 'clock' | 'newId' | 'log'
> & {
  limits: Limits
  audit: AuditService
  /** Throws `validation_failed` if the value is not `UploadFields`. */
  validateFields: (value: unknown) => void
}

export function createResumableUploads(dependencies: ResumableDependencies) {
  const { database, partialFiles, limits, audit, clock, newId, validateFields } = dependencies
  const writePiece = createPieceWriter(dependencies)

  const get = async ({ scope }: Caller, id: string): Promise<UploadRow> =>
    found(await findUpload(scope, database.read, clock(), id))

  /** Waits until a worker has made the document. Usually a worker of this process does so at once. */
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
    maxSizeBytes: (caller: Caller): number => limits.of(caller).uploadBytes,

    /**
     * Throws 400 for faults of the metadata, 413 for a length over the plan's, `storage_limit`, and `upload_limit` if
     * too many are open.
     */
    async create(caller: Caller, lengthBytes: number, metadata: string): Promise<UploadRow> {
      const { name, mediaType, fields } = parseUploadMetadata(metadata)
      // The cast holds once `validateFields` has passed.
      const valid = fields as UploadFields
      await blamingHeader(async () => {
        validateFields(fields)
        await requireCollection(caller.scope, database.read, valid.collectionId)
      })
      // Checked before a file is made, and again in the transaction, where no other upload can come in between.
      await requireRoom(dependencies, caller, database.read, lengthBytes)
      const stored: StoredFields = { sent: metadata, fields: valid }
      const row = newUpload(caller, {
        id: newId('upload'),
        now: clock(),
        name,
        mediaType,
        lengthBytes,
        stored,
      })
      await partialFiles.create(row.id)
      await database.write(async tx => {
        await takeTurn(tx, `uploads ${caller.scope.workspaceId} ${caller.scope.environment}`)
        await requireRoom(dependencies, caller, tx, lengthBytes)
        await insertUpload(caller.scope, tx, row)
        await audit.record(tx, caller, {
          action: 'upload.create',
          resourceId: row.id,
          details: { name, collectionId: row.collection_id, lengthBytes },
        })
      })
      return row
    },

    list: (caller: Caller, page: PageRequest): Promise<Page<UploadRow>> =>
      listUploads(caller.scope, database.read, clock(), page),
    get,

    /**
     * Adds bytes. After the last one the upload becomes a document before this resolves, or soon after. Throws
     * `upload_offset`, `upload_busy` if another request is adding, 413 for more bytes than stated, and
     * `checksum_mismatch`. Also throws what an upload throws if the whole file is not taken.
     */
    async append(caller: Caller, id: string, piece: Piece): Promise<UploadRow> {
      const isWhole = await writePiece(caller, id, piece)
      return isWhole ? finish(caller, id) : get(caller, id)
    },

    /** Returns the upload that was removed, or with `dryRun` would be. */
    async remove(
      caller: Caller,
      id: string,
      { ifMatch, dryRun }: { ifMatch: string | null; dryRun: boolean },
    ): Promise<UploadRow> {
      const upload = await database.write(async tx => {
        const row = found(await lockUpload(caller.scope, tx, clock(), id))
        checkRevision(ifMatch, revisionOf(row))
        if (row.status === 'finishing' || row.lock_until > clock()) throw beingAppended(id)
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

    /** For housekeeping, in all workspaces: removes expired uploads, and files that belong to no upload. */
    tidy: createUploadSweep(dependencies),

    /** Called at the start of a server that is alone on its database. */
    releaseLocks: (): Promise<void> => database.write(tx => releaseLocks(tx)),
  }
}

/**
 * Uploads in progress count with their whole length. The limits are checked again when the whole file is taken in.
 */
async function requireRoom(
  { limits, clock }: ResumableDependencies,
  caller: Caller,
  query: Query,
  lengthBytes: number,
): Promise<void> {
  const { uploadBytes, storageBytes } = limits.of(caller)
  if (lengthBytes > uploadBytes) {
    throw tooLarge('The file', uploadBytes, {
      remedy: ', the limit of the plan',
      field: 'Upload-Length',
      actual: lengthBytes,
    })
  }
  const open = await sumOpenUploads(caller.scope, query, clock())
  if (open.uploads >= openAtOnce) throw tooManyOpen()
  const usedBytes = await usedStorage(caller.scope, query)
  const used = usedBytes + open.bytes
  if (used + lengthBytes <= storageBytes) return
  limits.reached(caller.scope, { limit: 'storage', agentId: null, max: storageBytes, used })
  throw noRoom(storageBytes, used, lengthBytes)
}

type NewUpload = {
  id: string
  now: number
  name: string
  mediaType: string
  lengthBytes: number
  stored: StoredFields
}

const newUpload = (
  caller: Caller,
  { id, now, name, mediaType, lengthBytes, stored }: NewUpload,
): UploadRow => ({
  id,
  workspace_id: caller.scope.workspaceId,
  environment: caller.scope.environment,
  collection_id: stored.fields.collectionId,
  status: 'open',
  name,
  stated_media_type: mediaType,
  fields: encodeJson<Record<string, unknown>>(stored),
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

const tooManyOpen = (): ServiceError =>
  new ServiceError('upload_limit', `${openAtOnce} uploads are open already: finish or delete some`, {
    headers: { 'retry-after': '60' },
    details: { limit: openAtOnce },
  })

const noRoom = (storageBytes: number, usedBytes: number, actual: number): ServiceError =>
  new ServiceError(
    'storage_limit',
    `The plan's storage of ${sizeInWords(storageBytes)} would be exceeded: ${sizeInWords(usedBytes)} are in use or on their way`,
    { details: { limit: storageBytes, unit: 'bytes', used: usedBytes, actual } },
  )

export const presentUpload = (row: UploadRow): ResumableUpload => ({
  id: row.id,
  collectionId: row.collection_id,
  name: row.name,
  status: row.status,
  offset: row.offset_bytes,
  length: row.length_bytes,
  documentId: row.status === 'done' ? row.document_id : null,
  error: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' },
  createdAt: toTimestamp(row.created_at),
  expiresAt: toTimestamp(row.expires_at),
})

/** The header Upload-Metadata as it was sent. */
export const sentMetadataOf = (row: UploadRow): string => (decodeJson(row.fields) as StoredFields).sent

/** The state of the upload as headers. */
export function stateOf(upload: UploadRow): Record<string, string> {
  const { documentId } = presentUpload(upload)
  return withoutUndefined({
    'upload-offset': String(upload.offset_bytes),
    'upload-length': String(upload.length_bytes),
    'upload-expires': new Date(upload.expires_at).toUTCString(),
    ...etagOf(revisionOf(upload)),
    'atrium-document-id': documentId ?? undefined,
  })
}

const uploadsAtOnce = 500

/** Removes expired uploads, and files that belong to no upload; returns the number of expired uploads. */
function createUploadSweep({ database, partialFiles, clock, log }: ResumableDependencies) {
  const removeExpired = createRounds({
    list: range => listExpiredUploads(database.read, clock(), range),
    work: async ({ id, workspace_id: workspaceId }) => {
      await database.write(tx => deleteUpload({ workspaceId }, tx, id))
      return id
    },
    log,
    failure: 'An upload whose time is over could not be removed',
    rowsAtOnce: uploadsAtOnce,
  })

  return async () => {
    // The files are listed before the rows are read: a file is made before its row.
    const files = await partialFiles.ids(clock() - graceMs)
    const expired = await removeExpired()
    for (let start = 0; start < files.length; start += uploadsAtOnce) {
      const slice = files.slice(start, start + uploadsAtOnce)
      const needed = await findUploadIds(database.read, slice)
      for (const id of slice) if (!needed.has(id)) await partialFiles.remove(id)
    }
    return expired.length
  }
}

/** The row of a file this young may still have to be written. */
const graceMs = minuteMs
