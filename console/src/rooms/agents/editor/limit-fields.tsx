/** What a run of the agent, and all of them in a month, may use. */
import { Field, Input } from '../../../ui/field.tsx'
import { Card } from '../../../ui/page.tsx'
import type { LimitName, SectionProps } from './draft.ts'

const fields: readonly { name: LimitName; label: string; hint: string; step: string; most: number }[] = [
  {
    name: 'maxSteps',
    label: 'Steps of a run',
    hint: 'Calls of the model: 1 to 50. 8 unless set.',
    step: '1',
    most: 50,
  },
  {
    name: 'timeoutSeconds',
    label: 'Seconds of a run',
    hint: '1 to 600. 120 unless set.',
    step: '1',
    most: 600,
  },
  {
    name: 'maxOutputTokens',
    label: 'Tokens of an answer',
    hint: 'That the model writes in one call.',
    step: '1',
    most: 1_000_000,
  },
  {
    name: 'maxCostUsd',
    label: 'Cost of a run, in US dollars',
    hint: 'No further call of the model beyond it.',
    step: 'any',
    most: 1_000,
  },
  {
    name: 'maxCostUsdPerMonth',
    label: 'Cost of a month, in US dollars',
    hint: 'Of all its runs in a calendar month. Then it refuses new ones.',
    step: 'any',
    most: 1_000_000,
  },
]

export function LimitFields({ draft: { limits }, onChange, errors }: SectionProps) {
  return (
    <Card title="Limits and budget" description="Empty for no limit of its own.">
      <div className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
        {fields.map(({ name, label, hint, step, most }) => (
          <Field key={name} label={label} hint={hint} error={errors[`limits.${name}`]}>
            <Input
              type="number"
              inputMode="decimal"
              min={0}
              max={most}
              step={step}
              value={limits[name]}
              onChange={event => onChange({ limits: { ...limits, [name]: event.currentTarget.value } })}
            />
          </Field>
        ))}
      </div>
    </Card>
  )
}
