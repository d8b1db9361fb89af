/** Uploads by URL: the server fetches the file itself, from addresses outside only, and takes it in like any other. */
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { BlobStore, ReceivedFile } from '../../../platform/blobs/blobs.ts'
import type { Caller } from '../../../platform/caller.ts'
import type { Database } from '../../../platform/database/database.ts'
import { invalidField, ServiceError } from '../../../platform/errors.ts'
import type { Faults } from '../../../platform/faults.ts'
import { FaultyReply } from '../../../platform/fetch/faulty-reply.ts'
import type { SafeFetch } from '../../../platform/fetch/safe-fetch.ts'
import type { AuditService } from '../../audit/service.ts'
import type { Limits } from '../../limits/service.ts'
import { requireStorage } from '../../limits/storage-service.ts'
import { type Outcome, type Uploads, unknownCollection } from '../documents/document-uploads.ts'
import { findCollection } from '../records/collections-store.ts'
import type { DocumentRow } from '../records/documents-store.ts'
import type { UploadFields } from '../records/schemas.ts'
import { fileNameOf } from './file-name.ts'

/** Of one workspace, in this process. */
const fetchesAtOnce = 4

/**
 * Fetches the file and takes it in: as the next version of the document with the external id, where one is given.
 * Throws 400 naming `url` where the address is forbidden, redirects for ever or does not answer with a whole file, 413 where that is larger than
 * the plan allows, `integration_unreachable` where it cannot be had in time, and what an upload throws.
 */
export type UrlUpload = (
  caller: Caller,
  url: string,
  fields: UploadFields,
  signal: AbortSignal,
) => Promise<{ row: DocumentRow; outcome: Outcome }>

export function createUrlUpload(dependencies: {
  database: Database
  blobs: BlobStore
  limits: Limits
  safeFetch: SafeFetch
  audit: AuditService
  uploads: Uploads
  faults: Faults
  /** From the first byte sent to the last one received. */
  timeoutMs: number
}): UrlUpload {
  const { database, blobs, limits, safeFetch, audit, uploads, faults, timeoutMs } = dependencies
  const underWay = new Map<string, number>()

  const counted = async <T>(workspaceId: string, work: () => Promise<T>): Promise<T> => {
    const running = underWay.get(workspaceId) ?? 0
    if (running >= fetchesAtOnce) throw tooManyAtOnce()
    underWay.set(workspaceId, running + 1)
    try {
      return await work()
    } finally {
      const left = (underWay.get(workspaceId) ?? 1) - 1
      if (left > 0) underWay.set(workspaceId, left)
      else underWay.delete(workspaceId)
    }
  }

  const download = async (caller: Caller, url: string, signal: AbortSignal): Promise<ReceivedFile> => {
    const maxBytes = limits.of(caller).uploadBytes
    try {
      // The blob store counts what comes, and its error names the plan.
      const response = await safeFetch(url, {
        owner: caller.scope.workspaceId,
        signal,
        timeoutMs,
        maxResponseBytes: Number.MAX_SAFE_INTEGER,
      })
      const body = await bodyOf(response, maxBytes)
      const statedMediaType = response.headers.get('content-type') ?? ''
      const name = fileNameOf(url, response.headers)
      return await blobs.receive(body, { name, statedMediaType, maxBytes })
    } catch (error) {
      throw namingUrl(error)
    }
  }

  const takeIn = async (
    caller: Caller,
    fields: UploadFields,
    file: ReceivedFile,
  ): Promise<{ row: DocumentRow; outcome: Outcome }> => {
    const { collectionId, externalId, ...given } = fields
    if (externalId !== undefined) return uploads.upsert(caller, { collectionId, externalId }, given, file)
    return { row: await uploads.takeIn(caller, fields, file), outcome: 'created' }
  }

  return async (caller, url, fields, signal) => {
    if ((await findCollection(caller.scope, database.read, fields.collectionId)) === undefined) {
      throw unknownCollection()
    }
    await requireStorage(limits, caller, database.read, 1)
    const file = await counted(caller.scope.workspaceId, () => download(caller, url, signal))
    faults.reach('url.received')
    try {
      const taken = await takeIn(caller, fields, file)
      faults.reach('url.taken')
      const { origin, pathname } = new URL(url)
      // What stands behind the path can be a secret.
      const details = { from: origin + pathname, outcome: taken.outcome }
      await database.write(tx =>
        audit.record(tx, caller, { action: 'document.fetch', resourceId: taken.row.id, details }),
      )
      return taken
    } finally {
      await blobs.discard(file)
    }
  }
}

/** The body of a reply that brings a file. */
async function bodyOf(response: Response, maxBytes: number): Promise<Readable> {
  const statedBytes = Number(response.headers.get('content-length') ?? 0)
  const refusal = !response.ok
    ? invalidField('url', `answered with the status ${response.status}`)
    : statedBytes > maxBytes
      ? new ServiceError(
          'payload_too_large',
          `The file is larger than ${maxBytes} bytes, the limit of the plan`,
        )
      : null
  if (refusal !== null) {
    // Nothing of it is wanted; that letting go of it fails is no news.
    await response.body?.cancel().catch(() => undefined)
    throw refusal
  }
  // The same stream, as the two packages of types write it down.
  return response.body === null ? Readable.from([]) : Readable.fromWeb(response.body as ReadableStream)
}

function namingUrl(error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error
  if (error.code === 'address_forbidden' || error instanceof FaultyReply)
    return invalidField('url', error.message)
  if (error.code !== 'integration_unreachable') return error
  const errors = [{ field: 'url', message: error.message }]
  return new ServiceError('integration_unreachable', error.message, { errors, cause: error })
}

const tooManyAtOnce = (): ServiceError =>
  new ServiceError(
    'unavailable',
    `${fetchesAtOnce} files are being fetched already; try again when one is done`,
    {
      headers: { 'retry-after': '5' },
    },
  )
