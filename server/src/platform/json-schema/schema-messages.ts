/** What the server and the thread for strangers' schemas say to each other. */
import type { FieldError } from '../errors.ts'

export type JsonSchema = Record<string, unknown>

export type SchemaWork =
  | { kind: 'read'; schema: JsonSchema }
  | { kind: 'check'; schema: JsonSchema; value: unknown; whole: string }
  | { kind: 'sample'; schema: JsonSchema; text: string }

export type SchemaAnswer = {
  /** What is wrong with the schema, or what of the value does not fit it. */
  faults: FieldError[]
  sample?: unknown
}

export const tooComplex: FieldError[] = [{ field: '', message: 'is too complex' }]
export const notInTime = (whole: string): FieldError[] => [
  { field: whole, message: 'could not be checked in time' },
]
