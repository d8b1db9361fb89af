/** Ending a connection. */
import type { Connection } from '@atrium/sdk'
import { useState } from 'react'
import { useApiMutation } from '../../api/queries.ts'
import { Checkbox } from '../../ui/choices.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { useToasts } from '../../ui/toast.tsx'

type Props = { connection: Connection; onClose: () => void; onEnded?: () => void }

export function DisconnectDialog({ connection: { id, name, sync }, onClose, onEnded }: Props) {
  const toasts = useToasts()
  const [takesAlong, setTakesAlong] = useState(false)
  const { mutateAsync } = useApiMutation(
    (atrium, documents: 'keep' | 'trash') => atrium.integrations.disconnect(id, { documents }),
    // Only the list: the connection itself is not there any more to be read anew.
    { changes: [['integrations', 'list']] },
  )
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Disconnect “${name}”?`}
      confirmLabel="Disconnect"
      onConfirm={async () => {
        await mutateAsync(takesAlong ? 'trash' : 'keep')
        toasts.show({ title: `“${name}” is disconnected` })
        onEnded?.()
      }}
    >
      <p>
        What can be revoked at the service is revoked, and its secrets are erased here. This cannot be taken
        back; you can connect it anew at any time.
      </p>
      {sync.collectionId !== null && (
        <Checkbox
          label="Move the documents that it brought to the trash"
          hint="Otherwise they stay, as they are now."
          checked={takesAlong}
          onChange={setTakesAlong}
        />
      )}
    </ConfirmDialog>
  )
}
