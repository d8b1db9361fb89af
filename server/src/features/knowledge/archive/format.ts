/** The format of an archive, version 1: the entries of a gzipped tar file, their names, and their JSON. */

import { idPattern } from '../../../platform/ids.ts'
import { firstFaultIn } from '../../../platform/json-schema/own-schema.ts'
import { type Static, type TSchema, Type } from '../../../platform/json-schema/type.ts'
import { shapeFault } from '../../../platform/text/json-text.ts'
import { documentMetadata } from '../filter/filter.ts'
import { maxPdfPages, maxTextLength } from '../parsing/limits.ts'
import { maxWarningPages } from '../parsing/warnings.ts'

export const archiveFormat = 'atrium-archive-1'

/** Refuses an archive; the client that sent it receives `message`. */
export class ArchiveFault extends Error {
  override readonly name = 'ArchiveFault'
  readonly code: 'archive_invalid' | 'archive_version' | 'storage_limit'

  constructor(code: ArchiveFault['code'], message: string) {
    super(message)
    this.code = code
  }
}

export const damaged = (message: string): ArchiveFault => new ArchiveFault('archive_invalid', message)

const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
const id = Type.String({ pattern: idPattern.source })
const time = Type.String({
  pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}Z$',
})
const count = Type.Integer({ minimum: 0, maximum: 2 ** 40 })
/** No reader reads a document of more pages. */
const page = nullable(Type.Integer({ minimum: 1, maximum: maxPdfPages }))
const textLength = Type.Integer({ minimum: 0, maximum: maxTextLength })
const title = nullable(Type.String({ maxLength: 10_000 }))

export const Manifest = Type.Closed({
  format: Type.String(),
  kind: Type.Union([Type.Literal('collection'), Type.Literal('workspace')]),
  createdAt: time,
})

export const ArchivedCollection = Type.Closed({
  id,
  environment: Type.Union([Type.Literal('live'), Type.Literal('test')]),
  name: Type.String({ minLength: 1, maxLength: 200 }),
  description: nullable(Type.String({ maxLength: 2_000 })),
  /** The model of the chunks' vectors; null if the chunks have no vectors. */
  embedding: nullable(
    Type.Closed({
      model: Type.String({ minLength: 1, maxLength: 200 }),
      dimensions: Type.Integer({ minimum: 1, maximum: 16_000 }),
    }),
  ),
  createdAt: time,
  updatedAt: time,
})
export type ArchivedCollection = Static<typeof ArchivedCollection>

/** A text of 20 million characters needs about a tenth of these segments, at sixteen chunks a segment. */
const maxSegments = 15_000

const content = {
  version: Type.Integer({ minimum: 1, maximum: 1e9 }),
  name: Type.String({ minLength: 1, maxLength: 255 }),
  title,
  mediaType: Type.String({ pattern: '^[a-z0-9.+-]+/[a-z0-9.+-]+$', maxLength: 200 }),
  sizeBytes: count,
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  pageCount: nullable(Type.Integer({ minimum: 0, maximum: maxPdfPages })),
  /** Absent in archives of servers that did not warn yet. */
  warnings: Type.Optional(
    Type.Array(
      Type.Closed({
        code: Type.String({ pattern: '^[a-z_]{1,50}$' }),
        count: Type.Integer({ minimum: 1, maximum: 2 ** 40 }),
        pages: Type.Array(Type.Integer({ minimum: 1, maximum: maxPdfPages }), { maxItems: maxWarningPages }),
      }),
      { maxItems: 50 },
    ),
  ),
  chunkCount: count,
}

export const ArchivedDocument = Type.Closed({
  id,
  externalId: nullable(Type.String({ minLength: 1, maxLength: 500 })),
  ...content,
  givenTitle: title,
  /** Null if its latest version has no text yet. */
  textLength: nullable(textLength),
  /** The version that search finds; null if there is none. `chunkCount` is the count of this version. */
  servedVersion: nullable(Type.Integer({ minimum: 1, maximum: 1e9 })),
  /** `queued` if its latest version was not read yet: the import reads it. `ready` even while it is indexed again. */
  status: Type.Union([Type.Literal('ready'), Type.Literal('failed'), Type.Literal('queued')]),
  error: nullable(
    Type.Closed({ code: Type.String({ maxLength: 100 }), message: Type.String({ maxLength: 2_000 }) }),
  ),
  metadata: documentMetadata({ description: 'As of any document.' }),
  createdAt: time,
  updatedAt: time,
  /** The replaced versions that are kept, oldest first. */
  versions: Type.Array(Type.Closed({ ...content, textLength, replacedAt: time }), {
    maxItems: 1_000,
  }),
  /**
   * Where the served version's chunks lie in the index: `count` chunks from `position` on, at place `place`. Empty if
   * the index did not hold all of them: the import indexes them in the order of the text.
   */
  segments: Type.Array(
    Type.Closed({ place: count, position: count, count: Type.Integer({ minimum: 1, maximum: 10_000 }) }),
    { maxItems: maxSegments },
  ),
})
export type ArchivedDocument = Static<typeof ArchivedDocument>

