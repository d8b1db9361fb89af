/** Resumable uploads on the wire: the headers of the tus protocol 1.0.0, and the record of an upload. */

import { checksumAlgorithms } from '../../../platform/blobs/partial-files.ts'
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { exampleId, idOf, nullable, stringEnum, timestamp } from '../../../platform/schemas.ts'

export const tusVersion = '1.0.0'
export const tusExtensions = ['creation', 'creation-with-upload', 'termination', 'expiration', 'checksum']

export const uploadStatuses = ['open', 'finishing', 'done', 'failed'] as const

export const ResumableUpload = Type.Closed('ResumableUpload', {
  id: idOf('upload'),
  collectionId: idOf('collection'),
  name: Type.String({ description: "The file's name." }),
  status: stringEnum(uploadStatuses, {
    description: '`finishing` after the last byte, until the document is created.',
  }),
  offset: Type.Integer({ description: 'Bytes received and stored.' }),
  length: Type.Integer({ description: 'Bytes of the whole file.' }),
  documentId: nullable(idOf('document', { description: 'Set once it is `done`.' })),
  error: nullable(
    Type.Closed({ code: Type.String(), message: Type.String() }, { description: 'Why it `failed`.' }),
  ),
  createdAt: timestamp({ description: 'When it was created.' }),
  expiresAt: timestamp({ description: 'When it expires unless more bytes arrive.' }),
})
export type ResumableUpload = Static<typeof ResumableUpload>

export const TusCapabilities = Type.Closed('TusCapabilities', {
  version: Type.String(),
  extensions: Type.Array(Type.String()),
  maxSizeBytes: Type.Integer({ description: 'The largest file that the plan allows.' }),
  checksumAlgorithms: Type.Array(stringEnum(checksumAlgorithms)),
})
export type TusCapabilities = Static<typeof TusCapabilities>

const resumable = Type.Optional(
  Type.String({
    description:
      'The version of the protocol: `1.0.0`. Without it, or with another one, POST, HEAD, PATCH and DELETE answer 412 with `Tus-Version`.',
    examples: [tusVersion],
  }),
)
const checksum = Type.Optional(
  Type.String({
    maxLength: 200,
    description: `An algorithm (${checksumAlgorithms.join(', ')}), a space, and the checksum of this request's bytes in Base64: bytes that have another one are not kept.`,
    examples: ['sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0='],
  }),
)

const contentLength = Type.Optional(
  Type.Integer({ minimum: 0, description: 'Number of bytes in this request.' }),
)

export const CreationHeaders = Type.Object({
  'Tus-Resumable': resumable,
  'Upload-Length': Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Bytes of the whole file.',
    examples: [104_857_600],
  }),
  'Upload-Metadata': Type.String({
    maxLength: 12_000,
    description:
      'Comma-separated pairs of a name and a Base64 value: `filename` and `collectionId`, optionally `externalId`, `title`, `metadata` (JSON) and `filetype`.',
    examples: ['filename bGVhdmUubWQ=,collectionId Y29sXzAxa2FqejR2N3FmM3g4bTJjOXQ1YjZuMHJ3'],
  }),
  'Content-Length': contentLength,
  'Upload-Checksum': checksum,
})

export const AppendHeaders = Type.Object({
  'Tus-Resumable': resumable,
  'Upload-Offset': Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Offset of the bytes: the last offset from the server.',
    examples: [0],
  }),
  'Content-Length': contentLength,
  'Upload-Checksum': checksum,
})

export const VersionHeaders = Type.Object({ 'Tus-Resumable': resumable })

export const resumableUploadExample: ResumableUpload = {
  id: exampleId('upload'),
  collectionId: exampleId('collection'),
  name: 'handbook.pdf',
  status: 'open',
  offset: 41_943_040,
  length: 104_857_600,
  documentId: null,
  error: null,
  createdAt: '2026-11-21T09:30:00.000Z',
  expiresAt: '2026-11-22T09:30:00.000Z',
}
