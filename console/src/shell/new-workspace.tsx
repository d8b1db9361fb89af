/** A workspace of one's own, beside those that one belongs to. */

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldErrorsOf } from '../api/explain-error.ts'
import { linkLook } from '../pages/door.tsx'
import { createWorkspace, type MyWorkspace, restoreWorkspace } from '../session/session-client.ts'
import { endSession, useRefreshSession } from '../session/use-session.ts'
import { Button } from '../ui/button.tsx'
import { FormDialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { formatDate } from '../ui/format.ts'
import { Card } from '../ui/page.tsx'
import { SaveForm } from '../ui/save-form.tsx'
import { useToasts } from '../ui/toast.tsx'
import { Logo } from './logo.tsx'

type DialogProps = { onClose: () => void; onMade: (id: string) => void }

export function NewWorkspaceDialog({ onClose, onMade }: DialogProps) {
  const form = useNewWorkspaceForm(id => {
    onClose()
    onMade(id)
  })
  return (
    <FormDialog
      {...form}
      onClose={onClose}
      size="small"
      title="New workspace"
      description="It has its own people, knowledge, agents and keys; nothing is shared with the others."
    />
  )
}

/** The form in a dialog or on a page: its field, its button, and what is done with it. */
function useNewWorkspaceForm(onMade: (id: string) => void) {
  const [name, setName] = useState('')
  const refresh = useRefreshSession()
  const { mutate, error, isPending } = useMutation({
    mutationFn: createWorkspace,
    onSuccess: async ({ id }) => {
      await refresh()
      onMade(id)
    },
  })
  return {
    submitLabel: 'Create the workspace',
    busy: isPending,
    error,
    beside: ['name'],
    onSubmit: () => mutate(name),
    children: (
      <TextField
        label="Name"
        error={fieldErrorsOf(error).name}
        required
        maxLength={200}
        value={name}
        onChange={setName}
      />
    ),
  }
}

/** For a person who belongs to no workspace (any more): make one, restore one, or wait for an invitation. */
export function NoWorkspace({ workspaces }: { workspaces: readonly MyWorkspace[] }) {
  return (
    <main className="mx-auto flex w-full max-w-xl flex-col gap-6 px-4 py-10">
      <Logo size={32} />
      <h1 className="text-xl font-semibold">You belong to no workspace</h1>
      <p className="text-muted">
        If somebody wants you in theirs, open the link of their invitation. Or make one of your own.
      </p>
      {workspaces.map(workspace => (
        <Deleted key={workspace.id} workspace={workspace} />
      ))}
      <Card title="New workspace">
        <FirstWorkspaceForm />
      </Card>
      <p>
        <button type="button" className={linkLook} onClick={() => void endSession()}>
          Sign out
        </button>
      </p>
    </main>
  )
}

/** The shell shows the workspace as soon as the session has it. */
const FirstWorkspaceForm = () => <SaveForm {...useNewWorkspaceForm(() => undefined)} />

function Deleted({ workspace: { id, name, role, deletesAt } }: { workspace: MyWorkspace }) {
  const refresh = useRefreshSession()
  const toasts = useToasts()
  const [busy, setBusy] = useState(false)
  const restore = async () => {
    setBusy(true)
    await restoreWorkspace(id).then(refresh, toasts.fail)
    setBusy(false)
  }
  return (
    <Card
      title={name}
      description={
        deletesAt === null ? undefined : `Deleted; it is erased for good on ${formatDate(deletesAt)}.`
      }
      actions={
        role === 'owner' && (
          <Button busy={busy} onClick={() => void restore()}>
            Restore
          </Button>
        )
      }
    />
  )
}
