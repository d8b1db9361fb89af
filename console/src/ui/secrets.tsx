/** Secrets: a dialog for what is shown this once, and the one that makes a new secret while the old one lives on. */
import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog, FormDialog } from './dialog.tsx'
import { SelectField } from './field.tsx'

type ShownOnceDialogProps = {
  title: string
  size?: 'small' | 'medium' | 'large'
  /** What the person says in order to close it. */
  doneLabel?: string
  onClose: () => void
  children: ReactNode
}

/** Only its button closes it: what it shows is lost then. */
export function ShownOnceDialog({
  title,
  size,
  doneLabel = 'I have kept it',
  onClose,
  children,
}: ShownOnceDialogProps) {
  return (
    <Dialog
      onClose={onClose}
      dismissible={false}
      size={size}
      title={title}
      footer={
        <Button variant="primary" onClick={onClose}>
          {doneLabel}
        </Button>
      }
    >
      {children}
    </Dialog>
  )
}

const overlaps = [
  { value: '3600', label: 'One hour' },
  { value: '86400', label: 'One day' },
  { value: '604800', label: 'Seven days' },
  { value: '0', label: 'Not at all: it ends at once' },
]

type RotateDialogProps = {
  title: string
  description: string
  /** For how long the old secret should live on. */
  hint: string
  usualSeconds: number
  busy: boolean
  error: unknown
  onRotate: (overlapSeconds: number) => void
  onClose: () => void
}

export function RotateDialog({ hint, usualSeconds, onRotate, ...dialog }: RotateDialogProps) {
  const [seconds, setSeconds] = useState(String(usualSeconds))
  return (
    <FormDialog
      {...dialog}
      size="small"
      submitLabel="Make a new secret"
      onSubmit={() => onRotate(Number(seconds))}
    >
      <SelectField
        label="The old secret lives on for"
        hint={hint}
        value={seconds}
        onChange={setSeconds}
        options={overlaps}
      />
    </FormDialog>
  )
}
