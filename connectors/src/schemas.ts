/** Pieces of JSON Schema that several connectors use. */
import type { ObjectSchema } from './connector.ts'

/** An object with these properties and no others. */
export const objectSchema = (properties: Record<string, unknown>, required: string[]): ObjectSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

/** A setting that narrows what is synced to some ids; none of them is all. */
export const idList = (pattern: string, description: string, example: string) => ({
  type: 'array',
  items: { type: 'string', pattern },
  maxItems: 20,
  uniqueItems: true,
  default: [],
  description,
  examples: [[example]],
})
