/** The wire format of collections and documents. */
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { exampleId, idOf, nullable, stringEnum, timestamp } from '../../../platform/schemas.ts'
import { DocumentWarning } from '../../events/data-schemas.ts'
import { accessFields, changeableAccessFields } from '../../workspaces/teams/teams-schemas.ts'
import { documentMetadata } from '../filter/filter.ts'

const collectionName = Type.String({ minLength: 1, maxLength: 200, description: 'Its name, for people.' })
/** Collections made before blank names were refused may have a blank name. */
const newCollectionName = Type.String({ ...collectionName, pattern: '\\S' })
const collectionDescription = Type.String({ maxLength: 2_000, description: 'What it holds.' })

export const Collection = Type.Closed('Collection', {
  id: idOf('collection'),
  name: collectionName,
  description: nullable(collectionDescription),
  documentCount: Type.Integer({ description: 'Number of documents, in any status.' }),
  chunkCount: Type.Integer({ description: 'Number of searchable chunks.' }),
  sizeBytes: Type.Integer({ description: 'Bytes of the current files of its documents.' }),
  storedBytes: Type.Integer({
    description:
      "Bytes of all stored files, including earlier versions and documents in the trash. This counts towards the plan's storage.",
  }),
  embedding: nullable(Type.String({ description: 'The embedding model; null for text search only.' })),
  embeddingUpdate: nullable(
    Type.Closed(
      {
        model: Type.String({ description: 'The model whose vectors are missing.' }),
        error: nullable(
          Type.Closed(
            { code: Type.String(), message: Type.String() },
            { description: 'Why the last attempt to create them failed.' },
          ),
        ),
      },
      {
        description:
          'Set while chunks lack vectors: after a change of the model, or while the provider does not answer. The server creates them in the background; until then search uses the existing vectors.',
      },
    ),
  ),
  ...accessFields,
  createdAt: timestamp({ description: 'When it was created.' }),
  updatedAt: timestamp({ description: 'When it last changed.' }),
})
export type Collection = Static<typeof Collection>

export const NewCollection = Type.Closed('CollectionInput', {
  name: newCollectionName,
  description: Type.Optional(nullable(collectionDescription)),
  ...changeableAccessFields,
})
export type NewCollection = Static<typeof NewCollection>

export const CollectionChange = Type.Closed(
  'CollectionChange',
  {
    name: Type.Optional(newCollectionName),
    description: Type.Optional(nullable(collectionDescription)),
    ...changeableAccessFields,
  },
  { minProperties: 1 },
)
export type CollectionChange = Static<typeof CollectionChange>

export const documentStatuses = ['queued', 'parsing', 'embedding', 'indexing', 'ready', 'failed'] as const
export type DocumentStatus = (typeof documentStatuses)[number]

const warnings = Type.Array(DocumentWarning, {
  description: 'What was not read of the file; empty if it was read in full, or is not `ready` yet.',
})

export const Document = Type.Closed('Document', {
  id: idOf('document'),
  collectionId: idOf('collection'),
  externalId: nullable(Type.String({ description: "The document's id in the source system." })),
  name: Type.String({ description: "The file's name." }),
  title: nullable(Type.String({ description: 'Title as given, or as found in the file.' })),
  mediaType: Type.String({ description: 'Media type, detected from the content.' }),
  sizeBytes: Type.Integer({ description: 'Bytes of the original file.' }),
  sha256: Type.String({ description: 'Hash of the original file, in hexadecimal.' }),
  version: Type.Integer({ description: 'Number of the latest version; grows with each new content.' }),
  servedVersion: nullable(
    Type.Integer({
      description:
        'The version that search finds: an earlier one until the latest is `ready`; null if no version has been `ready`.',
    }),
  ),
  duplicateOf: nullable(
    idOf('document', { description: 'Id of an older document of the collection with the same content.' }),
  ),
  status: stringEnum(documentStatuses, {
    description:
      '`queued`, `parsing`, `embedding` (if its collection has an embedding model), `indexing`, then `ready` or `failed`, which are final. The next search finds a `ready` document.',
  }),
  progress: Type.Number({ minimum: 0, maximum: 1, description: 'From 0 to 1.' }),
  error: nullable(
    Type.Closed(
      {
        code: Type.String({ description: 'One of the codes in the guide on error codes.' }),
        message: Type.String({ description: 'What went wrong, for people.' }),
        retryable: Type.Boolean({ description: 'Whether a retry of the same file may succeed.' }),
      },
      { description: 'Why it `failed`.' },
    ),
  ),
  pageCount: nullable(Type.Integer({ description: 'Number of pages; null for formats without pages.' })),
  warnings,
  chunkCount: Type.Integer({ description: 'Number of searchable chunks.' }),
  metadata: Type.Object(
    {},
    { additionalProperties: true, description: 'Metadata given at the upload or changed later.' },
  ),
  createdAt: timestamp({ description: 'When it was created.' }),
  updatedAt: timestamp({ description: 'When it last changed.' }),
})
export type Document = Static<typeof Document>

