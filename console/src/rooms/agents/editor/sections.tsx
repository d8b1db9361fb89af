/** The short sections of the editor: about the agent, its model, its knowledge, its limits, who reaches it. */

import type { Model } from '@atrium/sdk'
import { useState } from 'react'
import { type FieldProps, fieldOf } from '../../../api/form.ts'
import { useApiQuery } from '../../../api/queries.ts'
import { RecordChoices } from '../../../api/records.tsx'
import { useMay, useScope } from '../../../api/scope.tsx'
import { Checkbox, Choices, Switch } from '../../../ui/choices.tsx'
import { SelectField, TextareaField, TextField } from '../../../ui/field.tsx'
import { formatNumber } from '../../../ui/format.ts'
import { ErrorNotice, Notice } from '../../../ui/notices.tsx'
import { Card } from '../../../ui/page.tsx'
import type { Effort, LimitName, SectionProps } from './draft.ts'

/** What the agent is called, what it is for, and whether it takes questions. */
export function BasicFields({ of }: SectionProps) {
  return (
    <Card title="About it">
      <TextField label="Name" maxLength={100} {...of('name')} />
      <TextareaField
        label="Description"
        optional
        hint="For people, and for agents that may call this one."
        rows={2}
        maxLength={1_000}
        {...of('description')}
      />
      <Choices
        legend="State"
        {...of('status')}
        choices={[
          { value: 'active', label: 'Active', hint: 'It takes questions.' },
          { value: 'paused', label: 'Paused', hint: 'It refuses new runs, from the moment that you save.' },
        ]}
      />
    </Card>
  )
}

/** Who answers, and who does where that one cannot. */
export function ModelFields({ draft, of }: SectionProps) {
  const { environment } = useScope()
  const models = useApiQuery(['models'], (atrium, options) =>
    atrium.models.list({ pageSize: 100 }, options).page(),
  )
  const listed = (models.data?.items ?? []).filter(({ purposes }) => purposes.includes('chat'))
  const usual = listed.find(({ isDefault }) => isDefault)
  return (
    <Card title="Model">
      {environment === 'test' && (
        <Notice>
          In the sandbox each agent runs on the model “sandbox”, whatever is chosen here: at no cost.
        </Notice>
      )}
      <ErrorNotice error={models.error} onRetry={() => void models.refetch()} />
      <div className="grid gap-5 sm:grid-cols-2">
        <ModelField
          label="Model"
          hint={describeModel(
            listed.find(({ id }) => id === draft.model) ?? (draft.model === 'default' ? usual : undefined),
          )}
          first={{ value: 'default', label: usual === undefined ? 'Default' : `Default (${usual.id})` }}
          models={listed}
          {...of('model')}
        />
        <ModelField
          label="Fallback model"
          hint="Goes on where the model is not configured or does not answer."
          first={{ value: '', label: 'None' }}
          models={listed}
          {...of('fallbackModel')}
        />
      </div>
    </Card>
  )
}

type ModelFieldProps = FieldProps<string> & {
  label: string
  hint: string
  first: { value: string; label: string }
  models: readonly Model[]
}

const anotherName = 'another name'

/** Providers have models that the list does not name, so any name can be typed. */
function ModelField({ label, hint, first, models, value, onChange, error }: ModelFieldProps) {
  const isListed = value === first.value || models.some(({ id }) => id === value)
  const providers = [...new Set(models.map(({ provider }) => provider))]
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <SelectField
        label={label}
        hint={hint}
        error={isListed ? error : undefined}
        value={isListed ? value : anotherName}
        onChange={chosen => onChange(chosen === anotherName ? 'openai/' : chosen)}
        options={[first]}
      >
        {providers.map(provider => (
          <optgroup key={provider} label={provider}>
            {models
              .filter(model => model.provider === provider)
              .map(({ id }) => (
                <option key={id}>{id}</option>
              ))}
          </optgroup>
        ))}
        <option value={anotherName}>Another name…</option>
      </SelectField>
      {!isListed && (
        <TextField
          label={`Name of the ${label.toLowerCase()}`}
          hint="Such as openai/gpt-5.4-mini."
          error={error}
          spellCheck={false}
          maxLength={200}
          className="font-mono text-[13px]"
          value={value}
          onChange={onChange}
        />
      )}
    </div>
  )
}

