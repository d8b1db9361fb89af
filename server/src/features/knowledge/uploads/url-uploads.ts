/** Uploads by URL: the server fetches the file, only from public addresses, and takes it like any other upload. */

import { extname } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { ReceivedFile } from '../../../platform/blobs/blobs.ts'
import { safeName } from '../../../platform/blobs/file-name.ts'
import type { Caller } from '../../../platform/caller.ts'
import { invalidField, ServiceError, tooLarge } from '../../../platform/errors.ts'
import { FaultyReply } from '../../../platform/fetch/requests.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { AuditService } from '../../audit/service.ts'
import { type Limits, requireStorage } from '../../limits/service.ts'
import { requireCollection, takeFile, type Uploads, type Upserted } from '../documents/document-uploads.ts'
import type { UploadFields } from '../records/schemas.ts'

/** Limit for one workspace in this process. */
const fetchesAtOnce = 4

/**
 * Fetches the file and takes it in. With an external id it becomes the next version of that document. Throws 400
 * naming `url` if the address is forbidden, redirects for ever or does not answer with a whole file. Throws 413 if
 * the file is larger than the plan allows, `integration_unreachable` if it cannot be fetched in time, and what an
 * upload throws.
 */
export type UrlUpload = (
  caller: Caller,
  url: string,
  fields: UploadFields,
  signal: AbortSignal,
) => Promise<Upserted>

export function createUrlUpload(
  dependencies: Pick<Platform, 'database' | 'blobs' | 'safeFetch'> & {
    limits: Limits
    audit: AuditService
    uploads: Uploads
    /** From the first byte sent to the last one received. */
    timeoutMs: number
  },
): UrlUpload {
  const { database, blobs, limits, safeFetch, audit, uploads, timeoutMs } = dependencies
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
      // The blob store counts the bytes, and its error names the plan.
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

  return async (caller, url, fields, signal) => {
    await requireCollection(caller.scope, database.read, fields.collectionId)
    await requireStorage(limits, caller, database.read, 1)
    const file = await counted(caller.scope.workspaceId, () => download(caller, url, signal))
    try {
      const taken = await takeFile(uploads, caller, fields, file)
      const { origin, pathname } = new URL(url)
      // The part of the address behind the path can hold a secret.
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
      ? tooLarge('The file', maxBytes, {
          remedy: ', the limit of the plan',
          field: 'url',
          actual: statedBytes,
        })
      : null
  if (refusal !== null) {
    // The body is not needed, so a failure to cancel it does not matter.
    await response.body?.cancel().catch(() => undefined)
    throw refusal
  }
  // The cast is between two packages' types of the same stream.
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

/**
 * The name of a fetched file: as its server states it, else the end of the address. Never empty, and without folders
 * and control characters.
 */
export function fileNameOf(url: string, headers: Headers): string {
  const named = statedName(headers.get('content-disposition') ?? '') ?? lastOf(url)
  const name = named.trim() === '' ? new URL(url).hostname : safeName(named)
  const ending = endings[(headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '']
  // The ending decides between kinds of text, which look alike. The content tells all other kinds.
  return extname(name) === '' && ending !== undefined ? safeName(name + ending) : name
}

/** RFC 6266: the extended name counts before the plain one. */
function statedName(disposition: string): string | null {
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1]
  if (extended !== undefined) return decoded(extended)
  const plain = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition)
  return plain?.[1]?.replaceAll(/\\(.)/g, '$1') ?? plain?.[2] ?? null
}

const lastOf = (url: string): string => decoded(new URL(url).pathname.split('/').at(-1) ?? '') ?? ''

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    // Not every address is UTF-8. Then the file has the name as the address writes it.
    return text
  }
}

const endings: Readonly<Record<string, string>> = {
  'application/json': '.json',
  'application/xml': '.xml',
  'text/asciidoc': '.adoc',
  'text/csv': '.csv',
  'text/html': '.html',
  'text/markdown': '.md',
  'text/plain': '.txt',
  'text/x-org': '.org',
  'text/x-rst': '.rst',
  'text/xml': '.xml',
}
