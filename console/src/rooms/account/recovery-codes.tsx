/** The codes for the day on which the app is lost, shown this once. */
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notices.tsx'

type Props = { codes: readonly string[]; onClose: () => void }

export function RecoveryCodesDialog({ codes, onClose }: Props) {
  return (
    <Dialog
      open
      onClose={onClose}
      dismissible={false}
      size="small"
      title="Your recovery codes"
      footer={
        <Button variant="primary" onClick={onClose}>
          I have kept them
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Notice tone="warn" title="Keep them now">
          They are shown this once. Each signs you in one time without the app. Put them where you do not keep
          your password.
        </Notice>
        <CodeBlock label="Recovery codes" code={codes.join('\n')} />
      </div>
    </Dialog>
  )
}
