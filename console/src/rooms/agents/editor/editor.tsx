/** What an agent is told and may do; saving makes a revision, which is published at once or kept as a draft. */
import type { Agent } from '@atrium/sdk'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { fieldErrorsOf } from '../../../api/explain-error.ts'
import { useKeeping, useKeptDraft } from '../../../api/kept-draft.ts'
import { useApiMutation } from '../../../api/queries.ts'
import { useMay } from '../../../api/scope.tsx'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { ErrorNotice, Notice } from '../../../ui/notices.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import { AgentFrame } from '../agent-frame.tsx'
import { AccessFields } from './access-fields.tsx'
import { BasicFields } from './basic-fields.tsx'
import { DangerZone } from './danger-zone.tsx'
import { type AgentChange, changeOf, type Draft, draftOf, makesRevision } from './draft.ts'
import { InstructionFields } from './instruction-fields.tsx'
import { KnowledgeFields } from './knowledge-fields.tsx'
import { LimitFields } from './limit-fields.tsx'
import { ModelFields } from './model-fields.tsx'
import { SaveBar } from './save-bar.tsx'
import { ToolFields } from './tool-fields.tsx'

export function Room() {
  return <AgentFrame>{agent => <Editor key={agent.id} agent={agent} />}</AgentFrame>
}

type Saving = { change: AgentChange; publish: boolean }

function Editor({ agent }: { agent: Agent }) {
  const mayWrite = useMay('agents:write')
  const { draft, base, change, update, reset, takeOver } = useDraft(agent)
  const { mutate, error, isPending } = useApiMutation(
    (atrium, { change: wanted, publish }: Saving) =>
      atrium.agents.update(agent.id, makesRevision(wanted) ? { ...wanted, publish } : wanted),
    { changes: [['agents'], ['overview']] },
  )
  const toasts = useToasts()
  const announce = useAnnounce()
  const save = (publish: boolean) =>
    mutate(
      { change, publish },
      {
        onSuccess: saved => {
          takeOver(saved)
          toasts.show({ title: savedWords(saved, base) })
        },
        onError: () => announce('It was not saved. What is wrong stands beside the fields.'),
      },
    )
  const section = { draft, onChange: update, errors: fieldErrorsOf(error) }
  const form = useShownFault(error)
  const count = Object.keys(change).length
  return (
    <form
      ref={form}
      className="flex min-w-0 flex-col gap-6"
      noValidate
      onSubmit={event => {
        event.preventDefault()
        if (count > 0) save(true)
      }}
    >
      <h2 className="sr-only">{mayWrite ? 'Edit' : 'Settings'}</h2>
      {!mayWrite && <Notice>Your role does not include changing agents. This is how it is set.</Notice>}
      {agent.revision !== agent.publishedRevision && (
        <Notice tone="warn" title={`These are the fields of revision ${agent.revision}`}>
          Runs use revision {agent.publishedRevision}. What you save here goes on from revision{' '}
          {agent.revision}.
        </Notice>
      )}
      <fieldset disabled={!mayWrite} className="flex min-w-0 flex-col gap-6">
        <legend className="sr-only">Fields of the agent</legend>
        <BasicFields {...section} />
        <InstructionFields {...section} />
        <ModelFields {...section} />
        <KnowledgeFields {...section} />
        <ToolFields {...section} agentId={agent.id} />
        <LimitFields {...section} />
        <AccessFields {...section} />
      </fieldset>
      {error !== null && <ErrorNotice error={error} />}
      {mayWrite && (
        <SaveBar
          changed={Object.keys(change)}
          canDraft={makesRevision(change)}
          busy={isPending}
          isStale={base.revision !== agent.revision}
          onSave={save}
          onDiscard={reset}
        />
      )}
      {mayWrite && <DangerZone agent={agent} />}
    </form>
  )
}

/** The form is long: what is wrong is brought into view, and the focus to the first field that has to be changed. */
function useShownFault(error: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (error === null) return
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid=true]')
    if (field == null) form.current?.querySelector('[role=alert]')?.scrollIntoView({ block: 'center' })
    else field.focus()
  }, [error])
  return form
}

/** The fields as they are typed, against the agent as it was when they were begun. */
function useDraft(agent: Agent) {
  const { kept, key } = useKeptDraft<{ base: Agent; draft: Draft }>(`agent ${agent.id}`)
  const [base, setBase] = useState(kept?.base ?? agent)
  const [draft, setDraft] = useState(() => kept?.draft ?? draftOf(agent))
  const takeOver = (saved: Agent) => {
    setBase(saved)
    setDraft(draftOf(saved))
  }
  const change = changeOf(draft, base)
  useKeeping(key, Object.keys(change).length === 0 ? null : { base, draft })
  // A draft without changes follows what other people save.
  if (base !== agent && agent.updatedAt > base.updatedAt && Object.keys(change).length === 0) takeOver(agent)
  return {
    draft,
    base,
    change,
    takeOver,
    update: (part: Partial<Draft>) => setDraft(before => ({ ...before, ...part })),
    reset: () => takeOver(agent),
  }
}

function savedWords(saved: Agent, before: Agent): string {
  if (saved.revision === before.revision) return 'It is saved, and counts at once'
  if (saved.publishedRevision === saved.revision) return `Revision ${saved.revision} is saved and runs now`
  return `Revision ${saved.revision} is kept as a draft`
}
