/** An endpoint: its state, its fields, and the events that it can be told of. */

import type { Webhook } from '@atrium/sdk'
import type { FieldOf } from '../../api/form.ts'
import { useScope } from '../../api/scope.tsx'
import { StateBadge } from '../../ui/badge.tsx'
import { Checkbox, Choices } from '../../ui/choices.tsx'
import { FieldError, TextField } from '../../ui/field.tsx'

/** What can be said of an endpoint: its address, what it is for, and what it is told of. */
export type Endpoint = {
  url: string
  description: string
  /** Kept while all events are chosen, so that switching back restores the selection. */
  eventTypes: ReadonlySet<EventType>
  /** Such as `run.*`: of those that the endpoint was made with, each stays while all of its types are chosen. */
  wildcards: readonly EventType[]
  everything: boolean
}

export function requestOf({ url, description, eventTypes, wildcards, everything }: Endpoint) {
  const kept = wildcards.filter(wildcard => coveredBy(wildcard).every(type => eventTypes.has(type)))
  const covered = new Set(kept.flatMap(coveredBy))
  const chosen = [...kept, ...[...eventTypes].filter(type => !covered.has(type))]
  const all: EventType[] = ['*']
  return {
    url: url.trim(),
    description: description.trim() || null,
    eventTypes: everything ? all : chosen,
  }
}

export const choiceOf = ({
  eventTypes,
}: Webhook): Pick<Endpoint, 'eventTypes' | 'wildcards' | 'everything'> => ({
  eventTypes: new Set(eventTypes.flatMap(type => (isWildcard(type) ? coveredBy(type) : [type]))),
  wildcards: eventTypes.filter(isWildcard),
  everything: eventTypes.includes('*'),
})

const isWildcard = (type: EventType): boolean => type.endsWith('.*')

const coveredBy = (wildcard: EventType): EventType[] =>
  eventTypes.filter(type => type.startsWith(wildcard.slice(0, -1)))

/** An endpoint that is told of nothing is refused. */
export const isComplete = ({ eventTypes, everything }: Endpoint): boolean => everything || eventTypes.size > 0

export function EndpointFields({ of }: { of: FieldOf<Endpoint> }) {
  const eventTypes = of('eventTypes')
  const everything = of('everything')
  return (
    <>
      <TextField
        label="Address"
        hint="Where events are sent by POST. Redirects are not followed."
        required
        type="url"
        maxLength={2_000}
        placeholder="https://example.com/hooks/atrium"
        {...of('url')}
      />
      <TextField label="What it is for" optional maxLength={500} {...of('description')} />
      <Choices
        legend="Told of"
        value={everything.value ? 'everything' : 'some'}
        onChange={chosen => everything.onChange(chosen === 'everything')}
        choices={[
          { value: 'everything', label: 'Everything', hint: 'Also of what comes with later versions.' },
          { value: 'some', label: 'Some types', hint: 'Only of what is chosen below.' },
        ]}
      />
      {!everything.value && <TypeFields chosen={eventTypes.value} onChange={eventTypes.onChange} />}
      <FieldError>{eventTypes.error}</FieldError>
    </>
  )
}

type TypeFieldsProps = {
  chosen: ReadonlySet<EventType>
  onChange: (chosen: ReadonlySet<EventType>) => void
}

function TypeFields({ chosen, onChange }: TypeFieldsProps) {
  const { permissions } = useScope()
  const toggle = (type: EventType, on: boolean) =>
    onChange(new Set(on ? [...chosen, type] : [...chosen].filter(one => one !== type)))
  return (
    <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
      {eventAreas
        .filter(({ permission }) => permissions.has(permission))
        .map(area => (
          <fieldset key={area.area} className="flex min-w-0 flex-col gap-2">
            <legend className="mb-2 font-semibold">{area.area}</legend>
            {typesOf(area).map(type => (
              <Checkbox
                key={type}
                label={area.types[type]}
                hint={<span className="font-mono text-[12px]">{type}</span>}
                checked={chosen.has(type)}
                onChange={on => toggle(type, on)}
              />
            ))}
          </fieldset>
        ))}
    </div>
  )
}

export function EndpointState({ webhook: { enabled, disabledReason, failingSince } }: { webhook: Webhook }) {
  if (enabled && failingSince === null) return <StateBadge tone="good" label="Enabled" />
  if (enabled) return <StateBadge tone="warn" label="Failing" />
  const isByFailures = disabledReason === 'gone' || disabledReason === 'failing'
  return isByFailures ? (
    <StateBadge tone="danger" label="Disabled by failures" />
  ) : (
    <StateBadge label="Disabled" />
  )
}

/** What an endpoint can be told of, by area, in words that say when it is sent. */
type EventType = Webhook['eventTypes'][number]

type EventArea = {
  area: string
  /** What a person needs in order to hear of it. */
  permission: string
  /** When each type is sent. */
  types: Partial<Record<EventType, string>>
}

const eventAreas: readonly EventArea[] = [
  {
    area: 'Runs',
    permission: 'agents:read',
    types: {
      'run.succeeded': 'An agent has answered',
      'run.failed': 'A run has failed',
      'run.cancelled': 'A run was cancelled',
      'run.waiting': 'A run waits for an approval or a result',
    },
  },
  {
    area: 'Knowledge',
    permission: 'knowledge:read',
    types: {
      'document.ready': 'A document can be found',
      'document.failed': 'A document could not be read',
      'document.deleted': 'A document was deleted',
      'collection.deleted': 'A collection was deleted',
    },
  },
  {
    area: 'Connections',
    permission: 'integrations:read',
    types: {
      'connection.active': 'A service is connected',
      'connection.needs_reauth': 'A connection needs to be reconnected',
      'connection.failed': 'A connection has failed',
      'connection.deleted': 'A service was disconnected',
      'connection.tools_changed': 'The tools of a connection need to be accepted again',
      'connection.sync_succeeded': 'A connection was synchronized',
      'connection.sync_failed': 'A sync has failed',
    },
  },
  {
    area: 'Members',
    permission: 'members:read',
    types: {
      'member.joined': 'Somebody has joined',
      'member.changed': 'A role has changed',
      'member.removed': 'Somebody was removed or has left',
    },
  },
  {
    area: 'Keys',
    permission: 'keys:read',
    types: {
      'key.created': 'An API key was made',
      'key.rotated': 'A key has a new secret',
      'key.revoked': 'A key was revoked',
    },
  },
  {
    area: 'Limits and webhooks',
    permission: 'usage:read',
    types: {
      'limit.reached': 'A limit of the plan is reached',
      'webhook.disabled': 'An endpoint was disabled',
    },
  },
]

// Its keys are no others.
const typesOf = ({ types }: EventArea) => Object.keys(types) as EventType[]

export const eventTypes = eventAreas.flatMap(typesOf)
