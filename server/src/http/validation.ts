/** Strict validation: reports all faults of a request, each under its field's name; drops and guesses nothing. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { type FieldError, ServiceError } from '../platform/errors.ts'
import { type Hint, schemaFaults } from '../platform/json-schema/faults.ts'
import type { TSchema } from '../platform/json-schema/type.ts'
import { parseAddress } from '../platform/mail/address.ts'
import { maxDepth, tooDeep, tooManyValues, usualMaxValues } from '../platform/text/json-text.ts'

/** Checks a value in place: fills in defaults, and turns query strings into numbers. Throws `validation_failed`. */
export type Validate = (value: unknown) => void

export type Validation = {
  body(schema: TSchema, options?: { maxValues?: number | undefined; hint?: Hint }): Validate
  /** For a query string, where every value arrives as text. */
  text(schema: TSchema, hint?: Hint): Validate
  /** Throws if the schema is not valid JSON Schema: for schemas that are not our own. */
  checkSchema(schema: TSchema): void
}

/**
 * Compiles a schema when its first value comes: compiling all at the start would lengthen a server's first second.
 */
export const validation: Validation = {
  body: (schema, { maxValues = usualMaxValues, hint = noHint } = {}) =>
    validateWith(
      {
        all: onDemand(() => bodies().compile(schema)),
        first: onDemand(() => largeBodies().compile(schema)),
      },
      { noun: 'field', maxValues, hint },
    ),
  text: (schema, hint = noHint) => {
    const all = onDemand(() => texts().compile(schema))
    return validateWith({ all, first: all }, { noun: 'parameter', maxValues: usualMaxValues, hint })
  },
  checkSchema(schema) {
    // It returns a promise only for schemas with `$async`, which the meta-schema does not know.
    void bodies().ajv.validateSchema(schema, true)
    bodies().ajv.compile(schema)
  },
}

/** Shared by all servers of a process: the compiled code depends only on the schemas. */
const bodies = onDemand(() => createCompiler({ coerceTypes: false, allErrors: true }))
const largeBodies = onDemand(() => createCompiler({ coerceTypes: false, allErrors: false }))
const texts = onDemand(() => createCompiler({ coerceTypes: 'array', allErrors: true }))

/**
 * Each server of a process makes its own schemas, and many routes take the same query: what is written alike is compiled
 * once. (Ajv itself tells schemas apart by their identity, and keeps each for ever.)
 */
function createCompiler(options: { coerceTypes: false | 'array'; allErrors: boolean }) {
  const ajv = newAjv(options)
  const compiled = new Map<string, ValidateFunction>()
  return {
    ajv,
    compile(schema: TSchema): ValidateFunction {
      const written = JSON.stringify(schema)
      const validate = compiled.get(written) ?? ajv.compile(schema)
      compiled.set(written, validate)
      return validate
    },
  }
}

function onDemand<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

function newAjv(options: { coerceTypes: false | 'array'; allErrors: boolean }): Ajv2020 {
  const ajv = new Ajv2020({
    ...options,
    verbose: true,
    removeAdditional: false,
    useDefaults: true,
    strict: true,
    // Our own schemas are linted with the published document; the meta-schema would take 60 ms to compile.
    validateSchema: false,
    strictTypes: false,
    allowUnionTypes: true,
  })
  // The package's CommonJS default export has no call signature under NodeNext.
  ;(ajvFormats as unknown as (ajv: Ajv2020) => void)(ajv)
  ajv.addFormat('date-time', isInstant)
  // The same parser reads the address later; the package's own check accepts other texts.
  ajv.addFormat('email', text => parseAddress(text) !== null)
  return ajv
}

/** RFC 3339, if a Date can hold the instant. The package's own check accepts leap seconds, which would become NaN. */
function isInstant(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(text)) return false
  const day = text.slice(0, 10)
  const midnight = new Date(`${day}T00:00:00Z`)
  // A 30th of February would silently become the 2nd of March.
  const isDay = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day)
  return isDay && !Number.isNaN(Date.parse(text))
}

/** For a body with more values, only the first fault is reported: each value of an alternative has several faults. */
const mostValuesOfAllFaults = 5_000

/** Finds all faults, or the first one. */
type Compiled = { all: () => ValidateFunction; first: () => ValidateFunction }

const noHint: Hint = () => null

function validateWith(
  compiled: Compiled,
  { noun, maxValues, hint }: { noun: 'field' | 'parameter'; maxValues: number; hint: Hint },
): Validate {
  return value => {
    const seen = { values: 0 }
    const unsafe = findUnsafe(value, maxValues, [], seen)
    if (unsafe !== null) throw new ServiceError('validation_failed', undefined, { errors: [unsafe] })
    const validate = seen.values > mostValuesOfAllFaults ? compiled.first() : compiled.all()
    if (validate(value)) return
    throw new ServiceError('validation_failed', undefined, { errors: schemaFaults(validate, noun, { hint }) })
  }
}

/** Throws one `validation_failed` with the faults of all checks, so that a client sees every fault at once. */
export function checkAll(checks: readonly (() => void)[]): void {
  const errors = checks.flatMap(faultsOf)
  if (errors.length > 0) throw new ServiceError('validation_failed', undefined, { errors })
}

/** The faults for which the check throws a `validation_failed`; other errors are thrown on. */
export function faultsOf(check: () => void): FieldError[] {
  try {
    check()
    return []
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'validation_failed') return error.errors
    throw error
  }
}

/** PostgreSQL cannot store NUL, and half a surrogate pair would silently become another character. */
function findUnsafe(
  value: unknown,
  maxValues: number,
  path: readonly string[],
  seen: { values: number },
): FieldError | null {
  seen.values += 1
  if (seen.values > maxValues) {
    return tooManyValues(path[0] ?? 'body', maxValues)
  }
  if (path.length > maxDepth) {
    return tooDeep(path.slice(0, 3).join('.'))
  }
  if (typeof value === 'string') {
    if (value.includes('\0')) return { field: path.join('.'), message: 'must not contain NUL characters' }
    if (!value.isWellFormed()) return { field: path.join('.'), message: 'must be well-formed Unicode' }
    return null
  }
  if (typeof value !== 'object' || value === null) return null
  for (const [key, item] of Object.entries(value)) {
    if (key.includes('\0') || !key.isWellFormed()) {
      return { field: path.join('.') || 'body', message: 'has a field name that is not well-formed text' }
    }
    const found = findUnsafe(item, maxValues, [...path, key], seen)
    if (found !== null) return found
  }
  return null
}
