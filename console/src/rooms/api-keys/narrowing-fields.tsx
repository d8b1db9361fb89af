/** What a key is kept to: chosen agents, chosen collections, the addresses that it may be used from. */

import { fieldOf } from '../../api/form.ts'
import { parsedJson } from '../../api/parsed-json.ts'
import { RecordNarrowing } from '../../api/records.tsx'
import { TextareaField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notices.tsx'
import { Card } from '../../ui/page.tsx'

/** Null if it is not kept to some. */
export type Narrowing = {
  agentIds: string[] | null
  collectionIds: string[] | null
  /** JSON, as it is typed. */
  filter: string
  allowedAddresses: string
}

export const emptyNarrowing: Narrowing = {
  agentIds: null,
  collectionIds: null,
  filter: '',
  allowedAddresses: '',
}

/** What is sent of it; ids belong to the environment in which they were chosen. */
export function narrowingOf(
  { agentIds, collectionIds, filter, allowedAddresses }: Narrowing,
  idsCount: boolean,
) {
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

export function NarrowingFields({ value, onChange, canChoose, errors }: Props) {
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
