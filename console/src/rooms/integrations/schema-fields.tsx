/** The inputs that a schema asks for. */
import type { FieldProps } from '../../api/form.ts'
import { parsedJson } from '../../api/parsed-json.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choices.tsx'
import { SelectField, TextareaField, TextField } from '../../ui/field.tsx'

type Props = {
  fields: readonly SchemaField[]
  value: Typed
  onChange: (value: Typed) => void
  /** The name of the object that they belong to, as errors name it: `config.baseUrl`. */
  within: string
  errors: Readonly<Record<string, string>>
  secret?: boolean
}

export function SchemaFields({ fields, value, onChange, within, errors, secret = false }: Props) {
  return fields.map(field => {
    const { name, label, hint, required, kind } = field
    const lines = kind === 'list' ? 'One a line. ' : kind === 'json' ? 'As JSON. ' : ''
    const set = (text: string) => onChange({ ...value, [name]: text })
    if (kind === 'boolean') {
      return (
        <Checkbox
          key={name}
          label={label}
          hint={hint}
          checked={value[name] === 'true'}
          onChange={on => set(String(on))}
        />
      )
    }
    const shared = {
      label,
      hint: lines + (hint ?? '') || undefined,
      error: faultOf(errors, `${within}.${name}`),
      optional: !required,
      required,
      value: value[name] ?? '',
      onChange: set,
    }
    if (kind === 'pairs') return <PairFields key={name} {...shared} secret={secret} />
    return <FieldOfSchema key={name} field={field} shared={shared} secret={secret} />
  })
}

/** A fault in the middle of a list or an object is told beside the whole. */
const faultOf = (errors: Readonly<Record<string, string>>, field: string): string | undefined => {
  if (errors[field] !== undefined) return errors[field]
  const within = Object.keys(errors).find(name => name.startsWith(`${field}.`))
  return within === undefined ? undefined : `${within.slice(field.length + 1)}: ${errors[within]}`
}

type FieldOfSchemaProps = {
  field: SchemaField
  shared: Pick<SchemaField, 'label' | 'hint' | 'required'> & FieldProps<string> & { optional: boolean }
  secret: boolean
}

function FieldOfSchema({ field, shared, secret }: FieldOfSchemaProps) {
  const { kind, choices, placeholder, maxLength } = field
  if (kind === 'choice') {
    const options = choices.map(choice => ({ value: choice, label: choice }))
    const emptyLabel = choices.includes(shared.value) ? undefined : 'Choose…'
    return <SelectField {...shared} emptyLabel={emptyLabel} options={options} />
  }
  const typed = { ...shared, placeholder, maxLength, autoComplete: 'off' }
  if (kind === 'list') return <TextareaField {...typed} rows={3} spellCheck={false} />
  if (kind === 'json') {
    return <TextareaField {...typed} rows={6} spellCheck={false} className="font-mono text-[13px]" />
  }
  if (secret) return <TextField {...typed} secret autoComplete="new-password" />
  return kind === 'number' ? <TextField {...typed} type="number" step="any" /> : <TextField {...typed} />
}

type Pair = readonly [name: string, text: string]

/** As they stand in the inputs: also one whose name is not typed yet. */
const readPairs = (typed: string): Pair[] => (typed === '' ? [] : JSON.parse(typed))
const writePairs = (pairs: readonly Pair[]): string => (pairs.length === 0 ? '' : JSON.stringify(pairs))

function PairFields({
  label,
  hint,
  error,
  value,
  onChange,
  secret,
}: FieldOfSchemaProps['shared'] & { secret: boolean }) {
  const present = readPairs(value)
  const pairs: readonly Pair[] = present.length === 0 ? [['', '']] : present
  const set = (index: number, pair: Pair) =>
    onChange(writePairs(pairs.map((other, at) => (at === index ? pair : other))))
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="font-medium">{label}</legend>
      {hint !== undefined && <p className="text-[13px] text-muted">{hint}</p>}
      {pairs.map(([name, text], index) => {
        const own = `${label}, ${index + 1}`
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place, and its name changes with each letter.
          <div key={index} className="grid items-end gap-2 sm:grid-cols-[1fr_2fr_auto]">
            <TextField
              label={`${own}: name`}
              autoComplete="off"
              value={name}
              onChange={next => set(index, [next, text])}
            />
            <TextField
              label={`${own}: value`}
              secret={secret}
              autoComplete={secret ? 'new-password' : 'off'}
              value={text}
              onChange={next => set(index, [name, next])}
            />
            <Button
              aria-label={`Remove ${name === '' ? own : name}`}
              onClick={() => onChange(writePairs(pairs.filter((_, at) => at !== index)))}
            >
              Remove
            </Button>
          </div>
        )
      })}
      {error !== undefined && (
        <p role="alert" className="text-[13px] text-danger-text">
          {error}
        </p>
      )}
      <div>
        <Button size="small" onClick={() => onChange(writePairs([...pairs, ['', '']]))}>
          Add another
        </Button>
      </div>
    </fieldset>
  )
}

