/** Whether a value has the form that one of our own schemas states. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import type { FieldError } from '../errors.ts'
import { schemaFaults } from './faults.ts'
import type { Static, TSchema } from './type.ts'

const validatorOf = createCompiler(true)
const firstValidatorOf = createCompiler(false)

function createCompiler(allErrors: boolean): (schema: TSchema) => ValidateFunction {
  const compiled = new WeakMap<TSchema, ValidateFunction>()
  let language: Ajv2020 | null = null
  return schema => {
    const known = compiled.get(schema)
    if (known !== undefined) return known
    language ??= newLanguage(allErrors)
    const made = language.compile(schema)
    compiled.set(schema, made)
    return made
  }
}

function newLanguage(allErrors: boolean): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors, verbose: true })
  // The package's CommonJS default export has no call signature under NodeNext.
  ;(ajvFormats as unknown as (ajv: Ajv2020) => void)(ajv)
  return ajv
}

export const fits = <Schema extends TSchema>(schema: Schema, value: unknown): value is Static<Schema> =>
  validatorOf(schema)(value)

/** What does not fit, in the order found; empty if the value fits. */
export function faultsIn(schema: TSchema, value: unknown, whole: string): FieldError[] {
  const validate = validatorOf(schema)
  return validate(value) ? [] : schemaFaults(validate, 'field', { whole })
}

/** The first thing that does not fit, for values of strangers: all faults of a large value would fill the memory. */
export function firstFaultIn(schema: TSchema, value: unknown, whole: string): FieldError | null {
  const validate = firstValidatorOf(schema)
  return validate(value) ? null : (schemaFaults(validate, 'field', { whole })[0] ?? null)
}
