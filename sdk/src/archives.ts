/** Archives of collections: exported as a stream, imported from a file. */
import { call, get, path } from './calls.ts'
import { TimeoutError } from './errors.ts'
import type { Data } from './operations.ts'
import type { CallOptions, Transport } from './transport.ts'
import { formOf, type UploadFile } from './upload.ts'

export type CollectionImport = Data<'getImport'>

export type NewImport = {
  file: UploadFile
  /** The new collection's name; the one that it has in the archive unless given. */
  name?: string | undefined
}

/** The server holds the call open for so long, so there is no pause between two of them. */
const waitSeconds = 20
const uploadTimeoutMs = 60 * 60_000

export const createImports = (transport: Transport) => ({
  /** Answers once the archive is stored; what then becomes of it, `wait` waits for. */
  create: ({ file, ...fields }: NewImport, options: CallOptions = {}) =>
    call<'importCollection'>(
      transport,
      { method: 'POST', path: '/knowledge/imports', form: formOf(fields, 'file', file) },
      { timeoutMs: uploadTimeoutMs, ...options },
    ),
  get: (id: string, options?: CallOptions) =>
    get<'getImport'>(transport, path`/knowledge/imports/${id}`, options),
  /** Resolves once the import has `succeeded` or `failed`; its `error` says why. Throws `TimeoutError`. */
  wait: async (
    id: string,
    { timeoutMs = 3_600_000, signal }: Pick<CallOptions, 'timeoutMs' | 'signal'> = {},
  ): Promise<CollectionImport> => {
    const deadline = Date.now() + timeoutMs
    while (true) {
      const leftMs = deadline - Date.now()
      const seconds = Math.max(0, Math.min(waitSeconds, Math.floor(leftMs / 1000)))
      const headers = { prefer: `wait=${seconds}` }
      const found = await call<'getImport'>(
        transport,
        { method: 'GET', path: path`/knowledge/imports/${id}`, headers },
        signal === undefined ? {} : { signal },
      )
      if (found.finishedAt !== null) return found
      if (Date.now() >= deadline)
        throw new TimeoutError(`${id} is still ${found.status} after ${timeoutMs} ms`)
    }
  },
})
