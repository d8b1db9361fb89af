/** A workspace of one's own, beside those that one belongs to. */
import { useState } from 'react'
import { fieldErrorsOf } from '../api/explain-error.ts'
import { createWorkspace } from '../session/session-client.ts'
import { useRefreshSession } from '../session/use-session.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Input } from '../ui/field.tsx'
import { ErrorNotice } from '../ui/notices.tsx'

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

export function NewWorkspaceForm({
  onCancel,
  onMade,
}: {
  onCancel?: () => void
  onMade: (id: string) => void
}) {
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
