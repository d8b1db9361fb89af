/** Collections and documents on the wire. */
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { exampleId, idOf, nullable, stringEnum, timestamp } from '../../../platform/schemas.ts'
import { accessFields, changeableAccessFields } from '../../workspaces/teams/access-schemas.ts'
import { documentMetadata } from '../filter/metadata.ts'

const collectionName = Type.String({ minLength: 1, maxLength: 200, description: 'Its name, for people.' })
/** Records made before blank names were refused may have one. */
const newCollectionName = Type.String({ ...collectionName, pattern: '\\S' })
const collectionDescription = Type.String({ maxLength: 2_000, description: 'What it holds.' })

export const Collection = Type.Object(
  {
    id: idOf('collection'),
    name: collectionName,
    description: nullable(collectionDescription),
    documentCount: Type.Integer({ description: 'Documents in it, whatever their status.' }),
    chunkCount: Type.Integer({ description: 'Chunks that can be found.' }),
    sizeBytes: Type.Integer({ description: 'Bytes of the files that its documents have now.' }),
    storedBytes: Type.Integer({
      description:
        "Bytes of all files that are kept for it, which is what counts for the plan's storage: those of earlier versions and of documents in the trash as well.",
    }),
    embedding: nullable(
      Type.String({ description: 'The embedding model; null where search is by text only.' }),
    ),
    embeddingUpdate: nullable(
      Type.Object(
        {
          model: Type.String({ description: 'The model whose vectors are missing.' }),
          error: nullable(
            Type.Object(
              { code: Type.String(), message: Type.String() },
              { additionalProperties: false, description: 'Why the last attempt to make them failed.' },
            ),
          ),
        },
        {
          additionalProperties: false,
          description:
            'Set while chunks wait for their vectors: after a change of the model, or while the provider does not answer. They are made in the background; until then what there is serves.',
        },
      ),
    ),
    ...accessFields,
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { title: 'Collection', additionalProperties: false },
)
export type Collection = Static<typeof Collection>

export const NewCollection = Type.Object(
  {
    name: newCollectionName,
    description: Type.Optional(nullable(collectionDescription)),
    ...changeableAccessFields,
  },
  { title: 'NewCollection', additionalProperties: false },
)
export type NewCollection = Static<typeof NewCollection>

export const CollectionChange = Type.Object(
  {
    name: Type.Optional(newCollectionName),
    description: Type.Optional(nullable(collectionDescription)),
    ...changeableAccessFields,
  },
  { title: 'CollectionChange', additionalProperties: false, minProperties: 1 },
)
export type CollectionChange = Static<typeof CollectionChange>

export const documentStatuses = ['queued', 'parsing', 'embedding', 'indexing', 'ready', 'failed'] as const
export type DocumentStatus = (typeof documentStatuses)[number]

export const Document = Type.Object(
  {
    id: idOf('document'),
    collectionId: idOf('collection'),
    externalId: nullable(Type.String({ description: "The document's id in the system that it came from." })),
    name: Type.String({ description: "The file's name." }),
    title: nullable(Type.String({ description: 'As given, else as found in the file.' })),
    mediaType: Type.String({ description: 'What the file is by its content.' }),
    sizeBytes: Type.Integer({ description: 'Bytes of the original file.' }),
    sha256: Type.String({ description: 'Hash of the original file, in hexadecimal.' }),
    version: Type.Integer({ description: 'The latest; counts up with each new content.' }),
    servedVersion: nullable(
      Type.Integer({
        description:
          'The version that search finds: an earlier one while the latest is not `ready`, null while none was.',
      }),
    ),
    duplicateOf: nullable(
      idOf('document', { description: 'An older document of the collection with the very same content.' }),
    ),
    status: stringEnum(documentStatuses, {
      description:
        '`queued`, `parsing`, `embedding` (where its collection has a model), `indexing`, and then `ready` or `failed`, which are final. `ready` is found by the next search.',
    }),
    progress: Type.Number({ minimum: 0, maximum: 1, description: 'From 0 to 1.' }),
    error: nullable(
      Type.Object(
        {
          code: Type.String({ description: 'From a closed list, which the guide on error codes has.' }),
          message: Type.String(),
          retryable: Type.Boolean({ description: 'Whether a retry of the same file may end otherwise.' }),
        },
        { additionalProperties: false, description: 'Why it `failed`.' },
      ),
    ),
    pageCount: nullable(Type.Integer({ description: 'Where the format has pages.' })),
    chunkCount: Type.Integer({ description: 'Chunks that can be found.' }),
    metadata: Type.Object({}, { additionalProperties: true, description: 'What was given at the upload.' }),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { title: 'Document', additionalProperties: false },
)
export type Document = Static<typeof Document>

/** The text parts of an upload. */
export const UploadFields = Type.Object(
  {
    collectionId: idOf('collection', { description: 'The collection that it goes into.' }),
    externalId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: "The document's id in the system that it comes from; unique in its collection.",
        examples: ['wiki/4711'],
      }),
    ),
    title: Type.Optional(
      Type.String({ minLength: 1, maxLength: 500, description: 'Found in the file unless given.' }),
    ),
    metadata: Type.Optional(
      documentMetadata({
        description:
          'Up to 50 fields of your own, as JSON: strings, numbers, booleans, ISO 8601 dates and lists of strings.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type UploadFields = Static<typeof UploadFields>

export const DocumentContent = Type.Object(
  {
    documentId: idOf('document'),
    version: Type.Integer({ description: 'The version that the text belongs to.' }),
    startOffset: Type.Integer({ description: 'Of the first code point that is answered.' }),
    endOffset: Type.Integer({ description: 'Behind the last one.' }),
    length: Type.Integer({ description: 'Of the whole text, in code points.' }),
    text: Type.String(),
  },
  { title: 'DocumentContent', additionalProperties: false },
)
export type DocumentContent = Static<typeof DocumentContent>

export const collectionExample: Collection = {
  id: exampleId('collection'),
  name: 'Handbook',
  description: 'How we work.',
  documentCount: 12,
  chunkCount: 148,
  sizeBytes: 482_130,
  storedBytes: 513_906,
  embedding: 'openai/text-embedding-3-small',
  embeddingUpdate: null,
  access: 'workspace',
  teamIds: [],
  createdAt: '2026-11-21T09:30:00.000Z',
  updatedAt: '2026-11-21T09:30:00.000Z',
}

export const documentExample: Document = {
  id: exampleId('document'),
  collectionId: exampleId('collection'),
  externalId: 'wiki/4711',
  name: 'leave.md',
  title: 'Leave and holidays',
  mediaType: 'text/markdown',
  sizeBytes: 4_213,
  sha256: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
  version: 1,
  servedVersion: 1,
  duplicateOf: null,
  status: 'ready',
  progress: 1,
  error: null,
  pageCount: null,
  chunkCount: 5,
  metadata: { department: 'people' },
  createdAt: '2026-11-21T09:30:00.000Z',
  updatedAt: '2026-11-21T09:30:00.000Z',
}

/** The fields of a document that a client can change. */
export const DocumentPatch = Type.Object(
  {
    title: Type.Optional(
      Type.String({ minLength: 1, maxLength: 500, description: 'Its title, also found by search.' }),
    ),
    metadata: Type.Optional(
      documentMetadata({ description: 'Takes the place of all metadata that it had.' }),
    ),
    externalId: Type.Optional(
      nullable(
        Type.String({
          minLength: 1,
          maxLength: 500,
          description: 'Unique in its collection; null takes it away.',
        }),
      ),
    ),
  },
  { title: 'DocumentPatch', additionalProperties: false, minProperties: 1 },
)
export type DocumentPatch = Static<typeof DocumentPatch>

/** The text parts of an upsert; the external id stands in the path. */
export const UpsertFields = Type.Object(
  {
    title: Type.Optional(
      Type.String({ minLength: 1, maxLength: 500, description: 'Stays as it is unless given.' }),
    ),
    metadata: Type.Optional(documentMetadata({ description: 'As JSON; stays as it is unless given.' })),
  },
  { additionalProperties: false },
)

export const DocumentVersion = Type.Object(
  {
    documentId: idOf('document'),
    version: Type.Integer({ description: 'Its number; numbers that were never `ready` are passed over.' }),
    status: stringEnum(documentStatuses, {
      description: 'A version that was replaced is `ready`: it can be read.',
    }),
    isServed: Type.Boolean({ description: 'Whether it is the one that search finds.' }),
    name: Type.String({ description: "The file's name." }),
    title: nullable(Type.String({ description: 'As it was when the version was replaced.' })),
    mediaType: Type.String(),
    sizeBytes: Type.Integer({ description: 'Bytes of its file.' }),
    sha256: Type.String({ description: 'Hash of its file, in hexadecimal.' }),
    textLength: nullable(Type.Integer({ description: 'Code points of its text.' })),
    pageCount: nullable(Type.Integer({ description: 'Where the format has pages.' })),
    replacedAt: nullable(
      timestamp({ description: 'When a later version took its place; null for the latest.' }),
    ),
  },
  { title: 'DocumentVersion', additionalProperties: false },
)
export type DocumentVersion = Static<typeof DocumentVersion>

export const documentVersionExample: DocumentVersion = {
  documentId: documentExample.id,
  version: 1,
  status: 'ready',
  isServed: false,
  name: 'leave.md',
  title: 'Leave and holidays',
  mediaType: 'text/markdown',
  sizeBytes: 4_100,
  sha256: documentExample.sha256,
  textLength: 4_010,
  pageCount: null,
  replacedAt: '2026-11-21T09:30:00.000Z',
}

const trashTimes = {
  deletedAt: timestamp({ description: 'When it was deleted.' }),
  eraseAt: timestamp({ description: 'When it is erased for good; until then it can be restored.' }),
}

export const TrashedDocument = Type.Object(
  { ...Document.properties, ...trashTimes },
  { title: 'TrashedDocument', additionalProperties: false },
)
export type TrashedDocument = Static<typeof TrashedDocument>

export const TrashedCollection = Type.Object(
  { ...Collection.properties, ...trashTimes },
  { title: 'TrashedCollection', additionalProperties: false },
)
export type TrashedCollection = Static<typeof TrashedCollection>
