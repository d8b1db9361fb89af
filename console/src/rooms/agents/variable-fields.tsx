/** The values that stand in an agent's instructions, for a prompt, a schedule or a trigger. */
import type { Agent } from '@atrium/sdk'
import { TextField } from '../../ui/field.tsx'

type VariableFieldsProps = {
  agent: Agent
  value: Readonly<Record<string, string>>
  onChange: (value: Readonly<Record<string, string>>) => void
  errors: Readonly<Record<string, string>>
}

export function VariableFields({ agent, value: values, onChange, errors }: VariableFieldsProps) {
  return Object.entries(agent.variables).map(([name, usual]) => (
    <TextField
      key={name}
      label={name}
      optional={usual !== null}
      hint={`Stands for {{${name}}} in the instructions.`}
      error={errors[`variables.${name}`]}
      placeholder={usual ?? undefined}
      value={values[name] ?? ''}
      onChange={text => onChange({ ...values, [name]: text })}
    />
  ))
}

/** Without those that are left empty, for which the agent's own values stand. */
export const givenVariables = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
