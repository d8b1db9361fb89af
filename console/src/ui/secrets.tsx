/** Secrets: a dialog for what is shown this once, and the one that makes a new secret while the old one lives on. */
import { useState } from 'react'
import { Button } from './button.tsx'
import { Dialog, type DialogProps, FormDialog, type FormDialogProps } from './dialog.tsx'
import { SelectField } from './field.tsx'

type ShownOnceDialogProps = Pick<DialogProps, 'title' | 'size' | 'onClose' | 'children'> & {
  /** What the person says in order to close it. */
  doneLabel?: string
}

/** Only its button closes it: what it shows is lost then. */
export function ShownOnceDialog({ doneLabel = 'I have kept it', ...dialog }: ShownOnceDialogProps) {
  return (
    <Dialog
      {...dialog}
      dismissible={false}
      footer={
        <Button variant="primary" onClick={dialog.onClose}>
          {doneLabel}
        </Button>
      }
    />
  )
}

const overlaps = [
  { value: '3600', label: 'One hour' },
  { value: '86400', label: 'One day' },
  { value: '604800', label: 'Seven days' },
  { value: '0', label: 'Not at all: it ends at once' },
]

type RotateDialogProps = Pick<FormDialogProps, 'title' | 'description' | 'busy' | 'error' | 'onClose'> & {
  /** For how long the old secret should live on. */
  hint: string
  usualSeconds: number
  onRotate: (overlapSeconds: number) => void
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
