/** Ending a connection. */
import type { Connection } from '@atrium/sdk'
import { useState } from 'react'
import { useApiMutation } from '../../api/queries.ts'
import { Checkbox } from '../../ui/choices.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'

type Props = { connection: Connection; onClose: () => void; onEnded?: () => void }

export function DisconnectDialog({ connection: { id, name, sync }, onClose, onEnded }: Props) {
  const [takesAlong, setTakesAlong] = useState(false)
  const { mutateAsync } = useApiMutation(
    (atrium, documents: 'keep' | 'trash') => atrium.integrations.disconnect(id, { documents }),
    // Refetches only the list, because the connection itself no longer exists.
    { changes: [['integrations', 'list']] },
  )
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Disconnect “${name}”?`}
      confirmLabel="Disconnect"
      onConfirm={async () => {
        await mutateAsync(takesAlong ? 'trash' : 'keep')
        onEnded?.()
      }}
      done={`“${name}” is disconnected`}
    >
      <p>
        Atrium revokes its access at the service, where the service allows it, and erases the stored secrets.
        You can’t undo this, but you can connect the service again at any time.
      </p>
      {sync.collectionId !== null && (
        <Checkbox
          label="Move its synced documents to the trash"
          hint="If unchecked, the documents stay in the workspace."
          checked={takesAlong}
          onChange={setTakesAlong}
        />
      )}
    </ConfirmDialog>
  )
}
