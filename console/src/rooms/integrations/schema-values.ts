/** From the JSON Schema of a catalog entry to the inputs of a form, and back to the values that are sent. */

export type SchemaField = {
  name: string
  label: string
  hint: string | undefined
  required: boolean
  kind: 'text' | 'number' | 'boolean' | 'choice'
  choices: readonly string[]
  placeholder: string | undefined
  /** What stands there at first. */
  initial: string
  maxLength: number | undefined
}

type Schema = Readonly<Record<string, unknown>>

export type Typed = Readonly<Record<string, string>>

export type FormOfSchema = {
  fields: readonly SchemaField[]
  /** Required ones that no input of this form can ask for. */
  beyond: readonly string[]
}

export function formOf(schema: Schema | null): FormOfSchema {
  const properties = objectOf(schema?.properties)
  const required: readonly unknown[] = Array.isArray(schema?.required) ? schema.required : []
  const fields: SchemaField[] = []
  const beyond: string[] = []
  for (const [name, value] of Object.entries(properties)) {
    const property = objectOf(value)
    const kind = kindOf(property)
    if (kind !== null) fields.push(fieldOf(name, property, kind, required.includes(name)))
    else if (required.includes(name)) beyond.push(name)
  }
  return { fields, beyond }
}

export const initialOf = (fields: readonly SchemaField[]): Typed =>
  Object.fromEntries(fields.map(({ name, initial }) => [name, initial]))

/** An empty field that nobody needs is left out, unless something stood there at first: then emptiness is meant. */
export function valuesOf(fields: readonly SchemaField[], typed: Typed): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const { name, kind, required, initial } of fields) {
    const text = typed[name] ?? ''
    if (kind === 'boolean') values[name] = text === 'true'
    else if (text === '' && !required && (initial === '' || kind === 'number')) continue
    else values[name] = kind === 'number' ? Number(text) : text.trim()
  }
  return values
}

function fieldOf(name: string, property: Schema, kind: SchemaField['kind'], required: boolean): SchemaField {
  const examples: readonly unknown[] = Array.isArray(property.examples) ? property.examples : []
  const fallback = property.default
  return {
    name,
    label: typeof property.title === 'string' ? property.title : labelOf(name),
    hint: typeof property.description === 'string' ? property.description : undefined,
    required: required && fallback === undefined,
    kind,
    choices: choicesOf(property),
    placeholder: typeof examples[0] === 'string' ? examples[0] : undefined,
    initial: fallback === undefined || fallback === null ? '' : String(fallback),
    maxLength: typeof property.maxLength === 'number' ? property.maxLength : undefined,
  }
}

function kindOf(property: Schema): SchemaField['kind'] | null {
  if (choicesOf(property).length > 0) return 'choice'
  switch (property.type) {
    case 'string':
      return 'text'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    default:
      return null
  }
}

const choicesOf = ({ enum: values }: Schema): string[] =>
  Array.isArray(values) ? values.filter(value => typeof value === 'string') : []

const objectOf = (value: unknown): Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {}

/** `baseUrl` becomes `Base URL`. */
function labelOf(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/\b(url|api|id)\b/g, word => word.toUpperCase())
  return words.charAt(0).toUpperCase() + words.slice(1)
}
