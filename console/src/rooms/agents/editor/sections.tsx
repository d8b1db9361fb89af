/** The short sections of the editor: about the agent, its model, its knowledge, its limits, who reaches it. */

import type { Model } from '@atrium/sdk'
import { useState } from 'react'
import { useApiQuery } from '../../../api/queries.ts'
import { RecordChoices } from '../../../api/records.tsx'
import { useMay, useScope } from '../../../api/scope.tsx'
import { Checkbox, Choices, Switch } from '../../../ui/choices.tsx'
import { FieldError, SelectField, TextareaField, TextField } from '../../../ui/field.tsx'
import { formatNumber } from '../../../ui/format.ts'
import { ErrorNotice, Notice } from '../../../ui/notices.tsx'
import { Card } from '../../../ui/page.tsx'
import type { DraftParameters, Effort, LimitName, SectionProps } from './draft.ts'

/** What the agent is called, what it is for, and whether it takes questions. */
export function BasicFields({ draft, onChange, errors }: SectionProps) {
  return (
    <Card title="About it">
      <TextField
        label="Name"
        error={errors.name}
        maxLength={100}
        value={draft.name}
        onChange={text => onChange({ name: text })}
      />
      <TextareaField
        label="Description"
        optional
        hint="For people, and for agents that may call this one."
        error={errors.description}
        rows={2}
        maxLength={1_000}
        value={draft.description}
        onChange={text => onChange({ description: text })}
      />
      <Choices
        legend="State"
        value={draft.status}
        onChange={status => onChange({ status })}
        choices={[
          { value: 'active', label: 'Active', hint: 'It takes questions.' },
          { value: 'paused', label: 'Paused', hint: 'It refuses new runs, from the moment that you save.' },
        ]}
      />
    </Card>
  )
}

/** Who answers, and who does where that one cannot. */
export function ModelFields({ draft, onChange, errors }: SectionProps) {
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
export function KnowledgeFields({ draft, onChange, errors }: SectionProps) {
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
      {isShown && mayRead && (
        <RecordChoices
          legend="Collections"
          of="collections"
          value={draft.collectionIds}
          onChange={collectionIds => onChange({ collectionIds })}
          error={errors.collectionIds}
        />
      )}
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

const numberFields: readonly {
  name: 'temperature' | 'topP' | 'seed'
  label: string
  hint: string
  step: string
  most: number
}[] = [
  {
    name: 'temperature',
    label: 'Temperature',
    hint: '0 to 2; some providers take at most 1.',
    step: 'any',
    most: 2,
  },
  {
    name: 'topP',
    label: 'Top P',
    hint: 'Above 0 and up to 1. Set this or the temperature.',
    step: 'any',
    most: 1,
  },
  {
    name: 'seed',
    label: 'Seed',
    hint: 'With the same seed, a provider tries to repeat an answer.',
    step: '1',
    most: 2_147_483_647,
  },
]

/** How the model writes: sampling, reasoning, and where it stops. */
export function ParameterFields({ draft: { parameters }, onChange, errors }: SectionProps) {
  const change = (some: Partial<DraftParameters>) => onChange({ parameters: { ...parameters, ...some } })
  return (
    <Card title="How the model writes" description="Empty for the provider's default.">
      <div className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
        {numberFields.map(({ name, label, hint, step, most }) => (
          <TextField
            key={name}
            label={label}
            hint={hint}
            error={errors[`modelParameters.${name}`]}
            type="number"
            inputMode="decimal"
            min={0}
            max={most}
            step={step}
            value={parameters[name]}
            onChange={text => change({ [name]: text })}
          />
        ))}
        <SelectField
          label="Reasoning"
          hint="How much the model thinks before it answers."
          error={errors['modelParameters.reasoningEffort']}
          emptyLabel="The provider's default"
          value={parameters.reasoningEffort}
          onChange={reasoningEffort => change({ reasoningEffort })}
          options={efforts}
        />
        <TextareaField
          label="Stop at"
          hint="Up to four texts, one per line. The model stops before them."
          error={errors['modelParameters.stop']}
          rows={2}
          value={parameters.stop}
          onChange={stop => change({ stop })}
        />
      </div>
      <Switch
        label="Leave out what the model does not take"
        hint="Otherwise saving fails, and so does a run on a model that refuses one."
        checked={parameters.lenient}
        onChange={lenient => change({ lenient })}
      />
    </Card>
  )
}

const limitFields: readonly { name: LimitName; label: string; hint: string; step: string; most: number }[] = [
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

/** What a run of the agent, and all of them in a month, may use. */
export function LimitFields({ draft: { limits }, onChange, errors }: SectionProps) {
  return (
    <Card title="Limits and budget" description="Empty for no limit of its own.">
      <div className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
        {limitFields.map(({ name, label, hint, step, most }) => (
          <TextField
            key={name}
            label={label}
            hint={hint}
            error={errors[`limits.${name}`]}
            type="number"
            inputMode="decimal"
            min={0}
            max={most}
            step={step}
            value={limits[name]}
            onChange={text => onChange({ limits: { ...limits, [name]: text } })}
          />
        ))}
      </div>
    </Card>
  )
}

/** Shown only to people who may change teams: for everyone else, the agent is either visible or missing. */
export function AccessFields({ draft, onChange, errors }: SectionProps) {
  const mayChange = useMay('teams:write')
  if (!mayChange) return null
  return (
    <Card title="Access" description="Takes effect when you save, and applies to all revisions.">
      <Choices
        legend="Who can use this agent"
        value={draft.access}
        onChange={access => onChange({ access })}
        choices={[
          { value: 'workspace', label: 'Everyone', hint: 'In this workspace.' },
          {
            value: 'teams',
            label: 'Some teams',
            hint: 'Besides owners and admins. For all others it does not exist.',
          },
        ]}
      />
      <FieldError>{errors.access}</FieldError>
      {draft.access === 'teams' && (
        <RecordChoices
          legend="Teams"
          of="teams"
          value={draft.teamIds}
          onChange={teamIds => onChange({ teamIds })}
          error={errors.teamIds}
        />
      )}
      <Checkbox
        label="Viewers may run it"
        hint="In conversations of their own. The agents that it calls must allow it too."
        checked={draft.viewersMayRun}
        onChange={viewersMayRun => onChange({ viewersMayRun })}
      />
    </Card>
  )
}
