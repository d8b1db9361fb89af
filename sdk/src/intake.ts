/** Many documents in one call, or one by its address. */
import { call, post } from './calls.ts'
import type { Body } from './operations.ts'
import type { CallOptions, FormBody, Transport } from './transport.ts'
import { formOfFiles, type UploadFile, type UploadSource } from './upload.ts'

export type NewDocuments = {
  collectionId: string
  /** Each with its path as its name; a zip is taken apart. */
  files: readonly (Omit<UploadFile, 'content'> & { content: Exclude<UploadSource, ReadableStream> })[]
  /** `path` unless given: each file's path is its external id, so that the same files again are unchanged. */
  externalIds?: 'path' | 'none' | undefined
  /** Given to every one of them. */
  metadata?: Record<string, unknown> | undefined
}

const uploadTimeoutMs = 15 * 60_000

export const createIntake = (transport: Transport) => {
  const send = (documents: NewDocuments, dryRun: boolean, options?: CallOptions) =>
    call<'uploadDocuments'>(
      transport,
      {
        method: 'POST',
        path: '/knowledge/documents/batch',
        form: formOf(documents),
        query: dryRun ? { dryRun } : undefined,
      },
      { timeoutMs: uploadTimeoutMs, ...options },
    )
  return {
    /** Answers what became of each file; one that cannot be taken never costs another. */
    uploadMany: (documents: NewDocuments, options?: CallOptions) => send(documents, false, options),
    /** The same outcomes, and nothing is taken. */
    previewUploadMany: (documents: NewDocuments, options?: CallOptions) => send(documents, true, options),
    /** The server fetches the file; with an `externalId` the document that has it is brought up to date. */
    uploadFromUrl: (document: Body<'uploadDocumentFromUrl'>, options?: CallOptions) =>
      post<'uploadDocumentFromUrl'>(transport, '/knowledge/documents/from-url', document, {
        timeoutMs: uploadTimeoutMs,
        ...options,
      }),
  }
}

const formOf = ({ files, ...fields }: NewDocuments): FormBody => formOfFiles(fields, 'file', files)
