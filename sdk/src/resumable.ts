/** Resumable uploads by the tus protocol, for files that are large or lines that break. */
import { call, get, path, previewRemove } from './transport/calls.ts'
import { ApiError, AtriumError, mayPass } from './transport/errors.ts'
import { listOf } from './transport/list.ts'
import type { Item, QueryOf } from './transport/operations.ts'
import { pause } from './transport/retry.ts'
import type { CallOptions, Transport } from './transport/transport.ts'

export type LargeFile = {
  collectionId: string
  /** The file name. */
  name: string
  mediaType?: string | undefined
  externalId?: string | undefined
  title?: string | undefined
  metadata?: Record<string, unknown> | undefined
}

export type SendOptions = Pick<CallOptions, 'signal'> & {
  /** Goes on with an upload that was begun before. */
  uploadId?: string | undefined
  /** Bytes of one request; eight megabytes unless given. */
  chunkBytes?: number | undefined
  /** How often in a row a broken line is taken up again; ten times unless given. */
  maxRetries?: number | undefined
  /** Told the bytes that are safe on the server, and the id to go on with. */
  onProgress?: ((uploadId: string, offset: number, length: number) => void) | undefined
}

type Standing = { id: string; offset: number; documentId: string | null; status?: string }

const tus = { 'tus-resumable': '1.0.0' }
const chunkTimeoutMs = 5 * 60_000

export const createUploads = (transport: Transport) => {
  const create = (file: LargeFile, length: number, options?: CallOptions) =>
    call<'createUpload'>(
      transport,
      {
        method: 'POST',
        path: '/knowledge/uploads',
        headers: { ...tus, 'upload-length': String(length), 'upload-metadata': metadataOf(file) },
      },
      options,
    )

  /** The bytes from `offset` on; returns where the upload stands then, and the document once it is whole. */
  const append = async (
    id: string,
    offset: number,
    bytes: Blob | Uint8Array,
    options?: CallOptions,
  ): Promise<Standing> => {
    const type = 'application/offset+octet-stream'
    const { headers } = await transport.send(
      {
        method: 'PATCH',
        path: path`/knowledge/uploads/${id}`,
        headers: { ...tus, 'upload-offset': String(offset) },
        form: { open: () => bytes as Blob, headers: { 'content-type': type }, repeatable: false },
      },
      { timeoutMs: chunkTimeoutMs, ...options },
    )
    const documentId = headers.get('atrium-document-id')
    return { id, offset: Number(headers.get('upload-offset')), documentId }
  }

  const find = (id: string, options?: CallOptions) =>
    get<'getUpload'>(transport, path`/knowledge/uploads/${id}`, options)

  return {
    /** What the server speaks, and the largest file that it takes. */
    capabilities: (options?: CallOptions) =>
      call<'getUploadCapabilities'>(transport, { method: 'OPTIONS', path: '/knowledge/uploads' }, options),
    create,
    append,
    get: find,
    list: (query: QueryOf<'listUploads'> = {}, options?: CallOptions) =>
      listOf<Item<'listUploads'>>(transport, '/knowledge/uploads', query, options),
    delete: async (id: string, options?: CallOptions): Promise<void> => {
      await transport.send({ method: 'DELETE', path: path`/knowledge/uploads/${id}`, headers: tus }, options)
    },
    previewDelete: (id: string, options?: CallOptions) =>
      previewRemove(transport, path`/knowledge/uploads/${id}`, options),
    /** Sends the whole file, going on where the line broke, and answers the document's id. */
    send: async (file: LargeFile, content: Blob, options: SendOptions = {}): Promise<string> => {
      const { chunkBytes = 8 * 1024 * 1024, maxRetries = 10, signal, onProgress } = options
      const begun =
        options.uploadId === undefined ? create(file, content.size, { signal }) : find(options.uploadId)
      let standing: Standing = await begun
      let failures = 0
      // After a fault the server is asked where it stands: more may have come than it could say.
      let inDoubt = false
      while (standing.documentId === null) {
        if (!inDoubt) onProgress?.(standing.id, standing.offset, content.size)
        const piece = content.slice(standing.offset, standing.offset + chunkBytes)
        const isWhole = piece.size === 0
        try {
          if (inDoubt || isWhole) standing = await find(standing.id, { signal })
          else standing = await append(standing.id, standing.offset, piece, { signal })
          if (!inDoubt) failures = 0
          inDoubt = false
          if (isWhole && standing.documentId === null) await pause(finishPollMs, signal)
        } catch (error) {
          failures += 1
          if (failures > maxRetries || !isPassing(error)) throw error
          inDoubt = true
          await pause(Math.min(10_000, 250 * 2 ** failures), signal)
        }
        if (standing.status === 'failed') throw new AtriumError('The upload was not taken in')
      }
      return standing.documentId
    },
  }
}

const finishPollMs = 500

/** The line, or an earlier request: it is still adding, or its reply was lost. */
const isPassing = (error: unknown): boolean =>
  mayPass(error) || (error instanceof ApiError && ['upload_offset', 'upload_ended'].includes(error.code))

function metadataOf({ name, mediaType, collectionId, externalId, title, metadata }: LargeFile): string {
  const values: Record<string, string | undefined> = {
    filename: name,
    filetype: mediaType,
    collectionId,
    externalId,
    title,
    metadata: metadata === undefined ? undefined : JSON.stringify(metadata),
  }
  return Object.entries(values)
    .flatMap(([key, value]) => (value === undefined ? [] : [`${key} ${base64(value)}`]))
    .join(',')
}

const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)))
