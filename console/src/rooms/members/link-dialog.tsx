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
          I have passed it on
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Notice tone="warn" title="Hand it over yourself">
          No mail goes out for it, and the link is shown this once. Whoever has it and this address can join,
          so send it to nobody else.
        </Notice>
        <CopyField label="Link" what="link" value={url} />
      </div>
    </Dialog>
  )
}
