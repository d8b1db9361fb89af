/** Secrets: a dialog for what is shown this once, and the one that makes a new secret while the old one lives on. */
import type { Atrium } from '@atrium/sdk'
import type { QueryKey } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useForm } from '../api/form.ts'
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

type RotateDialogProps<Made> = Pick<FormDialogProps, 'title' | 'description' | 'onClose'> & {
  /** For how long the old secret should live on. */
  hint: string
  usualSeconds?: number
  rotate: (atrium: Atrium, rotation: { overlapSeconds: number }) => Promise<Made>
  /** Keys of what it makes stale, as for `useApiMutation`. */
  changes: readonly QueryKey[]
  /** What takes its place once there is a new secret. */
  shown: (made: Made) => ReactNode
}

export function RotateDialog<Made>(props: RotateDialogProps<Made>) {
  const { hint, usualSeconds = 3_600, rotate, changes, shown, ...dialog } = props
  const { of, data, sending } = useForm({
    initial: { overlapSeconds: String(usualSeconds) },
    write: (atrium, { overlapSeconds }) => rotate(atrium, { overlapSeconds: Number(overlapSeconds) }),
    changes,
  })
  if (data !== undefined) return shown(data)
  return (
    <FormDialog {...dialog} size="small" submitLabel="Make a new secret" {...sending}>
      <SelectField
        label="The old secret lives on for"
        hint={hint}
        {...of('overlapSeconds')}
        options={overlaps}
      />
    </FormDialog>
  )
}
