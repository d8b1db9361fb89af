/** The thread that runs strangers' schemas and their expressions. It is ended if they run too long. */
import { parentPort } from 'node:worker_threads'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import type { FieldError } from '../errors.ts'
import { notInTime, schemaFaults, tooComplex } from './faults.ts'
import { sampleOf } from './sample.ts'
import type { JsonSchema, SchemaAnswer, SchemaWork } from './strangers-schemas.ts'

const work = createSchemaWork()
parentPort?.postMessage('ready')
parentPort?.on('message', (message: SchemaWork) => parentPort?.postMessage(work(message)))

// What the thread for strangers' schemas does: reads a schema, checks a value, makes a sample.

const mostKept = 50

/** Has no time limit: the thread that it runs in is ended if it takes too long. */
function createSchemaWork(): (work: SchemaWork) => SchemaAnswer {
  const compiled = new Map<string, ValidateFunction>()
  const language = new Ajv2020({ strict: false, allErrors: false, logger: false })

  function validatorOf(schema: JsonSchema): ValidateFunction {
    const text = JSON.stringify(schema)
    const known = compiled.get(text)
    if (known !== undefined) return known
    const made = compile(schema)
    if (compiled.size >= mostKept) compiled.clear()
    compiled.set(text, made)
    return made
  }

  function read(schema: JsonSchema): FieldError[] {
    if (language.validateSchema(schema) !== true) {
      const [first] = language.errors ?? []
      const field = (first?.instancePath ?? '').split('/').slice(1).join('.')
      return [{ field, message: `is no JSON Schema: ${first?.message ?? 'it is not valid'}` }]
    }
    try {
      validatorOf(schema)
      return []
    } catch (error) {
      if (error instanceof RangeError) return tooComplex
      return [{ field: '', message: `is no JSON Schema: ${(error as Error).message.slice(0, 300)}` }]
    }
  }

  return work => {
    if (work.kind === 'read') return { faults: read(work.schema) }
    if (work.kind === 'sample') return { faults: [], sample: sampleOf(work.schema, work.text) }
    try {
      const validate = validatorOf(work.schema)
      return { faults: validate(work.value) ? [] : schemaFaults(validate, 'field', { whole: work.whole }) }
    } catch {
      // The schema leads to itself endlessly, or `read` would have refused it.
      return { faults: notInTime(work.whole) }
    }
  }
}

/** A new compiler for each schema, so that nothing of a stranger's schema stays behind. */
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
