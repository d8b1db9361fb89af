/** Where a prompt is written, with what it is sent with. */
import type { Agent } from '@atrium/sdk'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { ArrowUp, ChevronRight, Square } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { type FieldProps, fieldOf } from '../../../api/form.ts'
import { parsedJson } from '../../../api/parsed-json.ts'
import { useMay } from '../../../api/scope.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Form, SelectField, TextareaField } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notices.tsx'
import { useMayAsk } from '../use-ownership.ts'
import { givenVariables, VariableFields } from '../variable-fields.tsx'
import type { NewPrompt } from './use-conversation.ts'

type ComposerProps = {
  agent: Agent
  /** False in a conversation that belongs to others. */
  mayContinue: boolean
  text: string
  onText: (text: string) => void
  inputRef: RefObject<HTMLTextAreaElement | null>
  /** Nothing was said yet. */
  isFirst: boolean
  onSend: (prompt: NewPrompt) => void
  /** Null if nothing is in progress. */
  onStop: (() => Promise<void>) | null
}

export function Composer({
  agent,
  mayContinue,
  text,
  onText,
  inputRef,
  isFirst,
  onSend,
  onStop,
}: ComposerProps) {
  const mayRun = useMayAsk(agent)
  const [inputs, setInputs] = useState(noInputs)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  if (!mayRun) {
    return <Notice>Your role does not include running agents. An owner or admin can change it.</Notice>
  }
  if (!mayContinue) {
    return <Notice>This conversation belongs to others. Begin a new one to ask the agent yourself.</Notice>
  }
  if (agent.status === 'paused') return <Paused agent={agent} />
  const canSend = text.trim() !== '' && onStop === null
  const send = () => {
    if (!canSend) return
    const faults = faultsOf(inputs, agent)
    setErrors(faults)
    if (Object.keys(faults).length > 0) return
    onSend(promptOf(text.trim(), inputs))
    onText('')
  }
  return (
    <Form
      className="flex max-h-[75dvh] min-w-0 flex-col gap-2 overflow-y-auto rounded-lg border bg-raised p-3 shadow-raised"
      onSubmit={send}
    >
      <TextareaField
        label="Your message"
        labelHidden
        ref={inputRef}
        rows={2}
        maxLength={100_000}
        placeholder={`Ask ${agent.name} something`}
        value={text}
        onChange={onText}
        onKeyDown={event => {
          if (event.key !== 'Enter' || event.shiftKey || isOfInputMethod(event.nativeEvent)) return
          event.preventDefault()
          send()
        }}
      />
      {Object.keys(errors).length > 0 && (
        <p role="alert" className="text-[13px] text-danger-text">
          It was not sent: some of what it is sent with is missing or wrong.
        </p>
      )}
      <div className="flex min-w-0 flex-wrap items-start justify-between gap-3">
        <RunInputFields agent={agent} value={inputs} onChange={setInputs} errors={errors} isFirst={isFirst} />
        <span className="ml-auto flex items-center gap-3">
          <span className="hidden text-[12px] text-muted lg:block">
            Enter sends, Shift and Enter begins a new line.
          </span>
          {onStop === null ? (
            <Button type="submit" variant="primary" icon={ArrowUp} disabled={!canSend}>
              Send
            </Button>
          ) : (
            <Stop onStop={onStop} />
          )}
        </span>
      </div>
    </Form>
  )
}

/** Safari ends the composition before the key that confirms it; only the key code is then that of an input method. */
const isOfInputMethod = ({ isComposing, keyCode }: KeyboardEvent): boolean => isComposing || keyCode === 229

function Stop({ onStop }: { onStop: () => Promise<void> }) {
  const [busy, setBusy] = useState(false)
  const stop = async () => {
    setBusy(true)
    await onStop()
    setBusy(false)
  }
  return (
    <Button icon={Square} busy={busy} onClick={() => void stop()}>
      Stop
    </Button>
  )
}

