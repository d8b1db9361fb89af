/** Collections and documents on the wire. */
import Type from 'typebox'
import { exampleId, idOf, metadata, nullable, stringEnum, timestamp } from '../../platform/schemas.ts'

const collectionName = Type.String({ minLength: 1, maxLength: 200, description: 'Its name, for people.' })
const collectionDescription = Type.String({ maxLength: 2_000, description: 'What it holds.' })

export const Collection = Type.Object(
  {
    id: idOf('collection'),
    name: collectionName,
    description: nullable(collectionDescription),
    documentCount: Type.Integer({ description: 'Documents in it, whatever their status.' }),
    chunkCount: Type.Integer({ description: 'Chunks that can be found.' }),
    sizeBytes: Type.Integer({ description: 'Bytes of the original files.' }),
    embedding: nullable(
      Type.String({ description: 'The embedding model; null where search is by text only.' }),
    ),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { title: 'Collection', additionalProperties: false },
)
export type Collection = Type.Static<typeof Collection>

export const NewCollection = Type.Object(
  { name: collectionName, description: Type.Optional(nullable(collectionDescription)) },
  { title: 'NewCollection', additionalProperties: false },
)
export type NewCollection = Type.Static<typeof NewCollection>

export const CollectionChange = Type.Object(
  { name: Type.Optional(collectionName), description: Type.Optional(nullable(collectionDescription)) },
  { title: 'CollectionChange', additionalProperties: false, minProperties: 1 },
)
export type CollectionChange = Type.Static<typeof CollectionChange>

export const documentStatuses = ['queued', 'parsing', 'indexing', 'ready', 'failed'] as const
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
    version: Type.Integer({ description: 'Counts up with each new content.' }),
    status: stringEnum(documentStatuses, {
      description: '`ready` is found by the next search; `ready` and `failed` are final.',
    }),
    progress: Type.Number({ minimum: 0, maximum: 1, description: 'From 0 to 1.' }),
    error: nullable(
      Type.Object(
        { code: Type.String(), message: Type.String() },
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
export type Document = Type.Static<typeof Document>

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
    metadata: Type.Optional(metadata({ description: 'Up to 50 fields of your own, as JSON.' })),
  },
  { additionalProperties: false },
)
export type UploadFields = Type.Static<typeof UploadFields>

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
export type DocumentContent = Type.Static<typeof DocumentContent>

export const collectionExample: Collection = {
  id: exampleId('collection'),
  name: 'Handbook',
  description: 'How we work.',
  documentCount: 12,
  chunkCount: 148,
  sizeBytes: 482_130,
  embedding: null,
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
  status: 'ready',
  progress: 1,
  error: null,
  pageCount: null,
  chunkCount: 5,
  metadata: { department: 'people' },
  createdAt: '2026-11-21T09:30:00.000Z',
  updatedAt: '2026-11-21T09:30:00.000Z',
}
