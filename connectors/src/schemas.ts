/** Pieces of JSON Schema that several connectors use. */
import type { ObjectSchema } from './connector.ts'

/** An object with these properties and no others. */
export const objectSchema = (properties: Record<string, unknown>, required: string[]): ObjectSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

/** A setting that narrows a sync to some ids. An empty list means everything. */
export const idList = (pattern: string, description: string, example: string) => ({
  type: 'array',
  items: { type: 'string', pattern },
  maxItems: 20,
  uniqueItems: true,
  default: [],
  description,
  examples: [[example]],
})
