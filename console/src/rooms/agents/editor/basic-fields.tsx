/** What the agent is called, what it is for, and whether it takes questions. */
import { Choices } from '../../../ui/choices.tsx'
import { Field, Input, Textarea } from '../../../ui/field.tsx'
import { Card } from '../../../ui/page.tsx'
import type { SectionProps } from './draft.ts'

export function BasicFields({ draft, onChange, errors }: SectionProps) {
  return (
    <Card title="About it">
      <div className="flex flex-col gap-5">
        <Field label="Name" error={errors.name}>
          <Input
            maxLength={100}
            value={draft.name}
            onChange={event => onChange({ name: event.currentTarget.value })}
          />
        </Field>
        <Field
          label="Description"
          optional
          hint="For people, and for agents that may call this one."
          error={errors.description}
        >
          <Textarea
            rows={2}
            maxLength={1_000}
            value={draft.description}
            onChange={event => onChange({ description: event.currentTarget.value })}
          />
        </Field>
        <Choices
          legend="State"
          value={draft.status}
          onChange={status => onChange({ status })}
          choices={[
            { value: 'active', label: 'Active', hint: 'It takes questions.' },
            { value: 'paused', label: 'Paused', hint: 'It refuses new runs, from the moment that you save.' },
          ]}
        />
      </div>
    </Card>
  )
}
