/** Where a prompt is written, with what it is sent with. */
import type { Agent } from '@atrium/sdk'
import { ArrowUp, Square } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { useMay } from '../../../api/scope.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Form, TextareaField } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notices.tsx'
import { useMayAsk } from '../use-ownership.ts'
import { faultsOf, noInputs, promptOf, RunInputFields } from './run-inputs.tsx'
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
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
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
