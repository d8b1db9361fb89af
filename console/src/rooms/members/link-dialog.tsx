/** The link of an invitation, this once, where no mail server brings it. */
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notices.tsx'

export function LinkDialog({ email, url, onClose }: { email: string; url: string; onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      dismissible={false}
      title={`The link for ${email}`}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Notice tone="warn" title="Send this link yourself">
          Atrium sends no email, and shows the link only now. Anyone with the link and this email address can
          join, so send it only to the person you invited.
        </Notice>
        <CopyField label="Link" what="link" value={url} />
      </div>
    </Dialog>
  )
}