/** Whether the segments hold each chunk of a version once. */
export function holdAll(segments: ArchivedDocument['segments'], chunkCount: number): boolean {
  let end = 0
  for (const { position, count } of segments.toSorted((a, b) => a.position - b.position)) {
    if (position !== end) return false
    end += count
  }
  return end === chunkCount
}

/** Many times the size of the chunks that this server makes. Search returns, embeds and reranks whole chunks. */
const maxChunkTextLength = 20_000

/** A chunk that this server makes holds no more. */
const maxTables = 500

/** Texts of several rows or names have one a line. */
const ArchivedTable = Type.Closed({
  startOffset: count,
  rowsOffset: count,
  endOffset: count,
  page,
  headings: Type.String({ maxLength: maxChunkTextLength }),
  titles: Type.String({ maxLength: maxChunkTextLength }),
  columns: Type.String({ maxLength: 2 * maxChunkTextLength }),
  columnCount: count,
  rowCount: count,
})
export type ArchivedTable = Static<typeof ArchivedTable>

export const ArchivedChunk = Type.Closed({
  id,
  version: content.version,
  position: count,
  headings: Type.String({ maxLength: maxChunkTextLength }),
  text: Type.String({ maxLength: maxChunkTextLength }),
  gap: Type.String(),
  page,
  startOffset: count,
  endOffset: count,
  /** The tables that begin in the chunk; absent if there are none, and in archives of servers that knew none. */
  tables: Type.Optional(Type.Array(ArchivedTable, { maxItems: maxTables })),
  /** 32-bit floats, lowest byte first, in base64. `hash` is the hash of the text that was embedded. */
  vector: Type.Optional(Type.String({ maxLength: 100_000 })),
  hash: Type.Optional(Type.String({ maxLength: 200 })),
})
export type ArchivedChunk = Static<typeof ArchivedChunk>

export const ArchiveEnd = Type.Closed({
  collections: count,
  documents: count,
  chunks: count,
  files: count,
  fileBytes: count,
})
export type ArchiveCounts = Static<typeof ArchiveEnd>

export const noCounts = (): ArchiveCounts => ({
  collections: 0,
  documents: 0,
  chunks: 0,
  files: 0,
  fileBytes: 0,
})

/** The limit of one JSON entry. The parts of chunks in an export stay far below it. */
export const maxJsonBytes = 32 * 1024 * 1024

export const entryNames = {
  manifest: 'manifest.json',
  end: 'end.json',
  collection: (collection: number) => `collections/${collection}/collection.json`,
  document: (collection: number, document: number) =>
    `collections/${collection}/documents/${document}/document.json`,
  chunks: (collection: number, document: number, part: number) =>
    `collections/${collection}/documents/${document}/chunks-${part}.jsonl`,
  file: (collection: number, document: number, version: number) =>
    `collections/${collection}/documents/${document}/file-${version}`,
}

/** The limit of values in one JSON entry. A document with the most versions and segments comes close to it. */
const maxValues = 20_000

/** The text of a JSON entry. Throws `ArchiveFault` if parsing takes long: a million values take few bytes packed. */
export async function textOf(bytes: Buffer, name: string): Promise<string> {
  const fault = await shapeFault(bytes, maxValues)
  if (fault !== null) throw damaged(`${name} is not of the form ${archiveFormat}: it ${fault.message}`)
  return bytes.toString('utf8')
}

/** Throws `ArchiveFault` if the text is not JSON of the schema. Parsing or checking a large text is a turn's work. */
export async function parseAs<Schema extends TSchema>(
  schema: Schema,
  text: string,
  name: string,
  takeTurn: () => Promise<void>,
): Promise<Static<Schema>> {
  let value: unknown
  await takeTurn()
  try {
    value = JSON.parse(text)
  } catch {
    throw damaged(`${name} is not JSON`)
  }
  await takeTurn()
  const fault = firstFaultIn(schema, value, 'it')
  if (fault === null) {
    if (!isClean(value)) throw damaged(`${name} holds text that is no Unicode, or NUL`)
    return value as Static<Schema>
  }
  throw damaged(`${name} is not of the form ${archiveFormat}: ${fault.field} ${fault.message}`)
}

/** Whether PostgreSQL can store the value. The schema was checked before, so the nesting has a limit. */
function isClean(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, item]) => isClean(name) && isClean(item))
}
