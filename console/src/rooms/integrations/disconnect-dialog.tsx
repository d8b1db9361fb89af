/** Ending a connection. */
import type { Connection } from '@atrium/sdk'
import { useState } from 'react'
import { Checkbox } from '../../ui/choices.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'

type Props = { connection: Connection; onClose: () => void; onEnded?: () => void }

export function DisconnectDialog({ connection: { id, name, sync }, onClose, onEnded }: Props) {
  const [takesAlong, setTakesAlong] = useState(false)
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Disconnect “${name}”?`}
      confirmLabel="Disconnect"
      onConfirm={atrium => atrium.integrations.disconnect(id, { documents: takesAlong ? 'trash' : 'keep' })}
      // Refetches only the list, because the connection itself no longer exists.
      changes={[['integrations', 'list']]}
      onDone={() => onEnded?.()}
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
