/** The inputs that a schema asks for. */
import { Checkbox } from '../../ui/choices.tsx'
import { Field, Input, PasswordInput, Select } from '../../ui/field.tsx'
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
      <Field key={name} label={label} hint={hint} optional={!required} error={errors[`${within}.${name}`]}>
        <OneInput field={field} text={value[name] ?? ''} onChange={set} secret={secret} />
      </Field>
    )
  })
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
  if (secret) return <PasswordInput {...shared} autoComplete="new-password" />
  return (
    <Input
      type={kind === 'number' ? 'number' : 'text'}
      {...(kind === 'number' && { step: 'any' })}
      {...shared}
    />
  )
}
