/** What can be said of an endpoint: its address, what it is for, and what it is told of. */
import { useScope } from '../../api/scope.tsx'
import { Checkbox, Choices } from '../../ui/choices.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { type EventType, eventAreas } from './event-areas.ts'

export type Endpoint = {
  url: string
  description: string
  /** Kept while all events are chosen, so that switching back restores the selection. */
  eventTypes: ReadonlySet<EventType>
  everything: boolean
}

export const wantedOf = ({ url, description, eventTypes, everything }: Endpoint) => ({
  url: url.trim(),
  description: description.trim() === '' ? null : description.trim(),
  eventTypes: everything ? null : [...eventTypes],
})

/** An endpoint that is told of nothing is refused. */
export const isComplete = ({ eventTypes, everything }: Endpoint): boolean => everything || eventTypes.size > 0

type Props = {
  value: Endpoint
  onChange: (value: Endpoint) => void
  errors: Readonly<Record<string, string>>
}

export function EndpointFields({ value, onChange, errors }: Props) {
  return (
    <div className="flex flex-col gap-5">
      <Field
        label="Address"
        hint="Where events are sent by POST. Redirects are not followed."
        error={errors.url}
      >
        <Input
          required
          type="url"
          maxLength={2_000}
          placeholder="https://example.com/hooks/atrium"
          value={value.url}
          onChange={event => onChange({ ...value, url: event.currentTarget.value })}
        />
      </Field>
      <Field label="What it is for" optional error={errors.description}>
        <Input
          maxLength={500}
          value={value.description}
          onChange={event => onChange({ ...value, description: event.currentTarget.value })}
        />
      </Field>
      <Choices
        legend="Told of"
        value={value.everything ? 'everything' : 'some'}
        onChange={chosen => onChange({ ...value, everything: chosen === 'everything' })}
        choices={[
          { value: 'everything', label: 'Everything', hint: 'Also of what comes with later versions.' },
          { value: 'some', label: 'Some types', hint: 'Only of what is chosen below.' },
        ]}
      />
      {!value.everything && (
        <TypeFields chosen={value.eventTypes} onChange={eventTypes => onChange({ ...value, eventTypes })} />
      )}
      {errors.eventTypes !== undefined && (
        <p role="alert" className="text-[13px] text-danger-text">
          {errors.eventTypes}
        </p>
      )}
    </div>
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
        .map(({ area, types }) => (
          <fieldset key={area} className="flex min-w-0 flex-col gap-2">
            <legend className="mb-2 font-semibold">{area}</legend>
            {types.map(({ type, when }) => (
              <Checkbox
                key={type}
                label={when}
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
