/** Filters over documents: the fields that every document has besides its metadata, and parsing with them. */
import {
  checkFilter as check,
  type FieldKind,
  filterForms,
  filterParameter as parameter,
  parseFilter as parse,
  parseFilterText as parseText,
} from '../../../platform/filter/filter.ts'
import { Type } from '../../../platform/json-schema/type.ts'

/** The filter as a query parameter. */
export const filterParameter = parameter(
  `metadata: ${filterForms} \`$name\`, \`$title\`, \`$externalId\`, \`$mediaType\`, \`$sizeBytes\`, \`$createdAt\`, \`$updatedAt\` and \`$id\` are fields of every document.`,
)

type BuiltIn = {
  kind: FieldKind
  column: 'id' | 'name' | 'title' | 'external_id' | 'media_type' | 'size_bytes' | 'created_at' | 'updated_at'
}

/** The keys are the names in a filter. */
const builtIns: Readonly<Record<string, BuiltIn>> = {
  $id: { kind: 'string', column: 'id' },
  $name: { kind: 'string', column: 'name' },
  $title: { kind: 'string', column: 'title' },
  $externalId: { kind: 'string', column: 'external_id' },
  $mediaType: { kind: 'string', column: 'media_type' },
  $sizeBytes: { kind: 'number', column: 'size_bytes' },
  $createdAt: { kind: 'date', column: 'created_at' },
  $updatedAt: { kind: 'date', column: 'updated_at' },
}

const ofDocuments = {
  kinds: Object.fromEntries(Object.entries(builtIns).map(([name, { kind }]) => [name, kind])),
  noun: 'field of documents',
}

/** Null for a field of the metadata. */
export const builtInField = (name: string): BuiltIn | null =>
  Object.hasOwn(builtIns, name) ? (builtIns[name] ?? null) : null

export const parseFilterText = (text: string) => parseText(ofDocuments, text)
export const parseFilter = (value: unknown) => parse(ofDocuments, value)
export const checkFilter = (value: unknown, place: string) => check(ofDocuments, value, place)

/** The values that a document's metadata may have. */
export type MetadataValue = string | number | boolean | string[]
export type Metadata = Record<string, MetadataValue>

/** The wire format of metadata. Names that begin with `$` are reserved for the fields that every document has. */
export const documentMetadata = (options: { description: string }) =>
  Type.Unsafe<Metadata>({
    type: 'object',
    maxProperties: 50,
    propertyNames: { type: 'string', minLength: 1, maxLength: 100, pattern: '^[^$]' },
    // One schema for all types instead of alternatives, so that an error can say what is wrong with a value.
    additionalProperties: {
      title: 'DocumentMetadataValue',
      type: ['string', 'number', 'boolean', 'array'],
      maxLength: 2_000,
      maxItems: 100,
      items: { type: 'string', maxLength: 500 },
    },
    examples: [
      { department: 'people', year: 2026, reviewed: true, validUntil: '2027-01-31', tags: ['leave', 'pay'] },
    ],
    ...options,
  })