/** Programs take a path's `.` and `..` for steps and drop them, so that no address could ever name such a document. */
export const givenExternalId = (options: { description: string; examples?: string[] }) =>
  Type.String({ minLength: 1, maxLength: 500, pattern: '^(\\.{0,2}[^.]|\\.{3})', ...options })

/** The text parts of an upload. */
export const UploadFields = Type.Closed({
  collectionId: idOf('collection', { description: 'Collection for the document.' }),
  externalId: Type.Optional(
    givenExternalId({
      description: "The document's id in the source system; unique in its collection.",
      examples: ['wiki/4711'],
    }),
  ),
  title: Type.Optional(
    Type.String({ minLength: 1, maxLength: 500, description: 'By default taken from the file.' }),
  ),
  metadata: Type.Optional(
    documentMetadata({
      description:
        'Up to 50 fields of your own, as JSON: strings, numbers, booleans, ISO 8601 dates and lists of strings.',
    }),
  ),
})
export type UploadFields = Static<typeof UploadFields>

/** The fields of a body that stand for a file: the file as text. */
const textFields = {
  text: Type.String({
    minLength: 1,
    description:
      'Text of the document. The whole body may have 2 MB, and the text the upload size of the plan; send a longer text as a file.',
  }),
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'File name, whose ending tells the format: `leave.md`, `leave.html`, `leave.csv`. By default a new document gets its title as its name, and an existing one keeps its name.',
      examples: ['leave.md'],
    }),
  ),
}

export const TextUpload = Type.Closed('TextUpload', { ...UploadFields.properties, ...textFields })

export const DocumentContent = Type.Closed('DocumentContent', {
  documentId: idOf('document'),
  version: Type.Integer({ description: 'The version that the text belongs to.' }),
  startOffset: Type.Integer({ description: 'Offset of the first code point returned.' }),
  endOffset: Type.Integer({ description: 'Offset after the last code point returned.' }),
  length: Type.Integer({ description: 'Length of the whole text, in code points.' }),
  text: Type.String(),
})
export type DocumentContent = Static<typeof DocumentContent>

export const Chunk = Type.Closed('Chunk', {
  id: idOf('chunk', { description: 'Id of the chunk, as search and citations name it.' }),
  documentId: idOf('document'),
  documentVersion: Type.Integer({ description: 'The version that the chunk belongs to.' }),
  position: Type.Integer({ minimum: 0, description: 'Its place in the document, from 0.' }),
  headings: Type.Array(Type.String(), {
    description:
      'The headings above it, from the topmost one; in a long table the names of its columns come last.',
  }),
  text: Type.String({
    description: "Exactly the document's text from `startOffset` to `endOffset`.",
  }),
  location: Type.Closed({
    page: nullable(Type.Integer({ description: 'Page number, from 1; null for formats without pages.' })),
    startOffset: Type.Integer({
      minimum: 0,
      description: "Start of the chunk, in code points of the document's text.",
    }),
    endOffset: Type.Integer({ minimum: 0, description: 'End of the chunk, exclusive.' }),
  }),
})
export type Chunk = Static<typeof Chunk>

export const chunkExample: Chunk = {
  id: exampleId('chunk'),
  documentId: exampleId('document'),
  documentVersion: 1,
  position: 2,
  headings: ['Leave and holidays', 'Paid leave'],
  text: 'Everybody has 28 days of paid leave a year.',
  location: { page: null, startOffset: 210, endOffset: 253 },
}

export const DocumentTable = Type.Closed('DocumentTable', {
  documentId: idOf('document'),
  documentVersion: Type.Integer({ description: 'The version that the table belongs to.' }),
  number: Type.Integer({ minimum: 1, description: 'Its place among the tables of the document, from 1.' }),
  headings: Type.Array(Type.String(), {
    description: 'The headings above it, from the topmost one, such as the name of its sheet.',
  }),
  titles: Type.Array(Type.String(), { description: 'Its rows above the names of the columns.' }),
  columns: Type.Array(Type.String(), {
    description:
      'The names of its columns; several rows of names are joined. Empty if it has none; `""` for a column without a name.',
  }),
  columnCount: Type.Integer({ minimum: 1, description: 'The number of its columns.' }),
  rowCount: Type.Integer({ minimum: 0, description: 'The number of its rows below the names.' }),
  rows: Type.Array(Type.Array(Type.String()), {
    description:
      'Its rows below the names, each with a cell for each column, up to 16,384. A value that covers several columns or rows is repeated in each.',
  }),
  nextOffset: nullable(
    Type.Integer({
      minimum: 0,
      description: 'Where the rows begin that this reply leaves out; null if none.',
    }),
  ),
  location: Type.Closed({
    page: nullable(
      Type.Integer({ description: 'The page that it begins on; null for formats without pages.' }),
    ),
    startOffset: Type.Integer({
      minimum: 0,
      description: "Start of the table, in code points of the document's text.",
    }),
    endOffset: Type.Integer({ minimum: 0, description: 'End of the table, exclusive.' }),
  }),
})
export type DocumentTable = Static<typeof DocumentTable>