function Paused({ agent }: { agent: Agent }) {
  const mayWrite = useMay('agents:write')
  return (
    <Notice
      tone="warn"
      title="This agent is paused"
      action={mayWrite && <ButtonLink to={`/agents/${agent.id}/edit`}>Open the editor</ButtonLink>}
    >
      It refuses new runs until somebody makes it active again.
    </Notice>
  )
}

type RunInputFieldsProps = {
  agent: Agent
  value: RunInputs
  onChange: (value: RunInputs) => void
  errors: Readonly<Record<string, string>>
  /** Later on, the conversation needs the room, and what was typed stays. */
  isFirst: boolean
}

function RunInputFields({ agent, value, onChange, errors, isFirst }: RunInputFieldsProps) {
  const isNeeded = isFirst && Object.values(agent.variables).some(usual => usual === null)
  const isWrong = Object.keys(errors).length > 0
  const of = fieldOf(value, onChange, errors)
  return (
    <details open={isNeeded || isWrong} className="group min-w-0 open:w-full">
      <summary className="flex min-h-8 w-fit list-none items-center gap-1.5 rounded-sm text-[13px] text-muted hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden size={14} className="transition-transform group-open:rotate-90" />
        Variables, revision and response schema
      </summary>
      <div className="mt-3 grid gap-4 sm:grid-cols-2">
        <VariableFields agent={agent} {...of('variables')} errors={errors} />
        <RevisionField agent={agent} {...of('revision')} />
        <div className="min-w-0 sm:col-span-2">
          <TextareaField
            label="Response schema"
            optional
            hint="A JSON Schema that the answer has to fit; the structured output is then shown below it."
            rows={3}
            spellCheck={false}
            className="font-mono text-[13px]"
            placeholder={
              '{"type": "object", "properties": {"days": {"type": "integer"}}, "required": ["days"]}'
            }
            {...of('responseSchema')}
          />
        </div>
      </div>
    </details>
  )
}

/** People who may not change agents always run the published revision. */
function RevisionField({ agent, ...field }: FieldProps<string> & { agent: Agent }) {
  const mayWrite = useMay('agents:write')
  if (!mayWrite) return null
  const others = [agent.revision, agent.revision - 1, agent.revision - 2].filter(
    revision => revision > 0 && revision !== agent.publishedRevision,
  )
  return (
    <SelectField
      label="Revision"
      hint="Try a draft here before it is published."
      {...field}
      emptyLabel={`Published (${agent.publishedRevision})`}
      options={others.map(revision => ({
        value: String(revision),
        label: revision > agent.publishedRevision ? `Draft ${revision}` : `Revision ${revision}`,
      }))}
    />
  )
}

type RunInputs = {
  variables: Readonly<Record<string, string>>
  /** Empty for the published one. */
  revision: string
  /** JSON, as it is typed; empty for none. */
  responseSchema: string
}

const noInputs: RunInputs = { variables: {}, revision: '', responseSchema: '' }

function faultsOf(inputs: RunInputs, agent: Agent): Readonly<Record<string, string>> {
  const missing = Object.entries(agent.variables)
    .filter(([name, usual]) => usual === null && (inputs.variables[name] ?? '').trim() === '')
    .map(([name]) => [`variables.${name}`, 'This agent needs a value.'])
  const schema = inputs.responseSchema.trim()
  const isWrong = schema !== '' && parsed(schema) === null
  return Object.fromEntries([
    ...missing,
    ...(isWrong
      ? [['responseSchema', 'This is not a JSON object. Write one such as {"type": "object"}.']]
      : []),
  ])
}

function promptOf(prompt: string, { variables, revision, responseSchema }: RunInputs): NewPrompt {
  const given = givenVariables(variables)
  const schema = parsed(responseSchema)
  return withoutUndefined({
    prompt,
    variables: Object.keys(given).length > 0 ? given : undefined,
    revision: revision === '' ? undefined : Number(revision),
    // The generated types have no word for an object of any fields.
    responseSchema: schema === null ? undefined : (schema as Record<string, never>),
  })
}

function parsed(text: string): Record<string, unknown> | null {
  const value = parsedJson(text)
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Record<string, unknown>) : null
}
