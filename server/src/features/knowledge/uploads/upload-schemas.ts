/** The wire format of uploads of many files, by URL and in pieces, with the headers of the tus protocol 1.0.0. */
import { faultOfName, safeName } from '../../../platform/blobs/file-name.ts'
import { checksumAlgorithms } from '../../../platform/blobs/partial-files.ts'
import { type FieldError, ServiceError } from '../../../platform/errors.ts'
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { exampleId, idOf, nullable, stringEnum, timestamp } from '../../../platform/schemas.ts'
import { jsonFault } from '../../../platform/text/json-text.ts'
import { nearestName } from '../../../platform/text/nearest-name.ts'
import { Document, documentExample, UploadFields } from '../records/schemas.ts'

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

const known = ['filename', 'filetype', 'collectionId', 'externalId', 'title', 'metadata']
const header = 'Upload-Metadata'

/** The parsed header Upload-Metadata: the values that the document is to get. */
type UploadMetadata = {
  name: string
  mediaType: string
  /** The same as the text parts of an upload; not yet validated. */
  fields: Record<string, unknown>
}

/** Throws `validation_failed` for a malformed header and for unknown keys; each fault names its key. */
export function parseUploadMetadata(text: string): UploadMetadata {
  const errors: FieldError[] = []
  const values = new Map<string, string>()
  for (const pair of text.split(',').map(part => part.trim())) {
    const [key = '', encoded = '', ...rest] = pair.split(' ')
    const fault = faultOf(key, encoded, rest.length, values)
    if (fault === null) values.set(key, Buffer.from(encoded, 'base64').toString('utf8'))
    else errors.push({ field: key === '' ? header : `${header}.${key}`, message: fault })
  }
  const path = values.get('filename') ?? ''
  const fault = baseName(path) === '' ? 'must be a file name of 1 to 255 characters' : faultOfName(path)
  if (fault !== null) errors.push({ field: `${header}.filename`, message: fault })
  const metadata = parseJson(values.get('metadata'), errors)
  if (errors.length > 0) throw new ServiceError('validation_failed', undefined, { errors })
  const given = ['collectionId', 'externalId', 'title'].filter(key => values.has(key))
  const fields: Record<string, unknown> = Object.fromEntries(given.map(key => [key, values.get(key)]))
  if (metadata !== undefined) fields.metadata = metadata
  return { name: safeName(path), mediaType: values.get('filetype')?.slice(0, 200) ?? '', fields }
}

/** Runs `validate`, and puts the header's name before the field names in its errors. */
export async function blamingHeader(validate: () => Promise<void>): Promise<void> {
  try {
    await validate()
  } catch (error) {
    if (!(error instanceof ServiceError) || error.errors.length === 0) throw error
    const errors = error.errors.map(fault => ({ ...fault, field: `${header}.${fault.field}` }))
    throw new ServiceError(error.code, error.message, { errors, cause: error })
  }
}

function faultOf(key: string, encoded: string, superfluous: number, values: ReadonlyMap<string, string>) {
  if (key === '') return 'must be pairs of a key and a Base64 value, parted by commas'
  if (!known.includes(key)) {
    const nearest = nearestName(key, known)
    return nearest === null ? 'is not a known key' : `is not a known key; did you mean \`${nearest}\`?`
  }
  if (values.has(key)) return 'must be sent only once'
  if (superfluous > 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(encoded)) return 'must be Base64'
  return null
}

const baseName = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)

function parseJson(text: string | undefined, errors: FieldError[]): unknown {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    errors.push({
      field: `${header}.metadata`,
      message: `must be valid JSON, such as {"department":"people"}: ${jsonFault(text)}`,
    })
    return undefined
  }
}

export const maxBatchFiles = 200
/** Limit for all zips of one request. */
export const maxZipEntries = 2_000

/** The text parts beside the files. */
export const BatchFields = Type.Closed({
  collectionId: idOf('collection', { description: 'Collection for the files.' }),
  externalIds: Type.Optional(
    stringEnum(['path', 'none'], {
      default: 'path',
      description:
        "`path` (the default) uses each file's path as its external id, so that sending the same files again changes nothing. `none` creates a new document for each file.",
    }),
  ),
  metadata: Type.Optional(UploadFields.properties.metadata),
})
export type BatchFields = Static<typeof BatchFields>

const fileOutcomes = ['created', 'changed', 'unchanged', 'rejected'] as const

export const BatchFile = Type.Closed('BatchFile', {
  name: Type.String({ description: 'Name as sent or as in the zip, with its folders.' }),
  externalId: nullable(Type.String({ description: 'Null with `externalIds=none`.' })),
  outcome: stringEnum(fileOutcomes, { description: 'Result for this file, independent of the others.' }),
  document: nullable(Document, {
    description: 'Null if it was rejected, or in a preview of a new document.',
  }),
  error: nullable(
    Type.Closed({ code: Type.String(), message: Type.String() }, { description: 'Why it was `rejected`.' }),
  ),
})
export type BatchFile = Static<typeof BatchFile>

const count = (description: string) => Type.Integer({ minimum: 0, description })

export const Batch = Type.Closed('Batch', {
  dryRun: Type.Boolean({ description: 'Whether this is a preview: nothing was stored.' }),
  created: count('New documents.'),
  changed: count('Documents with a new version.'),
  unchanged: count('Files that the collection already has.'),
  rejected: count('Files that were refused.'),
  files: Type.Array(BatchFile, { description: 'One entry for each file, in the order sent.' }),
})
export type Batch = Static<typeof Batch>

export const batchExample: Batch = {
  dryRun: false,
  created: 1,
  changed: 0,
  unchanged: 0,
  rejected: 1,
  files: [
    {
      name: 'handbook/leave.md',
      externalId: 'handbook/leave.md',
      outcome: 'created',
      document: {
        ...documentExample,
        id: exampleId('document'),
        externalId: 'handbook/leave.md',
        name: 'handbook/leave.md',
        status: 'queued',
        progress: 0,
        chunkCount: 0,
      },
      error: null,
    },
    {
      name: 'handbook/team.png',
      externalId: 'handbook/team.png',
      outcome: 'rejected',
      document: null,
      error: {
        code: 'unsupported_media_type',
        message: 'The file seems to be a PNG image, which is not supported.',
      },
    },
  ],
}
