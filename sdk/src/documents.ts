/** Documents: uploaded, waited for, read back. */
import { call, get, path, previewRemove, remove } from './calls.ts'
import { DocumentFailedError, TimeoutError } from './errors.ts'
import { listOf } from './list.ts'
import type { Data, Item, QueryOf } from './operations.ts'
import type { CallOptions, Transport } from './transport.ts'
import { formOf, type UploadFile } from './upload.ts'

type Document = Data<'getDocument'>

export type NewDocument = {
  collectionId: string
  file: UploadFile
  /** The document's id in the system that it comes from; unique in its collection. */
  externalId?: string | undefined
  /** Found in the file unless given. */
  title?: string | undefined
  /** Up to 50 fields of your own. */
  metadata?: Record<string, unknown> | undefined
}

export type WaitOptions = Pick<CallOptions, 'signal'> & {
  /** How long to wait in all; five minutes unless given. */
  timeoutMs?: number
  /** Told whenever the server has been asked, such as for a progress bar. */
  onProgress?: (document: Document) => void
}

/** The server holds the call open for so long, so there is no pause between two of them. */
const waitSeconds = 20
const uploadTimeoutMs = 15 * 60_000

export const createDocuments = (transport: Transport) => ({
  list: (query: QueryOf<'listDocuments'> = {}, options?: CallOptions) =>
    listOf<Item<'listDocuments'>>(transport, '/knowledge/documents', query, options),
  get: (id: string, options?: CallOptions) =>
    get<'getDocument'>(transport, path`/knowledge/documents/${id}`, options),
  /** Answers once the file is stored safely; what then happens to it, `waitUntilReady` waits for. */
  upload: ({ file, ...fields }: NewDocument, options: CallOptions = {}) =>
    call<'uploadDocument'>(
      transport,
      { method: 'POST', path: '/knowledge/documents', form: formOf(fields, 'file', file) },
      { timeoutMs: uploadTimeoutMs, ...options },
    ),
  /** Resolves with the document once it can be found. Throws `DocumentFailedError` or `TimeoutError`. */
  waitUntilReady: (id: string, options: WaitOptions = {}) => waitUntilReady(transport, id, options),
  /** The extracted text, whole or from code point `from` to `to`; at most 100,000 code points at a time. */
  content: (id: string, range: QueryOf<'getDocumentContent'> = {}, options?: CallOptions) =>
    call<'getDocumentContent'>(
      transport,
      { method: 'GET', path: path`/knowledge/documents/${id}/content`, query: range },
      options,
    ),
  /** The file as it was uploaded; read its `body`, `blob()` or `arrayBuffer()`. */
  original: (id: string, options?: CallOptions): Promise<Response> =>
    transport.open({ method: 'GET', path: path`/knowledge/documents/${id}/original` }, options),
  delete: (id: string, options?: CallOptions) => remove(transport, path`/knowledge/documents/${id}`, options),
  previewDelete: (id: string, options?: CallOptions) =>
    previewRemove(transport, path`/knowledge/documents/${id}`, options),
})

async function waitUntilReady(transport: Transport, id: string, options: WaitOptions): Promise<Document> {
  const { timeoutMs = 300_000, signal, onProgress } = options
  const deadline = Date.now() + timeoutMs
  while (true) {
    const leftMs = deadline - Date.now()
    const seconds = Math.max(0, Math.min(waitSeconds, Math.floor(leftMs / 1000)))
    const document = await call<'getDocument'>(
      transport,
      {
        method: 'GET',
        path: path`/knowledge/documents/${id}`,
        headers: { prefer: `wait=${seconds}` },
      },
      { signal },
    )
    onProgress?.(document)
    if (document.status === 'ready') return document
    if (document.status === 'failed') {
      throw new DocumentFailedError(id, document.error ?? { code: 'unknown', message: 'no reason was given' })
    }
    if (Date.now() >= deadline) {
      throw new TimeoutError(`${id} is still ${document.status} after ${timeoutMs} ms`)
    }
  }
}
