/** A workspace of one's own, beside those that one belongs to. */
import { useState } from 'react'
import { fieldErrorsOf } from '../api/explain-error.ts'
import { linkLook } from '../pages/door.tsx'
import { createWorkspace, type MyWorkspace, restoreWorkspace } from '../session/session-client.ts'
import { endSession, useRefreshSession } from '../session/use-session.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Input } from '../ui/field.tsx'
import { formatDate } from '../ui/format.ts'
import { ErrorNotice } from '../ui/notices.tsx'
import { Card } from '../ui/page.tsx'
import { useToasts } from '../ui/toast.tsx'
import { Logo } from './logo.tsx'

type Props = { open: boolean; onClose: () => void; onMade: (id: string) => void }

export function NewWorkspaceDialog({ open, onClose, onMade }: Props) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="small"
      title="New workspace"
      description="It has its own people, knowledge, agents and keys; nothing is shared with the others."
    >
      <NewWorkspaceForm
        onCancel={onClose}
        onMade={id => {
          onClose()
          onMade(id)
        }}
      />
    </Dialog>
  )
}

function NewWorkspaceForm({ onCancel, onMade }: { onCancel?: () => void; onMade: (id: string) => void }) {
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const refresh = useRefreshSession()
  const fieldErrors = fieldErrorsOf(error)
  const create = async () => {
    setBusy(true)
    setError(null)
    try {
      const { id } = await createWorkspace(name)
      await refresh()
      onMade(id)
    } catch (thrown) {
      setError(thrown)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={event => {
        event.preventDefault()
        void create()
      }}
    >
      <Field label="Name" error={fieldErrors.name}>
        <Input required maxLength={200} value={name} onChange={event => setName(event.currentTarget.value)} />
      </Field>
      {error !== null && fieldErrors.name === undefined && <ErrorNotice error={error} />}
      <div className="flex justify-end gap-2">
        {onCancel !== undefined && <Button onClick={onCancel}>Cancel</Button>}
        <Button type="submit" variant="primary" busy={busy}>
          Create the workspace
        </Button>
      </div>
    </form>
  )
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
        <NewWorkspaceForm onMade={() => undefined} />
      </Card>
      <p>
        <button type="button" className={linkLook} onClick={() => void endSession()}>
          Sign out
        </button>
      </p>
    </main>
  )
}

function Deleted({ workspace: { id, name, role, deletesAt } }: { workspace: MyWorkspace }) {
  const refresh = useRefreshSession()
  const toasts = useToasts()
  const [busy, setBusy] = useState(false)
  const restore = async () => {
    setBusy(true)
    await restoreWorkspace(id).then(refresh, error => toasts.fail(error))
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
