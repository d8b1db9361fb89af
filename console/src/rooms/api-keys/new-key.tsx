/** Making a key: what it is called, where it works, what it may do, for how long and for what; then its secret, once. */
import type { ApiKey } from '@atrium/sdk'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type FieldProps, fieldOf, useForm } from '../../api/form.ts'
import { parsedJson } from '../../api/parsed-json.ts'
import { useApiQuery } from '../../api/queries.ts'
import { RecordNarrowing } from '../../api/records.tsx'
import { useMay, useScope } from '../../api/scope.tsx'
import { usePerson } from '../../session/use-session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Choices } from '../../ui/choices.tsx'
import { SelectField, TextareaField, TextField } from '../../ui/field.tsx'
import { formatDate } from '../../ui/format.ts'
import { Notice } from '../../ui/notices.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { SaveForm } from '../../ui/save-form.tsx'
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

type KeyFields = {
  name: string
  /** A service account's member; empty for the person. */
  memberId: string
  environment: ApiKey['environment']
  permissions: ReadonlySet<string>
  expiresAt: Expiry
}

const usualKey: KeyFields = {
  name: '',
  memberId: '',
  environment: 'live',
  permissions: new Set(['agents:read', 'agents:run', 'knowledge:read']),
  expiresAt: { kind: 'days', days: 365 },
}

function NewKeyForm({ onMade }: { onMade: (apiKey: ApiKey, secret: string) => void }) {
  const { environment: present } = useScope()
  const navigate = useNavigate()
  const [narrowing, setNarrowing] = useState(emptyNarrowing)
  const { fields, of, errors, sending } = useForm({
    initial: { ...usualKey, environment: present },
    write: (atrium, { name, environment, permissions, expiresAt, memberId }) =>
      atrium.apiKeys.create(
        withoutUndefined({
          name: name.trim(),
          environment,
          // Only names from the list of areas are chosen, which are those of the API.
          permissions: [...permissions] as ApiKey['permissions'],
          expiresAt: expiresAtOf(expiresAt, Date.now()),
          memberId: memberId === '' ? undefined : memberId,
          ...narrowingOf(narrowing, environment === present),
        }),
      ),
    changes: [['api-keys'], ['overview']],
    onDone: ({ key, ...apiKey }) => {
      if (key !== undefined) onMade(apiKey, key)
      else void navigate({ to: back.to })
    },
  })
  return (
    <Page
      narrow
      back={back}
      title="New API key"
      description="One for each program, with no more than it needs."
    >
      <SaveForm
        submitLabel="Create the key"
        disabled={fields.permissions.size === 0}
        cancelTo="/settings/api-keys"
        {...sending}
        // The button is far below some of the fields: there all faults are told again.
        beside={[]}
      >
        <Card>
          <TextField
            label="Name"
            hint="What will use it, such as “Nightly import”."
            required
            autoFocus
            maxLength={200}
            {...of('name')}
          />
          <Choices
            legend="Environment"
            {...of('environment')}
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
          <HolderField {...of('memberId')} />
          <ExpiryField {...of('expiresAt')} />
        </Card>
        <PermissionFields {...of('permissions')} />
        <NarrowingFields
          value={narrowing}
          onChange={setNarrowing}
          canChoose={fields.environment === present}
          errors={errors}
        />
      </SaveForm>
    </Page>
  )
}

/** Nothing where there are no service accounts to choose. */
function HolderField(field: FieldProps<KeyFields['memberId']>) {
  const { name } = usePerson()
  const { data } = useApiQuery(
    ['members', 'service-accounts'],
    (atrium, options) => atrium.workspace.members.list({ kind: 'service', pageSize: 100 }, options).page(),
    { enabled: useMay('members:read') },
  )
  if (data === undefined || data.items.length === 0) return null
  return (
    <SelectField
      label="Acts for"
      hint={
        field.value === ''
          ? 'It stops working when you leave the workspace.'
          : 'It goes on working when people leave, with the role of the account at most.'
      }
      {...field}
      emptyLabel={`${name} (you)`}
      options={data.items.map(account => ({
        value: account.id,
        label: `${account.name} (service account, ${account.role})`,
      }))}
    />
  )
}

