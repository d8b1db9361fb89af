/** For whom a key acts: the person who makes it, or a service account, whose keys outlive people. */
import { usePerson } from '../../session/use-session.ts'
import { Field, Select } from '../../ui/field.tsx'
import { useServiceAccounts } from './holders.ts'

type Props = {
  /** A service account's member; empty for the person. */
  value: string
  onChange: (memberId: string) => void
  error: string | undefined
}

/** Nothing where there are no service accounts to choose. */
export function HolderField({ value, onChange, error }: Props) {
  const { name } = usePerson()
  const { data } = useServiceAccounts()
  if (data === undefined || data.items.length === 0) return null
  return (
    <Field
      label="Acts for"
      hint={
        value === ''
          ? 'It stops working when you leave the workspace.'
          : 'It goes on working when people leave, with the role of the account at most.'
      }
      error={error}
    >
      <Select value={value} onChange={event => onChange(event.currentTarget.value)}>
        <option value="">{name} (you)</option>
        {data.items.map(account => (
          <option key={account.id} value={account.id}>
            {account.name} (service account, {account.role})
          </option>
        ))}
      </Select>
    </Field>
  )
}
