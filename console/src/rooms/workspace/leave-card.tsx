/** Going oneself, with the keys that go along. */
import { useState } from 'react'
import { Loaded } from '../../api/loaded.tsx'
import { useApiMutation, useApiQuery } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { count } from '../../ui/format.ts'
import { Card } from '../../ui/page.tsx'

export function LeaveCard({ name }: { name: string }) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Card
        title="Leave"
        description="You are out at once, and your keys here stop working. To come back, you have to be invited."
        actions={<Button onClick={() => setAsking(true)}>Leave…</Button>}
      />
      {asking && <LeaveDialog name={name} onClose={() => setAsking(false)} />}
    </>
  )
}

function LeaveDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const { mutateAsync } = useApiMutation((atrium, _: null) => atrium.workspace.leave())
  const effects = useApiQuery(['leaving'], (atrium, options) => atrium.workspace.previewLeave(options))
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Leave ${name}?`}
      confirmLabel="Leave the workspace"
      onConfirm={async () => {
        await mutateAsync(null)
        window.location.assign('/')
      }}
    >
      <Loaded query={effects}>
        {found => {
          const countOf = (resource: string) => found.find(effect => effect.resource === resource)?.count ?? 0
          return (
            <p>
              <strong className="text-ink">{count(countOf('api_key'), 'key')}</strong> and{' '}
              {count(countOf('invitation'), 'pending invitation')} of yours end for good. What you have made
              stays.
            </p>
          )
        }}
      </Loaded>
    </ConfirmDialog>
  )
}
