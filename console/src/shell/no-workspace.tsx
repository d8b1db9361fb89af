/** For a person who belongs to no workspace (any more): make one, restore one, or wait for an invitation. */
import { useState } from 'react'
import { linkLook } from '../pages/door-frame.tsx'
import { type MyWorkspace, restoreWorkspace } from '../session/session-client.ts'
import { endSession, useRefreshSession } from '../session/use-session.ts'
import { Button } from '../ui/button.tsx'
import { formatDate } from '../ui/format.ts'
import { Card } from '../ui/page.tsx'
import { useToasts } from '../ui/toast.tsx'
import { Logo } from './logo.tsx'
import { NewWorkspaceForm } from './new-workspace.tsx'

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