/** From the JSON Schema of a catalog entry to the inputs of a form, and back to the values that are sent. */
export type SchemaField = {
  name: string
  label: string
  hint: string | undefined
  required: boolean
  /** A `list` has an entry a line; `pairs` are names with texts; `json` is what no input of its own can ask for. */
  kind: 'text' | 'number' | 'boolean' | 'choice' | 'list' | 'pairs' | 'json'
  choices: readonly string[]
  placeholder: string | undefined
  /** What stands there at first. */
  initial: string
  maxLength: number | undefined
}

type Schema = Readonly<Record<string, unknown>>

export type Typed = Readonly<Record<string, string>>

export function fieldsOf(schema: Schema | null): SchemaField[] {
  const required: readonly unknown[] = Array.isArray(schema?.required) ? schema.required : []
  return Object.entries(objectOf(schema?.properties)).map(([name, value]) => {
    const property = objectOf(value)
    return fieldOf(name, property, kindOf(property), required.includes(name))
  })
}

/** What stands in the inputs at first: what is set already, else what the schema proposes. */
export const initialOf = (fields: readonly SchemaField[], present: Schema = {}): Typed =>
  Object.fromEntries(
    fields.map(({ name, kind, initial }) => [
      name,
      present[name] === undefined ? initial : textOf(kind, present[name]),
    ]),
  )

function textOf(kind: SchemaField['kind'], value: unknown): string {
  if (value === undefined || value === null) return ''
  if (kind === 'list') return Array.isArray(value) ? value.join('\n') : ''
  if (kind === 'pairs')
    return writePairs(Object.entries(objectOf(value)).map(([name, text]) => [name, String(text)]))
  if (kind === 'json') return isEmpty(value) ? '' : JSON.stringify(value, null, 2)
  return String(value)
}

const isEmpty = (value: unknown): boolean => JSON.stringify(value) === '{}' || JSON.stringify(value) === '[]'

/** Leaves out an empty optional field, unless it had a value at first: then the person has cleared it on purpose. */
export function valuesOf(fields: readonly SchemaField[], typed: Typed): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const { name, kind, required, initial } of fields) {
    const text = typed[name] ?? ''
    if (kind === 'boolean') values[name] = text === 'true'
    else if (kind === 'pairs') {
      const pairs = readPairs(text).filter(([key]) => key.trim() !== '')
      if (pairs.length > 0 || required) {
        values[name] = Object.fromEntries(pairs.map(([key, value]) => [key.trim(), value.trim()]))
      }
    } else if (kind === 'list' || kind === 'json') {
      if (text.trim() !== '' || required) values[name] = kind === 'list' ? linesOf(text) : jsonOf(text)
    } else if (text === '' && !required && (initial === '' || kind === 'number')) continue
    else values[name] = kind === 'number' ? Number(text) : text.trim()
  }
  return values
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')

/** What is no JSON is sent as it is: the server says beside the field what should stand there. */
function jsonOf(text: string): unknown {
  const value = parsedJson(text)
  return value === undefined ? text : value
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
    placeholder: examples[0] === undefined ? undefined : textOf(kind, examples[0]),
    initial: textOf(kind, fallback),
    maxLength: typeof property.maxLength === 'number' ? property.maxLength : undefined,
  }
}

function kindOf(property: Schema): SchemaField['kind'] {
  if (choicesOf(property).length > 0) return 'choice'
  switch (property.type) {
    case 'string':
      return 'text'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'array':
      return objectOf(property.items).type === 'string' ? 'list' : 'json'
    case 'object':
      return objectOf(property.additionalProperties).type === 'string' ? 'pairs' : 'json'
    default:
      return 'json'
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
