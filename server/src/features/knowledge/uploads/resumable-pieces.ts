/**
 * Writes one request's bytes of a resumable upload, counted once they are safe. At the end a job makes the document.
 */
import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { ChecksumAlgorithm } from '../../../platform/blobs/partial-files.ts'
import type { Caller } from '../../../platform/caller.ts'
import { dayMs, minuteMs, secondMs } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { decodeJson } from '../../../platform/database/json.ts'
import { found, ServiceError } from '../../../platform/errors.ts'
import { JobPoisoned, type NewJob, type Queue } from '../../../platform/jobs/job.ts'
import type { Platform } from '../../../platform/platform.ts'
import { checkRevision } from '../../../platform/revision.ts'
import { restoreCaller } from '../../../platform/stored-caller.ts'
import type { AuditService } from '../../audit/service.ts'
import { takeFile, type Uploads } from '../documents/document-uploads.ts'
import type { WholeScope } from '../records/document-jobs.ts'
import { findDocument } from '../records/documents-store.ts'
import type { UploadFields } from '../records/schemas.ts'
import {
  findUpload,
  lockUpload,
  revisionOf,
  type UploadRow,
  updateLocked,
  updateUpload,
} from './resumable-store.ts'

export type Piece = {
  offset: number
  /** The length that the request states; null if it states none. */
  statedBytes: number | null
  checksum: { algorithm: ChecksumAlgorithm; digest: Buffer } | null
  ifMatch: string | null
  bytes: Readable
  /** Throws once the caller is no longer let in: the bytes since the last call then count for nothing. */
  checkCaller: () => Promise<void>
}

/** An upload expires this long after its last byte. */
export const keptMs = dayMs
/** A process that dies holds its lock for this long. The lock is renewed while bytes come. */
const lockMs = 30 * secondMs
const renewEveryMs = 10 * secondMs
/** A sender that is silent for this long counts as gone. */
const silenceMs = 30 * secondMs

/** Resolves to true if the upload is whole now, and is `finishing`. */
export type WritePiece = (caller: Caller, id: string, piece: Piece) => Promise<boolean>

export function createPieceWriter(
  dependencies: Pick<Platform, 'database' | 'partialFiles' | 'jobs' | 'clock' | 'newId'> & {
    audit: AuditService
  },
): WritePiece {
  const { database, partialFiles, jobs, audit, clock, newId } = dependencies

  const takeLock = (
    caller: Caller,
    id: string,
    piece: Piece,
  ): Promise<{ upload: UploadRow; token: string }> =>
    database.write(async tx => {
      const upload = found(await lockUpload(caller.scope, tx, clock(), id))
      checkRevision(piece.ifMatch, revisionOf(upload))
      checkOffset(upload, piece)
      if (upload.lock_until > clock()) throw beingAppended(upload.id)
      const token = randomUUID()
      await updateUpload(caller.scope, tx, id, { lock_token: token, lock_until: clock() + lockMs })
      return { upload, token }
    })

  /**
   * Stores the offset that is safe by now, and extends the lock. With the last byte the end begins in the same
   * transaction. A client that reads this offset sends nothing more, even if the server was killed before its reply.
   */
  const record = (caller: Caller, lock: { id: string; token: string }, offset: number, length: number) =>
    database.write(async tx => {
      const now = clock()
      const moved = {
        offset_bytes: offset,
        updated_at: now,
        expires_at: now + keptMs,
        lock_until: now + lockMs,
      }
      const change = offset === length ? { ...moved, ...beginning() } : moved
      if (!(await updateLocked(caller.scope, tx, lock, change))) throw lockLost(lock.id)
      if (offset === length) await jobs.enqueue(tx, uploadJob(caller.scope, lock.id))
    })

  const beginning = () => ({ status: 'finishing', document_id: newId('document') }) as const

  const renewing = (caller: Caller, lock: { id: string; token: string }): NodeJS.Timeout =>
    setInterval(() => {
      // A lock that could not be renewed is noticed when the next bytes are recorded.
      database
        .write(tx => updateLocked(caller.scope, tx, lock, { lock_until: clock() + lockMs }))
        .catch(() => undefined)
    }, renewEveryMs)

  /** Releases the lock; the row holds the offset. A file without bytes is already whole, so its end begins here. */
  const release = (caller: Caller, lock: { id: string; token: string }, from: number): Promise<boolean> =>
    database.write(async tx => {
      const row = await lockUpload(caller.scope, tx, 0, lock.id)
      if (row?.lock_token !== lock.token) return false
      const isWhole = row.offset_bytes === row.length_bytes
      const isEmpty = isWhole && row.status === 'open'
      const unlocked = { lock_token: null, lock_until: 0 }
      await updateLocked(caller.scope, tx, lock, isEmpty ? { ...unlocked, ...beginning() } : unlocked)
      if (isEmpty) await jobs.enqueue(tx, uploadJob(caller.scope, row.id))
      if (row.offset_bytes > from || isWhole) await recordAppend(tx, caller, row, from)
      return isWhole
    })

  const recordAppend = (tx: Tx, caller: Caller, row: UploadRow, from: number): Promise<void> =>
    audit.record(tx, caller, {
      action: 'upload.append',
      resourceId: row.id,
      details: { fromOffset: from, toOffset: row.offset_bytes },
    })

  return async (caller, id, piece) => {
    const { upload, token } = await takeLock(caller, id, piece)
    const lock = { id, token }
    const timer = renewing(caller, lock)
    const stopWatching = watchSilence(piece.bytes)
    let isWhole = false
    try {
      await partialFiles.append(id, piece.bytes, {
        offset: upload.offset_bytes,
        length: upload.length_bytes,
        checksum: piece.checksum,
        onFlushed: async offset => {
          await piece.checkCaller()
          await record(caller, lock, offset, upload.length_bytes)
        },
      })
    } catch (error) {
      throw isCutOff(error) ? new ServiceError('malformed_request', 'The request was cut off') : error
    } finally {
      stopWatching()
      clearInterval(timer)
      isWhole = await release(caller, lock, upload.offset_bytes)
    }
    return isWhole
  }
}

