/** What an agent is told and may do; saving makes a revision, which is published at once or kept as a draft. */

import type { Agent } from '@atrium/sdk'
import { useBlocker, useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { fieldErrorsOf } from '../../../api/explain-error.ts'
import { fieldOf } from '../../../api/form.ts'
import { useKeeping, useKeptDraft } from '../../../api/kept-draft.ts'
import { useApiMutation } from '../../../api/queries.ts'
import { useMay } from '../../../api/scope.tsx'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog, Dialog } from '../../../ui/dialog.tsx'
import { Form, useShownFault } from '../../../ui/field.tsx'
import { ErrorNotice, Notice } from '../../../ui/notices.tsx'
import { Card } from '../../../ui/page.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import { AgentFrame } from '../agent-frame.tsx'
import { fieldNames } from '../field-changes.tsx'
import { type AgentChange, changeOf, type Draft, draftAfterSave, draftOf, makesRevision } from './draft.ts'
import { InstructionFields } from './instruction-fields.tsx'
import {
  AccessFields,
  BasicFields,
  KnowledgeFields,
  LimitFields,
  ModelFields,
  ParameterFields,
} from './sections.tsx'
import { ToolFields } from './tool-fields.tsx'

export function Room() {
  return <AgentFrame>{agent => <Editor key={agent.id} agent={agent} />}</AgentFrame>
}

type Saving = { change: AgentChange; publish: boolean }

