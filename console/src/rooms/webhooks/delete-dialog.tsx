/** Ending an endpoint, with what goes with it. */
import type { Webhook } from '@atrium/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useApiMutation } from '../../api/queries.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { useToasts } from '../../ui/toast.tsx'

export function DeleteDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const toasts = useToasts()
  const navigate = useNavigate()
  const { mutateAsync } = useApiMutation((atrium, id: string) => atrium.webhooks.delete(id), {
    // Refetches only the list, because the endpoint itself no longer exists.
    changes: [['webhooks', 'list']],
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Delete the endpoint?"
      confirmLabel="Delete the endpoint"
      onConfirm={async () => {
        await mutateAsync(webhook.id)
        toasts.show({ title: 'The endpoint is deleted' })
        await navigate({ to: '/webhooks' })
      }}
    >
      <p>
        Nothing is sent to <span className="break-all text-ink">{webhook.url}</span> any more. Its secret and
        the log of its deliveries are erased. This cannot be taken back.
      </p>
      <p>To stop it for a while, disable it instead: what happens meanwhile can be replayed.</p>
    </ConfirmDialog>
  )
}