export const documentTableExample: DocumentTable = {
  documentId: exampleId('document'),
  documentVersion: 1,
  number: 1,
  headings: ['Spare parts'],
  titles: [],
  columns: ['Article', 'Unit price'],
  columnCount: 2,
  rowCount: 2,
  rows: [
    ['QX-5333', '19.15'],
    ['QX-5334', '21.40'],
  ],
  nextOffset: null,
  location: { page: 3, startOffset: 1_204, endOffset: 1_256 },
}

const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description })

export const PageBoxes = Type.Closed('PageBoxes', {
  documentId: idOf('document'),
  documentVersion: Type.Integer({ description: 'The version that was read.' }),
  page: Type.Integer({ minimum: 1, description: 'The page, from 1.' }),
  boxes: Type.Array(
    Type.Closed({
      left: share('Left edge, as a share of the width.'),
      top: share('Upper edge, as a share of the height, from the top.'),
      right: share('Right edge, as a share of the width.'),
      bottom: share('Lower edge, as a share of the height.'),
    }),
    {
      description:
        'A box for each line of the passage on the page, in shares of the page as its picture shows it; empty if none of it is there.',
    },
  ),
})
export type PageBoxes = Static<typeof PageBoxes>

export const pageBoxesExample: PageBoxes = {
  documentId: exampleId('document'),
  documentVersion: 1,
  page: 3,
  boxes: [{ left: 0.118, top: 0.204, right: 0.871, bottom: 0.219 }],
}

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
  warnings: [],
  chunkCount: 5,
  metadata: { department: 'people' },
  createdAt: '2026-11-21T09:30:00.000Z',
  updatedAt: '2026-11-21T09:30:00.000Z',
}

/** The fields of a document that a client can change. */
export const DocumentPatch = Type.Closed(
  'DocumentPatch',
  {
    title: Type.Optional(
      Type.String({ minLength: 1, maxLength: 500, description: 'Title, which search finds too.' }),
    ),
    metadata: Type.Optional(documentMetadata({ description: 'Replaces all metadata.' })),
    externalId: Type.Optional(
      nullable(givenExternalId({ description: 'Unique in its collection; null removes it.' })),
    ),
  },
  { minProperties: 1 },
)
export type DocumentPatch = Static<typeof DocumentPatch>

/** The text parts of an upsert; the external id is in the path. */
export const UpsertFields = Type.Closed({
  title: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'Unchanged if left out.' })),
  metadata: Type.Optional(documentMetadata({ description: 'JSON; unchanged if left out.' })),
})

export const TextUpsert = Type.Closed('TextUpsert', { ...UpsertFields.properties, ...textFields })

export const textExample = {
  title: 'Leave and holidays',
  text: '# Leave\n\nEverybody has 28 days of paid leave a year.\n',
  metadata: { department: 'people' },
}

export const DocumentVersion = Type.Closed('DocumentVersion', {
  documentId: idOf('document'),
  version: Type.Integer({
    description: 'Version number. Versions that were never `ready` are not listed.',
  }),
  status: stringEnum(documentStatuses, {
    description: 'Replaced versions are `ready` and can be read.',
  }),
  isServed: Type.Boolean({ description: 'Whether search finds this version.' }),
  name: Type.String({ description: "The file's name." }),
  title: nullable(Type.String({ description: 'Title of the version: of a replaced one, its last title.' })),
  mediaType: Type.String(),
  sizeBytes: Type.Integer({ description: 'Bytes of its file.' }),
  sha256: Type.String({ description: 'Hash of its file, in hexadecimal.' }),
  textLength: nullable(Type.Integer({ description: 'Code points of its text.' })),
  pageCount: nullable(Type.Integer({ description: 'Number of pages; null for formats without pages.' })),
  warnings,
  replacedAt: nullable(timestamp({ description: 'When a later version replaced it; null for the latest.' })),
})
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
  warnings: [],
  replacedAt: '2026-11-21T09:30:00.000Z',
}

const trashTimes = {
  deletedAt: timestamp({ description: 'When it was deleted.' }),
  eraseAt: timestamp({ description: 'When it is permanently erased; until then it can be restored.' }),
}

export const TrashedDocument = Type.Closed('TrashedDocument', { ...Document.properties, ...trashTimes })
export type TrashedDocument = Static<typeof TrashedDocument>

export const TrashedCollection = Type.Closed('TrashedCollection', { ...Collection.properties, ...trashTimes })
export type TrashedCollection = Static<typeof TrashedCollection>
