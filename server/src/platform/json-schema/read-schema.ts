/** A JSON Schema that a stranger wrote: whether it is one, within limits, and whether a value fits it. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import type { FieldError } from '../errors.ts'
import { runBounded, TookTooLong } from './bounded.ts'
import { schemaFaults } from './faults.ts'

export type JsonSchema = Record<string, unknown>

/** What does not fit, first things first; empty where the value fits. */
export type CheckValue = (value: unknown) => FieldError[]

/** A fault is named by its dotted path within the schema, which is empty for the schema itself. */
export type ReadSchema = { check: CheckValue } | { fault: FieldError }

export const maxSchemaBytes = 65_536
const maxDepth = 30
const maxPatternLength = 1_000
/** Enough for a schema of the largest size that means well. */
const compileMs = 1_000
const checkMs = 200

const mostKept = 50

/**
 * Takes drafts 2019-09 and 2020-12, and of draft 7 what means the same there. Nothing is fetched: `$ref` leads to
 * places of the schema itself.
 */
export type SchemaReader = (schema: JsonSchema) => ReadSchema

/** Keeps the latest schemas: most callers ask with the same one again and again. */
export function createSchemaReader(): SchemaReader {
  const kept = new Map<string, ReadSchema>()
  let language: Ajv2020 | null = null
  return schema => {
    const text = JSON.stringify(schema)
    const present = kept.get(text)
    if (present !== undefined) return present
    language ??= new Ajv2020({ strict: false, allErrors: false, logger: false })
    const read = readSchema(schema, text, language)
    if (kept.size >= mostKept) kept.clear()
    if (!('fault' in read)) kept.set(text, read)
    return read
  }
}

function readSchema(schema: JsonSchema, text: string, language: Ajv2020): ReadSchema {
  const size = Buffer.byteLength(text)
  if (size > maxSchemaBytes) return faulty([], `must not be larger than ${maxSchemaBytes} bytes of JSON`)
  const structural = faultIn(schema, [])
  if (structural !== null) return structural
  const { $schema: _draft, $id: _name, ...bare } = schema
  if (language.validateSchema(bare) !== true) {
    const [first] = language.errors ?? []
    const path = (first?.instancePath ?? '').split('/').slice(1)
    return faulty(path, `is no JSON Schema: ${first?.message ?? 'it is not valid'}`)
  }
  try {
    const validate = runBounded(() => compile(bare), compileMs)
    return { check: value => check(validate, value) }
  } catch (error) {
    if (error instanceof TookTooLong) return faulty([], 'is too complex')
    return faulty([], `is no JSON Schema: ${(error as Error).message.slice(0, 300)}`)
  }
}

/** By itself, so that nothing of a stranger's schema stays behind. */
function compile(schema: JsonSchema): ValidateFunction {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    verbose: true,
    logger: false,
    validateSchema: false,
    meta: false,
    // Else a schema of many references to one large place would become very much larger.
    inlineRefs: false,
  })
  // The package's CommonJS default export has no call signature under NodeNext.
  ;(ajvFormats as unknown as (ajv: Ajv2020) => void)(ajv)
  return ajv.compile(schema)
}

function check(validate: ValidateFunction, value: unknown): FieldError[] {
  try {
    return runBounded(() => (validate(value) ? [] : schemaFaults(validate, 'field', 'output')), checkMs)
  } catch (error) {
    if (!(error instanceof TookTooLong)) throw error
    return [{ field: 'output', message: 'could not be checked in time' }]
  }
}

/** What is wrong by itself, whatever stands around it. */
function faultIn(value: unknown, path: readonly string[]): { fault: FieldError } | null {
  if (path.length > maxDepth) return faulty(path.slice(0, 3), `is nested deeper than ${maxDepth} levels`)
  if (typeof value !== 'object' || value === null) return null
  for (const [key, item] of Object.entries(value)) {
    const place = [...path, key]
    const fault = keywordFault(key, item, path.length === 0)
    if (fault !== null) return faulty(place, fault)
    const within = faultIn(item, place)
    if (within !== null) return within
  }
  return null
}

function keywordFault(key: string, item: unknown, isRoot: boolean): string | null {
  if (typeof item !== 'string') return null
  if ((key === '$ref' || key === '$dynamicRef') && !item.startsWith('#')) {
    return 'must lead to a place of the schema itself, such as #/$defs/address'
  }
  if (key === '$id' && !isRoot) return 'is taken at the top only'
  if (key === 'pattern' && item.length > maxPatternLength) {
    return `must have at most ${maxPatternLength} characters`
  }
  return null
}

const faulty = (path: readonly string[], message: string): { fault: FieldError } => ({
  fault: { field: path.join('.'), message },
})
