/** Ending a connection. */
import type { Connection } from '@atrium/sdk'
import { useApiMutation } from '../../api/queries.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { useToasts } from '../../ui/toast.tsx'

type Props = { connection: Connection; onClose: () => void }

export function DisconnectDialog({ connection: { id, name }, onClose }: Props) {
  const toasts = useToasts()
  const { mutateAsync } = useApiMutation(
    (atrium, connectionId: string) => atrium.integrations.disconnect(connectionId),
    { changes: [['integrations', 'connections']] },
  )
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Disconnect “${name}”?`}
      confirmLabel="Disconnect"
      onConfirm={async () => {
        await mutateAsync(id)
        toasts.show({ title: `“${name}” is disconnected` })
      }}
    >
      <p>
        What can be revoked at the service is revoked, and its secrets are erased here. This cannot be taken
        back; you can connect it anew at any time.
      </p>
    </ConfirmDialog>
  )
}