function describeModel(model: Model | undefined): string {
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

/** Which documents the agent looks in. */
export function KnowledgeFields({ draft, of, onChange }: SectionProps) {
  const mayRead = useMay('knowledge:read')
  const [isNarrow, setIsNarrow] = useState(draft.collectionIds.length > 0)
  const isShown = isNarrow || draft.collectionIds.length > 0
  return (
    <Card title="Knowledge" description="It matters where the agent has the tool search_knowledge.">
      <Choices
        legend="It searches"
        value={isShown ? 'some' : 'all'}
        onChange={choice => {
          setIsNarrow(choice === 'some')
          if (choice === 'all') onChange({ collectionIds: [] })
        }}
        choices={[
          {
            value: 'all',
            label: 'All collections',
            hint: 'All that the person or key running it can reach.',
          },
          {
            value: 'some',
            label: 'Only some',
            hint: 'Of those, the ones that the person or key running it can reach.',
          },
        ]}
      />
      {isShown && mayRead && <RecordChoices legend="Collections" of="collections" {...of('collectionIds')} />}
    </Card>
  )
}

const efforts: readonly { value: Effort; label: string }[] = [
  { value: 'none', label: 'None' },
  { value: 'minimal', label: 'Minimal' },
  { value: 'low', label: 'Low' },
  { value: 'medium', label: 'Medium' },
  { value: 'high', label: 'High' },
  { value: 'xhigh', label: 'Extra high' },
  { value: 'max', label: 'Maximum' },
]

type NumberField<Name> = { name: Name; label: string; hint: string; most: number }

const parameterFields: readonly NumberField<'temperature' | 'topP' | 'seed'>[] = [
  { name: 'temperature', label: 'Temperature', hint: '0 to 2; some providers take at most 1.', most: 2 },
  { name: 'topP', label: 'Top P', hint: 'Above 0 and up to 1. Set this or the temperature.', most: 1 },
  {
    name: 'seed',
    label: 'Seed',
    hint: 'With the same seed, a provider tries to repeat an answer.',
    most: 2_147_483_647,
  },
]

/** How the model writes: sampling, reasoning, and where it stops. */
export function ParameterFields({ draft: { parameters }, onChange, errors }: SectionProps) {
  const of = fieldOf(parameters, changed => onChange({ parameters: changed }), errors, 'modelParameters.')
  return (
    <Card title="How the model writes" description="Empty for the provider's default.">
      <div className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
        <NumberFields fields={parameterFields} of={of} />
        <SelectField
          label="Reasoning"
          hint="How much the model thinks before it answers."
          emptyLabel="The provider's default"
          {...of('reasoningEffort')}
          options={efforts}
        />
        <TextareaField
          label="Stop at"
          hint="Up to four texts, one per line. The model stops before them."
          rows={2}
          {...of('stop')}
        />
      </div>
      <Switch
        label="Leave out what the model does not take"
        hint="Otherwise saving fails, and so does a run on a model that refuses one."
        checked={parameters.lenient}
        onChange={of('lenient').onChange}
      />
    </Card>
  )
}

const limitFields: readonly NumberField<LimitName>[] = [
  { name: 'maxSteps', label: 'Steps of a run', hint: 'Calls of the model: 1 to 50. 8 unless set.', most: 50 },
  { name: 'timeoutSeconds', label: 'Seconds of a run', hint: '1 to 600. 120 unless set.', most: 600 },
  {
    name: 'maxOutputTokens',
    label: 'Tokens of an answer',
    hint: 'That the model writes in one call.',
    most: 1_000_000,
  },
  {
    name: 'maxCostUsd',
    label: 'Cost of a run, in US dollars',
    hint: 'No further call of the model beyond it.',
    most: 1_000,
  },
  {
    name: 'maxCostUsdPerMonth',
    label: 'Cost of a month, in US dollars',
    hint: 'Of all its runs in a calendar month. Then it refuses new ones.',
    most: 1_000_000,
  },
]

/** What a run of the agent, and all of them in a month, may use. */
export function LimitFields({ draft: { limits }, onChange, errors }: SectionProps) {
  const of = fieldOf(limits, changed => onChange({ limits: changed }), errors, 'limits.')
  return (
    <Card title="Limits and budget" description="Empty for no limit of its own.">
      <div className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
        <NumberFields fields={limitFields} of={of} />
      </div>
    </Card>
  )
}

type NumberFieldsProps<Name extends string> = {
  fields: readonly NumberField<Name>[]
  of: (name: Name) => FieldProps<string>
}

/** Numbers, each of which can be left empty. */
function NumberFields<Name extends string>({ fields, of }: NumberFieldsProps<Name>) {
  return fields.map(({ name, label, hint, most }) => (
    <TextField
      key={name}
      label={label}
      hint={hint}
      type="number"
      inputMode="decimal"
      min={0}
      max={most}
      step="any"
      {...of(name)}
    />
  ))
}

/** Shown only to people who may change teams: for everyone else, the agent is either visible or missing. */
export function AccessFields({ draft, of }: SectionProps) {
  const mayChange = useMay('teams:write')
  if (!mayChange) return null
  return (
    <Card title="Access" description="Takes effect when you save, and applies to all revisions.">
      <Choices
        legend="Who can use this agent"
        {...of('access')}
        choices={[
          { value: 'workspace', label: 'Everyone', hint: 'In this workspace.' },
          {
            value: 'teams',
            label: 'Some teams',
            hint: 'Besides owners and admins. For all others it does not exist.',
          },
        ]}
      />
      {draft.access === 'teams' && <RecordChoices legend="Teams" of="teams" {...of('teamIds')} />}
      <Checkbox
        label="Viewers may run it"
        hint="In conversations of their own. The agents that it calls must allow it too."
        checked={draft.viewersMayRun}
        onChange={of('viewersMayRun').onChange}
      />
    </Card>
  )
}
