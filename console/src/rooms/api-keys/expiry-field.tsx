/** When a key ends by itself. */
import { Field, Input, Select } from '../../ui/field.tsx'
import { formatDate } from '../../ui/format.ts'

export type Expiry = { kind: 'never' } | { kind: 'days'; days: number } | { kind: 'date'; date: string }

const lengths = [7, 30, 90, 365]
const dayMs = 86_400_000

type Props = { value: Expiry; onChange: (value: Expiry) => void; error?: string | undefined }

export function ExpiryField({ value, onChange, error }: Props) {
  const choose = (choice: string) => {
    if (choice === 'never') onChange({ kind: 'never' })
    else if (choice === 'date') onChange({ kind: 'date', date: dayAfter(Date.now(), 30) })
    else onChange({ kind: 'days', days: Number(choice) })
  }
  const endsAt = expiresAtOf(value, Date.now())
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        label="Ends"
        error={value.kind === 'date' ? undefined : error}
        hint={
          endsAt === null ? 'It works until somebody revokes it.' : `It works until ${formatDate(endsAt)}.`
        }
      >
        <Select
          value={value.kind === 'days' ? String(value.days) : value.kind}
          onChange={event => choose(event.currentTarget.value)}
        >
          {lengths.map(days => (
            <option key={days} value={days}>
              {days === 365 ? 'In a year' : `In ${days} days`}
            </option>
          ))}
          <option value="date">On a day…</option>
          <option value="never">Never</option>
        </Select>
      </Field>
      {value.kind === 'date' && (
        <Field label="Day" error={error}>
          <Input
            type="date"
            required
            min={dayAfter(Date.now(), 1)}
            value={value.date}
            onChange={event => onChange({ kind: 'date', date: event.currentTarget.value })}
          />
        </Field>
      )}
    </div>
  )
}

/** The end of the chosen day in the browser’s time zone; null for never. */
export function expiresAtOf(expiry: Expiry, now: number): string | null {
  if (expiry.kind === 'never' || (expiry.kind === 'date' && expiry.date === '')) return null
  if (expiry.kind === 'days') return new Date(now + expiry.days * dayMs).toISOString()
  return new Date(`${expiry.date}T23:59:59`).toISOString()
}

const dayAfter = (now: number, days: number): string =>
  new Date(now + days * dayMs).toISOString().slice(0, 10)