function checkOffset(upload: UploadRow, { offset, statedBytes }: Piece): void {
  if (upload.status !== 'open') {
    throw new ServiceError('upload_ended', `The upload is ${upload.status} already`, {
      details: { status: upload.status },
    })
  }
  if (offset !== upload.offset_bytes) {
    throw new ServiceError('upload_offset', `The upload stands at ${upload.offset_bytes}, not at ${offset}`, {
      details: { offset: upload.offset_bytes },
      headers: { 'upload-offset': String(upload.offset_bytes) },
    })
  }
  const left = upload.length_bytes - upload.offset_bytes
  if (statedBytes !== null && statedBytes > left) {
    throw new ServiceError(
      'payload_too_large',
      `The upload was said to have ${upload.length_bytes} bytes: only ${left} are still to come`,
      { details: { limit: left, unit: 'bytes', actual: statedBytes } },
    )
  }
}

/** Ends the stream with an error once it is silent for `silenceMs`; returns a function that stops the watch. */
function watchSilence(stream: Readable): () => void {
  const giveUp = () => stream.destroy(new ServiceError('request_timeout', 'No bytes came for 30 seconds'))
  let timer = setTimeout(giveUp, silenceMs)
  const hear = () => {
    clearTimeout(timer)
    timer = setTimeout(giveUp, silenceMs)
  }
  stream.on('data', hear)
  // The listener started the stream. The reader resumes it.
  stream.pause()
  return () => {
    clearTimeout(timer)
    stream.off('data', hear)
  }
}

const isCutOff = (error: unknown): boolean =>
  ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'].includes((error as NodeJS.ErrnoException).code ?? '')

export const beingAppended = (uploadId: string): ServiceError =>
  new ServiceError('upload_busy', 'Another request is adding to the upload at this moment: try again', {
    headers: { 'retry-after': '1' },
    details: { uploadId },
  })

const lockLost = (uploadId: string): ServiceError =>
  new ServiceError(
    'upload_busy',
    'Another request has taken the upload over: ask for its offset and go on there',
    { details: { uploadId } },
  )

// The job that makes a document of a complete upload: one document, however often the job is started.

export const uploadQueue = 'knowledge-upload'

type Payload = { scope: WholeScope; uploadId: string }

/** The header Upload-Metadata as a row stores it: as it was sent, and parsed. */
export type StoredFields = { sent: string; fields: UploadFields }

const uploadJob = ({ workspaceId, environment }: WholeScope, uploadId: string): NewJob => ({
  queue: uploadQueue,
  workspaceId,
  payload: { scope: { workspaceId, environment }, uploadId } satisfies Payload,
})

export function createUploadQueue(
  dependencies: Pick<Platform, 'database' | 'blobs' | 'partialFiles' | 'clock'> & {
    uploads: Uploads
  },
): Queue<Payload> {
  const { database, blobs, partialFiles, uploads, clock } = dependencies

  /** Returns the id of the document, which an earlier attempt may have made. */
  const makeDocument = async (caller: Caller, upload: UploadRow, documentId: string): Promise<string> => {
    if ((await findDocument(caller.scope, database.read, documentId)) !== undefined) return documentId
    const { fields } = decodeJson(upload.fields) as StoredFields
    const stated = { name: upload.name, mediaType: upload.stated_media_type }
    const file = await partialFiles.receive(upload.id, stated)
    try {
      return (await takeFile(uploads, caller, fields, file, { id: documentId })).row.id
    } finally {
      await blobs.discard(file)
    }
  }

  return {
    concurrency: 2,
    leaseMs: 30 * secondMs,
    maxAttempts: 10,
    timeoutMs: 15 * minuteMs,
    async handle(job) {
      const { scope, uploadId } = job.payload
      const upload = await findUpload(scope, database.read, 0, uploadId)
      if (upload?.status !== 'finishing' || upload.document_id === null) return
      try {
        const id = await makeDocument(restoreCaller(upload.caller), upload, upload.document_id)
        const change = { status: 'done', document_id: id, updated_at: clock() } as const
        await job.complete(tx => updateUpload(scope, tx, uploadId, change))
      } catch (error) {
        if (!(error instanceof ServiceError) || error.statusCode >= 500) throw error
        const change = failure(error.code, messageOf(error))
        await job.complete(tx => updateUpload(scope, tx, uploadId, { ...change, updated_at: clock() }))
      }
      await partialFiles.remove(uploadId)
    },
    async onDead({ payload: { scope, uploadId } }, error, tx) {
      const message = 'The upload could not be taken in, for a reason on our side. Upload the file again.'
      const ending =
        error instanceof JobPoisoned
          ? failure('crashed_server', error.message)
          : failure('internal_error', message)
      await updateUpload(scope, tx, uploadId, { ...ending, updated_at: clock() })
    },
  }
}

const failure = (code: string, message: string) =>
  ({ status: 'failed', document_id: null, error_code: code, error_message: message }) as const

/** The faulty field's message says more than the error's own message. */
function messageOf(error: ServiceError): string {
  const [fault] = error.errors
  return fault === undefined ? error.message : `The ${fault.field} ${fault.message}`
}
