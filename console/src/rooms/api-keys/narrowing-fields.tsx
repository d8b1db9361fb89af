/** What a key is kept to: chosen agents, chosen collections, the addresses that it may be used from. */
import type { Atrium, Page } from '@atrium/sdk'
import { Loaded } from '../../api/loaded.tsx'
import { useApiQuery } from '../../api/queries.ts'
import { Checkbox } from '../../ui/choices.tsx'
import { Field, Textarea } from '../../ui/field.tsx'
import { Notice } from '../../ui/notices.tsx'
import { Card } from '../../ui/page.tsx'

/** Null where it is not kept to some. */
export type Narrowing = { agentIds: string[] | null; collectionIds: string[] | null; addresses: string }

export const emptyNarrowing: Narrowing = { agentIds: null, collectionIds: null, addresses: '' }

/** What is sent of it; ids belong to the environment in which they were chosen. */
export function narrowingOf({ agentIds, collectionIds, addresses }: Narrowing, idsCount: boolean) {
  const allowedAddresses = addresses.split(/[\s,]+/).filter(address => address !== '')
  return {
    agentIds: idsCount && agentIds !== null ? agentIds : undefined,
    collectionIds: idsCount && collectionIds !== null ? collectionIds : undefined,
    allowedAddresses: allowedAddresses.length > 0 ? allowedAddresses : undefined,
  }
}

type Props = {
  value: Narrowing
  onChange: (value: Narrowing) => void
  /** False where the key is for the other environment, whose agents and collections are not here. */
  canChoose: boolean
  errors: Readonly<Record<string, string>>
}

export function NarrowingFields({ value, onChange, canChoose, errors }: Props) {
  return (
    <Card title="Limits" description="Optional. What lies outside does not exist for the key.">
      <div className="flex flex-col gap-5">
        {canChoose ? (
          <>
            <IdField
              label="Only some agents"
              of="agents"
              ids={value.agentIds}
              onChange={agentIds => onChange({ ...value, agentIds })}
              error={errors.agentIds}
              read={(atrium, query, options) => atrium.agents.list(query, options).page()}
            />
            <IdField
              label="Only some collections"
              of="collections"
              ids={value.collectionIds}
              onChange={collectionIds => onChange({ ...value, collectionIds })}
              error={errors.collectionIds}
              read={(atrium, query, options) => atrium.knowledge.collections.list(query, options).page()}
            />
          </>
        ) : (
          <Notice>To choose agents or collections, switch to the environment of the key first.</Notice>
        )}
        <Field
          label="Only from these addresses"
          optional
          hint="IP addresses or networks such as 203.0.113.0/24, one a line."
          error={errors.allowedAddresses}
        >
          <Textarea
            rows={2}
            spellCheck={false}
            className="font-mono"
            value={value.addresses}
            onChange={event => onChange({ ...value, addresses: event.currentTarget.value })}
          />
        </Field>
      </div>
    </Card>
  )
}

type Named = { id: string; name: string }

type IdFieldProps = {
  label: string
  of: string
  ids: string[] | null
  onChange: (ids: string[] | null) => void
  error: string | undefined
  read: (
    atrium: Atrium,
    query: { pageSize: number },
    options: { signal: AbortSignal },
  ) => Promise<Page<Named>>
}

/** As many as one page has; a workspace with more narrows its keys by the API. */
const mostShown = 100

function IdField({ label, of, ids, onChange, error, read }: IdFieldProps) {
  const records = useApiQuery(
    ['narrowing', of],
    (atrium, options) => read(atrium, { pageSize: mostShown }, options),
    { enabled: ids !== null },
  )
  const toggle = (id: string, on: boolean) =>
    onChange(on ? [...(ids ?? []), id] : (ids ?? []).filter(one => one !== id))
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{label}</legend>
      <Checkbox label={label} checked={ids !== null} onChange={on => onChange(on ? [] : null)} />
      {error !== undefined && (
        <p role="alert" className="mt-2 text-[13px] text-danger-text">
          {error}
        </p>
      )}
      {ids !== null && (
        <div className="mt-3 flex max-h-56 flex-col gap-2.5 overflow-y-auto border-l pl-4">
          <Loaded query={records}>
            {({ items, total }) => (
              <>
                {items.length === 0 && <p className="text-muted">There are no {of} yet.</p>}
                {items.map(({ id, name }) => (
                  <Checkbox
                    key={id}
                    label={name}
                    checked={ids.includes(id)}
                    onChange={on => toggle(id, on)}
                  />
                ))}
                {total > items.length && (
                  <p className="text-[13px] text-muted">
                    The newest {items.length} of {total}; the API takes the ids of all.
                  </p>
                )}
              </>
            )}
          </Loaded>
        </div>
      )}
    </fieldset>
  )
}