/** When a key ends by itself. */
type Expiry = { kind: 'never' } | { kind: 'days'; days: number } | { kind: 'date'; date: string }

const lengths = [
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
]
const dayMs = 86_400_000

function ExpiryField({ value, onChange, error }: FieldProps<Expiry>) {
  const choose = (choice: string) => {
    if (choice === 'never') onChange({ kind: 'never' })
    else if (choice === 'date') onChange({ kind: 'date', date: dayAfter(Date.now(), 30) })
    else onChange({ kind: 'days', days: Number(choice) })
  }
  const endsAt = expiresAtOf(value, Date.now())
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        label="Ends"
        error={value.kind === 'date' ? undefined : error}
        hint={
          endsAt === null ? 'It works until somebody revokes it.' : `It works until ${formatDate(endsAt)}.`
        }
        value={value.kind === 'days' ? String(value.days) : value.kind}
        onChange={choose}
        options={[...lengths, { value: 'date', label: 'On a day…' }, { value: 'never', label: 'Never' }]}
      />
      {value.kind === 'date' && (
        <TextField
          label="Day"
          error={error}
          type="date"
          required
          min={dayAfter(Date.now(), 1)}
          value={value.date}
          onChange={text => onChange({ kind: 'date', date: text })}
        />
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

/** What a key is kept to; null if it is not kept to some. */
type Narrowing = {
  agentIds: string[] | null
  collectionIds: string[] | null
  /** JSON, as it is typed. */
  filter: string
  allowedAddresses: string
}

const emptyNarrowing: Narrowing = {
  agentIds: null,
  collectionIds: null,
  filter: '',
  allowedAddresses: '',
}

/** What is sent of it; ids belong to the environment in which they were chosen. */
function narrowingOf({ agentIds, collectionIds, filter, allowedAddresses }: Narrowing, idsCount: boolean) {
  const addresses = allowedAddresses.split(/[\s,]+/).filter(address => address !== '')
  return {
    agentIds: idsCount && agentIds !== null ? agentIds : undefined,
    collectionIds: idsCount && collectionIds !== null ? collectionIds : undefined,
    // What is no JSON is sent as it is: the API says what is wrong with it.
    filter: filter.trim() === '' ? undefined : ((parsedJson(filter) ?? filter) as Record<string, unknown>),
    allowedAddresses: addresses.length > 0 ? addresses : undefined,
  }
}

type Props = {
  value: Narrowing
  onChange: (value: Narrowing) => void
  /** False if the key is for the other environment, whose agents and collections are not here. */
  canChoose: boolean
  errors: Readonly<Record<string, string>>
}

function NarrowingFields({ value, onChange, canChoose, errors }: Props) {
  const of = fieldOf(value, onChange, errors)
  return (
    <Card title="Limits" description="Optional. What lies outside does not exist for the key.">
      {canChoose ? (
        <>
          <RecordNarrowing of="agents" {...of('agentIds')} />
          <RecordNarrowing of="collections" {...of('collectionIds')} />
        </>
      ) : (
        <Notice>To choose agents or collections, switch to the environment of the key first.</Notice>
      )}
      <TextareaField
        label="Only documents that match"
        optional
        hint='A filter as JSON, such as {"field": "tenant", "op": "eq", "value": "acme"}. Such a key only reads and runs agents.'
        rows={2}
        spellCheck={false}
        className="font-mono"
        {...of('filter')}
        error={Object.entries(errors).find(([field]) => /^filter(\.|$)/.test(field))?.[1]}
      />
      <TextareaField
        label="Only from these addresses"
        optional
        hint="IP addresses or networks such as 203.0.113.0/24, one a line."
        rows={2}
        spellCheck={false}
        className="font-mono"
        {...of('allowedAddresses')}
      />
    </Card>
  )
}
