/** Stays in view while something is not saved, and asks before it is lost. */
import { useBlocker } from '@tanstack/react-router'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { fieldNames } from '../field-changes.tsx'

type SaveBarProps = {
  changed: readonly string[]
  canDraft: boolean
  busy: boolean
  /** Somebody else has saved meanwhile. */
  isStale: boolean
  onSave: (publish: boolean) => void
  onDiscard: () => void
}

const otherNames: Readonly<Record<string, string>> = { status: 'State', access: 'Access', teamIds: 'Teams' }

export function SaveBar({ changed, canDraft, busy, isStale, onSave, onDiscard }: SaveBarProps) {
  const isChanged = changed.length > 0
  const blocker = useBlocker({
    shouldBlockFn: () => isChanged,
    enableBeforeUnload: () => isChanged,
    disabled: !isChanged,
    withResolver: true,
  })
  return (
    <>
      {isChanged && (
        <div className="sticky bottom-3 z-10 flex flex-wrap items-center justify-between gap-3 rounded-lg border bg-raised px-4 py-3 shadow-raised">
          <p className="min-w-0 flex-1 basis-64 text-[13px]" role="status">
            <span className="font-medium">Not saved: </span>
            <span className="text-muted">
              {changed.map(field => fieldNames[field] ?? otherNames[field] ?? field).join(', ')}
            </span>
            {isStale && (
              <span className="block text-warn-text">
                Somebody has saved a newer revision meanwhile. Saving changes only these fields of it.
              </span>
            )}
          </p>
          <span className="flex flex-wrap gap-2">
            <Button variant="ghost" onClick={onDiscard} disabled={busy}>
              Discard
            </Button>
            {canDraft && (
              <Button busy={busy} onClick={() => onSave(false)}>
                Save as a draft
              </Button>
            )}
            <Button type="submit" variant="primary" busy={busy}>
              {canDraft ? 'Save and publish' : 'Save'}
            </Button>
          </span>
        </div>
      )}
      {blocker.status === 'blocked' && (
        <Dialog
          open
          onClose={blocker.reset}
          size="small"
          title="Leave without saving?"
          footer={
            <>
              <Button onClick={blocker.reset}>Stay here</Button>
              <Button
                variant="danger"
                onClick={() => {
                  onDiscard()
                  blocker.proceed()
                }}
              >
                Leave and lose the changes
              </Button>
            </>
          }
        >
          <p className="text-muted">What you have changed here is not saved, and is lost when you leave.</p>
        </Dialog>
      )}
    </>
  )
}
