/** The inputs that a schema asks for. */
import { Checkbox } from '../../ui/choices.tsx'
import { Field, Input, PasswordInput, Select, Textarea } from '../../ui/field.tsx'
import type { SchemaField, Typed } from './schema-values.ts'

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
    return (
      <Field
        key={name}
        label={label}
        hint={lines + (hint ?? '') || undefined}
        optional={!required}
        error={faultOf(errors, `${within}.${name}`)}
      >
        <OneInput field={field} text={value[name] ?? ''} onChange={set} secret={secret} />
      </Field>
    )
  })
}

/** A fault in the middle of a list or an object is told beside the whole. */
const faultOf = (errors: Readonly<Record<string, string>>, field: string): string | undefined => {
  if (errors[field] !== undefined) return errors[field]
  const within = Object.keys(errors).find(name => name.startsWith(`${field}.`))
  return within === undefined ? undefined : `${within.slice(field.length + 1)} ${errors[within]}`
}

type OneInputProps = { field: SchemaField; text: string; onChange: (text: string) => void; secret: boolean }

function OneInput({ field, text, onChange, secret }: OneInputProps) {
  const { required, kind, choices, placeholder, maxLength } = field
  if (kind === 'choice') {
    return (
      <Select required={required} value={text} onChange={event => onChange(event.currentTarget.value)}>
        {!choices.includes(text) && <option value="">Choose…</option>}
        {choices.map(choice => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </Select>
    )
  }
  const shared = {
    required,
    maxLength,
    placeholder,
    value: text,
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  }
  if (kind === 'list' || kind === 'json') {
    return (
      <Textarea
        rows={kind === 'list' ? 3 : 6}
        spellCheck={false}
        className={kind === 'json' ? 'font-mono text-[13px]' : ''}
        {...shared}
      />
    )
  }
  if (secret) return <PasswordInput {...shared} autoComplete="new-password" />
  return (
    <Input
      type={kind === 'number' ? 'number' : 'text'}
      {...(kind === 'number' && { step: 'any' })}
      {...shared}
    />
  )
}
