/** Who answers, and who does where that one cannot. */
import type { Model } from '@atrium/sdk'
import { useApiQuery } from '../../../api/queries.ts'
import { useScope } from '../../../api/scope.tsx'
import { Field, Input, Select } from '../../../ui/field.tsx'
import { formatNumber } from '../../../ui/format.ts'
import { ErrorNotice, Notice } from '../../../ui/notices.tsx'
import { Card } from '../../../ui/page.tsx'
import type { SectionProps } from './draft.ts'

export function ModelFields({ draft, onChange, errors }: SectionProps) {
  const { environment } = useScope()
  const models = useApiQuery(['models'], (atrium, options) =>
    atrium.models.list({ pageSize: 100 }, options).page(),
  )
  const listed = models.data?.items ?? []
  const usual = listed.find(({ isDefault }) => isDefault)
  return (
    <Card title="Model">
      <div className="flex flex-col gap-5">
        {environment === 'test' && (
          <Notice>
            In the sandbox each agent runs on the model “sandbox”, whatever is chosen here: at no cost.
          </Notice>
        )}
        {models.error !== null && <ErrorNotice error={models.error} onRetry={() => void models.refetch()} />}
        <div className="grid gap-5 sm:grid-cols-2">
          <ModelField
            label="Model"
            hint={describe(
              listed.find(({ id }) => id === draft.model) ?? (draft.model === 'default' ? usual : undefined),
            )}
            first={{ value: 'default', label: usual === undefined ? 'Default' : `Default (${usual.id})` }}
            models={listed}
            value={draft.model}
            onChange={model => onChange({ model })}
            error={errors.model}
          />
          <ModelField
            label="Fallback model"
            hint="Goes on where the model is not configured or does not answer."
            first={{ value: '', label: 'None' }}
            models={listed}
            value={draft.fallbackModel}
            onChange={fallbackModel => onChange({ fallbackModel })}
            error={errors.fallbackModel}
          />
        </div>
      </div>
    </Card>
  )
}

type ModelFieldProps = {
  label: string
  hint: string
  first: { value: string; label: string }
  models: readonly Model[]
  value: string
  onChange: (value: string) => void
  error: string | undefined
}

const other = 'another name'

/** Providers have models that the list does not name, so any name can be typed. */
function ModelField({ label, hint, first, models, value, onChange, error }: ModelFieldProps) {
  const isListed = value === first.value || models.some(({ id }) => id === value)
  const providers = [...new Set(models.map(({ provider }) => provider))]
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Field label={label} hint={hint} error={isListed ? error : undefined}>
        <Select
          value={isListed ? value : other}
          onChange={event =>
            onChange(event.currentTarget.value === other ? 'openai/' : event.currentTarget.value)
          }
        >
          <option value={first.value}>{first.label}</option>
          {providers.map(provider => (
            <optgroup key={provider} label={provider}>
              {models
                .filter(model => model.provider === provider)
                .map(({ id }) => (
                  <option key={id}>{id}</option>
                ))}
            </optgroup>
          ))}
          <option value={other}>Another name…</option>
        </Select>
      </Field>
      {!isListed && (
        <Field label={`Name of the ${label.toLowerCase()}`} hint="Such as openai/gpt-5.4-mini." error={error}>
          <Input
            spellCheck={false}
            maxLength={200}
            className="font-mono text-[13px]"
            value={value}
            onChange={event => onChange(event.currentTarget.value)}
          />
        </Field>
      )}
    </div>
  )
}

function describe(model: Model | undefined): string {
  if (model === undefined) return 'Who answers the questions.'
  const { description, contextTokens, price, seesImages } = model
  const parts = [
    description === '' ? null : description.replace(/\.$/, ''),
    contextTokens === null ? null : `reads ${formatNumber(contextTokens)} tokens`,
    seesImages === true ? 'sees images' : null,
    price === null
      ? null
      : price.inputUsdPerMillionTokens + price.outputUsdPerMillionTokens === 0
        ? 'no cost'
        : `$${price.inputUsdPerMillionTokens} in and $${price.outputUsdPerMillionTokens} out for a million tokens`,
  ]
  return `${parts.filter(part => part !== null).join('; ')}.`
}
