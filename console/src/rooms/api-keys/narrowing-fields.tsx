/** What a key is kept to: chosen agents, chosen collections, the addresses that it may be used from. */

import { RecordChoices } from '../../api/records.tsx'
import { Checkbox } from '../../ui/choices.tsx'
import { FieldError, TextareaField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notices.tsx'
import { Card } from '../../ui/page.tsx'

/** Null if it is not kept to some. */
export type Narrowing = {
  agentIds: string[] | null
  collectionIds: string[] | null
  /** JSON, as it is typed. */
  filter: string
  addresses: string
}

export const emptyNarrowing: Narrowing = { agentIds: null, collectionIds: null, filter: '', addresses: '' }

/** What is sent of it; ids belong to the environment in which they were chosen. */
export function narrowingOf({ agentIds, collectionIds, filter, addresses }: Narrowing, idsCount: boolean) {
  const allowedAddresses = addresses.split(/[\s,]+/).filter(address => address !== '')
  return {
    agentIds: idsCount && agentIds !== null ? agentIds : undefined,
    collectionIds: idsCount && collectionIds !== null ? collectionIds : undefined,
    filter: filter.trim() === '' ? undefined : filterOf(filter),
    allowedAddresses: allowedAddresses.length > 0 ? allowedAddresses : undefined,
  }
}

/** What is no JSON is sent as it is: the API says what is wrong with it. */
function filterOf(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text)
  } catch {
    return text as unknown as Record<string, unknown>
  }
}

type Props = {
  value: Narrowing
  onChange: (value: Narrowing) => void
  /** False if the key is for the other environment, whose agents and collections are not here. */
  canChoose: boolean
  errors: Readonly<Record<string, string>>
}

export function NarrowingFields({ value, onChange, canChoose, errors }: Props) {
  return (
    <Card title="Limits" description="Optional. What lies outside does not exist for the key.">
      {canChoose ? (
        <>
          <IdField
            label="Only some agents"
            of="agents"
            ids={value.agentIds}
            onChange={agentIds => onChange({ ...value, agentIds })}
            error={errors.agentIds}
          />
          <IdField
            label="Only some collections"
            of="collections"
            ids={value.collectionIds}
            onChange={collectionIds => onChange({ ...value, collectionIds })}
            error={errors.collectionIds}
          />
        </>
      ) : (
        <Notice>To choose agents or collections, switch to the environment of the key first.</Notice>
      )}
      <TextareaField
        label="Only documents that match"
        optional
        hint='A filter as JSON, such as {"field": "tenant", "op": "eq", "value": "acme"}. Such a key only reads and runs agents.'
        error={Object.entries(errors).find(([field]) => /^filter(\.|$)/.test(field))?.[1]}
        rows={2}
        spellCheck={false}
        className="font-mono"
        value={value.filter}
        onChange={text => onChange({ ...value, filter: text })}
      />
      <TextareaField
        label="Only from these addresses"
        optional
        hint="IP addresses or networks such as 203.0.113.0/24, one a line."
        error={errors.allowedAddresses}
        rows={2}
        spellCheck={false}
        className="font-mono"
        value={value.addresses}
        onChange={text => onChange({ ...value, addresses: text })}
      />
    </Card>
  )
}

type IdFieldProps = {
  label: string
  of: 'agents' | 'collections'
  ids: string[] | null
  onChange: (ids: string[] | null) => void
  error: string | undefined
}

function IdField({ label, of, ids, onChange, error }: IdFieldProps) {
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Checkbox label={label} checked={ids !== null} onChange={on => onChange(on ? [] : null)} />
      {ids === null ? (
        <FieldError>{error}</FieldError>
      ) : (
        <RecordChoices of={of} legend={label} legendHidden value={ids} onChange={onChange} error={error} />
      )}
    </div>
  )
}
