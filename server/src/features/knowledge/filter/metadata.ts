/** What the metadata of a document may be. */
import { Type } from '../../../platform/json-schema/type.ts'

export type MetadataValue = string | number | boolean | string[]
export type Metadata = Record<string, MetadataValue>

/** On the wire. Names that begin with `$` are left to the fields that every document has. */
export const documentMetadata = (options: { description: string }) =>
  Type.Unsafe<Metadata>({
    type: 'object',
    maxProperties: 50,
    propertyNames: { type: 'string', minLength: 1, maxLength: 100, pattern: '^[^$]' },
    // One schema for all types instead of alternatives, so that an error can say what is wrong with a value.
    additionalProperties: {
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
