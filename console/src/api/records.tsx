/** The workspace's records by name: to choose from, and to call them by. */
import type { Agent, Atrium, Collection, Connection, Member, Page, Team } from '@atrium/sdk'
import { Checkbox } from '../ui/choices.tsx'
import { FieldError } from '../ui/field.tsx'
import { Loaded } from './loaded.tsx'
import { useApiQuery } from './queries.ts'
import { useMay } from './scope.tsx'

/** As many as one page has; of a larger workspace the newest. */
const mostNamed = { pageSize: 100 }

type Records = { agents: Agent; collections: Collection; connections: Connection; teams: Team }

type Kind<Item> = {
  permission: string
  read: (atrium: Atrium, options: { signal: AbortSignal }) => Promise<Page<Item>>
}

const kinds: { [Of in keyof Records]: Kind<Records[Of]> } = {
  agents: {
    permission: 'agents:read',
    read: (atrium, options) => atrium.agents.list(mostNamed, options).page(),
  },
  collections: {
    permission: 'knowledge:read',
    read: (atrium, options) => atrium.knowledge.collections.list(mostNamed, options).page(),
  },
  connections: {
    permission: 'integrations:read',
    read: (atrium, options) => atrium.integrations.list(mostNamed, options).page(),
  },
  teams: {
    permission: 'members:read',
    read: (atrium, options) => atrium.workspace.teams.list(mostNamed, options).page(),
  },
}

/** The key's first word is that of the changes that make the names stale. */
export const useRecords = <Of extends keyof Records>(of: Of) =>
  useApiQuery<Page<Records[Of]>>([of === 'connections' ? 'integrations' : of, 'names'], kinds[of].read, {
    enabled: useMay(kinds[of].permission),
  })

/** People and service accounts by their user's id; those without a name are called by their address. */
export function useMemberNames(): ReadonlyMap<string, Pick<Member, 'name' | 'kind'>> {
  const { data } = useApiQuery(
    ['members', 'names'],
    (atrium, options) => atrium.workspace.members.list(mostNamed, options).page(),
    { enabled: useMay('members:read') },
  )
  return new Map(
    data?.items.map(({ userId, name, email, kind }) => [userId, { name: name || (email ?? userId), kind }]),
  )
}

type RecordNarrowingProps = {
  of: 'agents' | 'collections'
  /** Null for all. */
  value: string[] | null
  onChange: (ids: string[] | null) => void
  error?: string | undefined
}

/** All of the records, or only some of them. */
export function RecordNarrowing({ of, value, onChange, error }: RecordNarrowingProps) {
  const label = `Only some ${of}`
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Checkbox label={label} checked={value !== null} onChange={on => onChange(on ? [] : null)} />
      {value === null ? (
        <FieldError>{error}</FieldError>
      ) : (
        <RecordChoices of={of} legend={label} legendHidden value={value} onChange={onChange} error={error} />
      )}
    </div>
  )
}

type RecordChoicesProps = {
  of: keyof Records
  legend: string
  /** The boxes below say it already: the legend is read out only. */
  legendHidden?: boolean
  value: readonly string[]
  onChange: (ids: string[]) => void
  error?: string | undefined
  /** One that cannot be chosen, such as the agent itself. */
  without?: string
  none?: string
}

/** Records to choose from, each with a checkbox; what is chosen and not shown can be taken away. */
export function RecordChoices({
  of,
  legend,
  legendHidden = false,
  value: ids,
  onChange,
  error,
  without,
  none = `There are no ${of} yet.`,
}: RecordChoicesProps) {
  const toggle = (id: string, on: boolean) => onChange(on ? [...ids, id] : ids.filter(one => one !== id))
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className={legendHidden ? 'sr-only' : 'mb-2 font-medium'}>{legend}</legend>
      <FieldError>{error}</FieldError>
      <div className="flex max-h-56 flex-col gap-2.5 overflow-y-auto border-l py-0.5 pl-4">
        <Loaded query={useRecords(of)}>
          {({ items, total }) => {
            const shown = items.filter(({ id }) => id !== without)
            const hidden = ids.filter(id => !items.some(item => item.id === id))
            return (
              <>
                {shown.length === 0 && <p className="text-muted">{none}</p>}
                {shown.map(({ id, name }) => (
                  <Checkbox
                    key={id}
                    label={name}
                    checked={ids.includes(id)}
                    onChange={on => toggle(id, on)}
                  />
                ))}
                {hidden.map(id => (
                  <Checkbox
                    key={id}
                    label={<span className="font-mono text-[12px] break-all">{id}</span>}
                    hint="It is not among those shown here, or is gone."
                    checked
                    onChange={on => toggle(id, on)}
                  />
                ))}
                {total > items.length && (
                  <p className="text-[13px] text-muted">
                    The newest {items.length} of {total}; the API takes the ids of all.
                  </p>
                )}
              </>
            )
          }}
        </Loaded>
      </div>
    </fieldset>
  )
}
