/** Making a key: what it is called, where it works, what it may do, for how long and for what; then its secret, once. */
import type { ApiKey } from '@atrium/sdk'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { fieldErrorsOf } from '../../api/explain-error.ts'
import { useApiMutation } from '../../api/queries.ts'
import { useScope } from '../../api/scope.tsx'
import { usePerson } from '../../session/use-session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Choices } from '../../ui/choices.tsx'
import { Field, Input, Select } from '../../ui/field.tsx'
import { formatDate } from '../../ui/format.ts'
import { ErrorNotice } from '../../ui/notices.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { useServiceAccounts } from './holders.ts'
import { emptyNarrowing, NarrowingFields, narrowingOf } from './narrowing-fields.tsx'
import { PermissionFields } from './permissions.tsx'
import { ShownOnce } from './shown-once.tsx'

const back = { to: '/settings/api-keys', label: 'API keys' }

export function Room() {
  const [made, setMade] = useState<{ apiKey: ApiKey; secret: string } | null>(null)
  return made === null ? (
    <NewKeyForm onMade={(apiKey, secret) => setMade({ apiKey, secret })} />
  ) : (
    <Page narrow back={back} title={`“${made.apiKey.name}” is made`}>
      <Card>
        <ShownOnce apiKey={made.apiKey} secret={made.secret} />
      </Card>
      <div>
        <ButtonLink to="/settings/api-keys" variant="primary">
          I have kept it
        </ButtonLink>
      </div>
    </Page>
  )
}

type Environment = ApiKey['environment']

function NewKeyForm({ onMade }: { onMade: (apiKey: ApiKey, secret: string) => void }) {
  const { environment: present } = useScope()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [memberId, setMemberId] = useState('')
  const [environment, setEnvironment] = useState<Environment>(present)
  const [permissions, setPermissions] = useState<ReadonlySet<string>>(
    new Set(['agents:read', 'agents:run', 'knowledge:read']),
  )
  const [expiry, setExpiry] = useState<Expiry>({ kind: 'days', days: 365 })
  const [narrowing, setNarrowing] = useState(emptyNarrowing)
  const { mutate, error, isPending } = useApiMutation(
    (atrium, _: null) =>
      atrium.apiKeys.create(
        withoutUndefined({
          name: name.trim(),
          environment,
          // Only names from the list of areas are chosen, which are those of the API.
          permissions: [...permissions] as ApiKey['permissions'],
          expiresAt: expiresAtOf(expiry, Date.now()),
          memberId: memberId === '' ? undefined : memberId,
          ...narrowingOf(narrowing, environment === present),
        }),
      ),
    { changes: [['api-keys'], ['overview']] },
  )
  const fieldErrors = fieldErrorsOf(error)
  return (
    <Page
      narrow
      back={back}
      title="New API key"
      description="One for each program, with no more than it needs."
    >
      <form
        className="flex flex-col gap-6"
        onSubmit={event => {
          event.preventDefault()
          mutate(null, {
            onSuccess: ({ key, ...apiKey }) => {
              if (key !== undefined) onMade(apiKey, key)
              else void navigate({ to: back.to })
            },
          })
        }}
      >
        <Card>
          <div className="flex flex-col gap-5">
            <Field label="Name" hint="What will use it, such as “Nightly import”." error={fieldErrors.name}>
              <Input
                required
                autoFocus
                maxLength={200}
                value={name}
                onChange={event => setName(event.currentTarget.value)}
              />
            </Field>
            <Choices
              legend="Environment"
              value={environment}
              onChange={setEnvironment}
              choices={[
                {
                  value: 'live',
                  label: 'Live',
                  hint:
                    present === 'live'
                      ? 'Your real data, models and mail.'
                      : 'Switch to live at the top to make one.',
                  disabled: present === 'test',
                },
                { value: 'test', label: 'Test', hint: 'The sandbox: data of its own, no cost.' },
              ]}
            />
            <HolderField value={memberId} onChange={setMemberId} error={fieldErrors.memberId} />
            <ExpiryField value={expiry} onChange={setExpiry} error={fieldErrors.expiresAt} />
          </div>
        </Card>
        <PermissionFields chosen={permissions} onChange={setPermissions} error={fieldErrors.permissions} />
        <NarrowingFields
          value={narrowing}
          onChange={setNarrowing}
          canChoose={environment === present}
          errors={fieldErrors}
        />
        {error !== null && <ErrorNotice error={error} />}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" busy={isPending} disabled={permissions.size === 0}>
            Create the key
          </Button>
          <ButtonLink to="/settings/api-keys">Cancel</ButtonLink>
        </div>
      </form>
    </Page>
  )
}

type HolderFieldProps = {
  /** A service account's member; empty for the person. */
  value: string
  onChange: (memberId: string) => void
  error: string | undefined
}

/** Nothing where there are no service accounts to choose. */
function HolderField({ value, onChange, error }: HolderFieldProps) {
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

/** When a key ends by itself. */
type Expiry = { kind: 'never' } | { kind: 'days'; days: number } | { kind: 'date'; date: string }

const expiryDays = [7, 30, 90, 365]
const dayMs = 86_400_000

type ExpiryFieldProps = { value: Expiry; onChange: (value: Expiry) => void; error?: string | undefined }

function ExpiryField({ value, onChange, error }: ExpiryFieldProps) {
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
          {expiryDays.map(days => (
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
function expiresAtOf(expiry: Expiry, now: number): string | null {
  if (expiry.kind === 'never' || (expiry.kind === 'date' && expiry.date === '')) return null
  if (expiry.kind === 'days') return new Date(now + expiry.days * dayMs).toISOString()
  return new Date(`${expiry.date}T23:59:59`).toISOString()
}

const dayAfter = (now: number, days: number): string =>
  new Date(now + days * dayMs).toISOString().slice(0, 10)