function Editor({ agent }: { agent: Agent }) {
  const mayWrite = useMay('agents:write')
  const { mutate, error, isPending } = useApiMutation(
    (atrium, { change: wanted, publish }: Saving) =>
      atrium.agents.update(agent.id, makesRevision(wanted) ? { ...wanted, publish } : wanted),
    { changes: [['agents'], ['overview']] },
  )
  const { draft, base, change, update, reset, settle } = useDraft(agent, { isSaving: isPending })
  const toasts = useToasts()
  const announce = useAnnounce()
  const save = (publish: boolean) =>
    mutate(
      { change, publish },
      {
        onSuccess: saved => {
          settle(saved, draft)
          toasts.show({ title: savedWords(saved, base) })
        },
        onError: () => announce('It was not saved. What is wrong stands beside the fields.'),
      },
    )
  const errors = fieldErrorsOf(error)
  const section = { draft, of: fieldOf(draft, update, errors), onChange: update, errors }
  const form = useShownFault(error)
  const count = Object.keys(change).length
  return (
    <Form
      ref={form}
      className="flex min-w-0 flex-col gap-6"
      noValidate
      onSubmit={() => {
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
        <ParameterFields {...section} />
        <KnowledgeFields {...section} />
        <ToolFields {...section} agentId={agent.id} />
        <LimitFields {...section} />
        <AccessFields {...section} />
      </fieldset>
      <ErrorNotice error={error} />
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
    </Form>
  )
}

/** The fields as they are typed, against the agent as it was when they were begun. */
function useDraft(agent: Agent, { isSaving }: { isSaving: boolean }) {
  // The number changes with the fields of a draft: one that an older page kept would lack them.
  const { kept, key } = useKeptDraft<{ base: Agent; draft: Draft }>(`agent 2 ${agent.id}`)
  const [base, setBase] = useState(kept?.base ?? agent)
  const [draft, setDraft] = useState(() => kept?.draft ?? draftOf(agent))
  const takeOver = (saved: Agent) => {
    setBase(saved)
    setDraft(draftOf(saved))
  }
  const change = changeOf(draft, base)
  useKeeping(key, Object.keys(change).length === 0 ? null : { base, draft })
  const isOlder = base !== agent && agent.updatedAt > base.updatedAt
  // A draft without changes follows what other people save.
  if (isOlder && !isSaving && Object.keys(change).length === 0) takeOver(agent)
  return {
    draft,
    base,
    change,
    settle: (saved: Agent, sent: Draft) => {
      setBase(saved)
      setDraft(typed => draftAfterSave(saved, sent, typed))
    },
    update: (part: Partial<Draft>) => setDraft(before => ({ ...before, ...part })),
    reset: () => takeOver(agent),
  }
}

function savedWords(saved: Agent, before: Agent): string {
  if (saved.revision === before.revision) return 'It is saved, and counts at once'
  if (saved.publishedRevision === saved.revision) return `Revision ${saved.revision} is saved and runs now`
  return `Revision ${saved.revision} is kept as a draft`
}

type SaveBarProps = {
  changed: readonly string[]
  canDraft: boolean
  busy: boolean
  /** Somebody else has saved meanwhile. */
  isStale: boolean
  onSave: (publish: boolean) => void
  onDiscard: () => void
}

const otherNames: Readonly<Record<string, string>> = {
  status: 'State',
  viewersMayRun: 'Viewers',
  access: 'Access',
  teamIds: 'Teams',
}

/** Stays in view while something is not saved, and asks before it is lost. */
function SaveBar({ changed, canDraft, busy, isStale, onSave, onDiscard }: SaveBarProps) {
  const isChanged = changed.length > 0
  const blocker = useBlocker({
    shouldBlockFn: () => isChanged,
    enableBeforeUnload: () => isChanged,
    disabled: !isChanged,
    withResolver: true,
  })
  return (
    <>
      {isChanged && (
        <div className="sticky bottom-3 z-10 flex flex-wrap items-center justify-between gap-3 rounded-lg border bg-raised px-4 py-3 shadow-raised">
          <p className="min-w-0 flex-1 basis-64 text-[13px]" role="status">
            <span className="font-medium">Not saved: </span>
            <span className="text-muted">
              {changed.map(field => fieldNames[field] ?? otherNames[field] ?? field).join(', ')}
            </span>
            {isStale && (
              <span className="block text-warn-text">
                Somebody has saved a newer revision meanwhile. Saving changes only these fields of it.
              </span>
            )}
          </p>
          <span className="flex flex-wrap gap-2">
            <Button variant="ghost" onClick={onDiscard} disabled={busy}>
              Discard
            </Button>
            {canDraft && (
              <Button busy={busy} onClick={() => onSave(false)}>
                Save as a draft
              </Button>
            )}
            <Button type="submit" variant="primary" busy={busy}>
              {canDraft ? 'Save and publish' : 'Save'}
            </Button>
          </span>
        </div>
      )}
      {blocker.status === 'blocked' && (
        <Dialog
          onClose={blocker.reset}
          size="small"
          title="Leave without saving?"
          footer={
            <>
              <Button onClick={blocker.reset}>Stay here</Button>
              <Button
                variant="danger"
                onClick={() => {
                  onDiscard()
                  blocker.proceed()
                }}
              >
                Leave and lose the changes
              </Button>
            </>
          }
        >
          <p className="text-muted">What you have changed here is not saved, and is lost when you leave.</p>
        </Dialog>
      )}
    </>
  )
}

function DangerZone({ agent }: { agent: Agent }) {
  const navigate = useNavigate()
  const [isAsking, setIsAsking] = useState(false)
  return (
    <Card
      danger
      title="Delete the agent"
      description="Programs that use it are refused from then on. To stop it for a while, pause it instead."
      actions={
        <Button icon={Trash2} onClick={() => setIsAsking(true)}>
          Delete…
        </Button>
      }
    >
      {isAsking && (
        <ConfirmDialog
          onClose={() => setIsAsking(false)}
          title={`Delete “${agent.name}”?`}
          confirmLabel="Delete the agent"
          typed={agent.name}
          onConfirm={atrium => atrium.agents.delete(agent.id)}
          changes={[['agents', 'list'], ['overview']]}
          onDone={() => navigate({ to: '/agents', ignoreBlocker: true })}
          done={`“${agent.name}” is deleted`}
        >
          <p>
            It can neither be run nor listed any more, and this cannot be taken back. Its runs keep their
            records; those that are in progress go on to their end.
          </p>
        </ConfirmDialog>
      )}
    </Card>
  )
}
