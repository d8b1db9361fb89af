/** Deleting the agent, with what that means. */
import type { Agent } from '@atrium/sdk'
import { useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useApiMutation } from '../../../api/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { Card } from '../../../ui/page.tsx'
import { useToasts } from '../../../ui/toast.tsx'

export function DangerZone({ agent }: { agent: Agent }) {
  const navigate = useNavigate()
  const toasts = useToasts()
  const [isAsking, setIsAsking] = useState(false)
  const { mutateAsync } = useApiMutation((atrium, id: string) => atrium.agents.delete(id), {
    changes: [['agents', 'list'], ['overview']],
  })
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
      <ConfirmDialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title={`Delete “${agent.name}”?`}
        confirmLabel="Delete the agent"
        typed={agent.name}
        onConfirm={async () => {
          await mutateAsync(agent.id)
          toasts.show({ title: `“${agent.name}” is deleted` })
          await navigate({ to: '/agents', ignoreBlocker: true })
        }}
      >
        <p>
          It can neither be run nor listed any more, and this cannot be taken back. Its runs keep their
          records; those that are under way go on to their end.
        </p>
      </ConfirmDialog>
    </Card>
  )
}
