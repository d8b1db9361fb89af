/** What the model is told, with the variables that stand in it. */
import { Plus, Trash2 } from 'lucide-react'
import type { FieldProps } from '../../../api/form.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/choices.tsx'
import { FieldError, TextareaField, TextField } from '../../../ui/field.tsx'
import { formatNumber } from '../../../ui/format.ts'
import { Notice } from '../../../ui/notices.tsx'
import { Card } from '../../../ui/page.tsx'
import { type SectionProps, undeclared, type Variable } from './draft.ts'

const mostCharacters = 50_000
const mostVariables = 50

export function InstructionFields({ draft, of, onChange, errors }: SectionProps) {
  const { instructions, variables } = draft
  const missing = undeclared(draft)
  const add = (names: readonly string[]) =>
    onChange({
      variables: [
        ...variables,
        ...names.map(name => ({ key: `new ${variables.length} ${name}`, name, value: '', isRequired: true })),
      ],
    })
  return (
    <Card title="Instructions" description="What the model is told to be and to do, before each question.">
      <TextareaField
        label="Instructions"
        labelHidden
        hint={`Write {{name}} where a value is put in for each run. ${formatNumber(instructions.length)} of ${formatNumber(mostCharacters)} characters.`}
        rows={10}
        maxLength={mostCharacters}
        placeholder="You answer the questions of our customers, briefly and kindly, from the documents."
        {...of('instructions')}
      />
      {missing.length > 0 && (
        <Notice
          tone="warn"
          title={`${missing.map(name => `{{${name}}}`).join(', ')} ${missing.length === 1 ? 'is no variable' : 'are no variables'} yet`}
          action={
            <Button size="small" icon={Plus} onClick={() => add(missing)}>
              {missing.length === 1 ? 'Make it a variable' : 'Make them variables'}
            </Button>
          }
        >
          Without that it is plain text for the model.
        </Notice>
      )}
      <Variables {...of('variables')} errors={errors} onAdd={() => add([''])} />
    </Card>
  )
}

type VariablesProps = FieldProps<Variable[]> & Pick<SectionProps, 'errors'> & { onAdd: () => void }

function Variables({ value: variables, onChange, error, errors, onAdd }: VariablesProps) {
  const replace = (key: string, change: Partial<Variable>) =>
    onChange(variables.map(one => (one.key === key ? { ...one, ...change } : one)))
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-1.5 font-medium">Variables</legend>
      {variables.length === 0 && (
        <p className="text-[13px] text-muted">
          None. With one such as {'{{language}}'}, a program says for each run what it stands for.
        </p>
      )}
      <FieldError>{error}</FieldError>
      {variables.map((variable, index) => (
        <div
          key={variable.key}
          className="grid min-w-0 items-start gap-3 rounded-md border p-3 sm:grid-cols-[1fr_1fr_auto_auto]"
        >
          <TextField
            label={`Name of variable ${index + 1}`}
            error={errors[`variables.${variable.name}`]}
            spellCheck={false}
            maxLength={64}
            className="font-mono text-[13px]"
            value={variable.name}
            onChange={text => replace(variable.key, { name: text })}
          />
          <TextField
            label="Usual value"
            maxLength={10_000}
            disabled={variable.isRequired}
            value={variable.isRequired ? '' : variable.value}
            onChange={text => replace(variable.key, { value: text })}
          />
          <div className="sm:pt-8">
            <Checkbox
              label="Each run gives it"
              checked={variable.isRequired}
              onChange={isRequired => replace(variable.key, { isRequired })}
            />
          </div>
          <div className="sm:pt-6.5">
            <IconButton
              icon={Trash2}
              label={`Remove variable ${index + 1}`}
              onClick={() => onChange(variables.filter(({ key }) => key !== variable.key))}
            />
          </div>
        </div>
      ))}
      <div>
        <Button size="small" icon={Plus} disabled={variables.length >= mostVariables} onClick={onAdd}>
          Add a variable
        </Button>
      </div>
    </fieldset>
  )
}
