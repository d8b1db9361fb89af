/** What is laid over the page: a dialog, a form in it, a question before something is ended, a drawer. Mounted, it is open. */
import type { Atrium } from '@atrium/sdk'
import { type QueryKey, useMutation } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type ReactNode, useId, useState } from 'react'
import { useReadAgain } from '../api/queries.ts'
import { useAtrium } from '../api/scope.tsx'
import { Button, IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { Form, TextField, useShownFault } from './field.tsx'
import { ErrorNotice } from './notices.tsx'
import { useToasts } from './toast.tsx'

export type DialogProps = {
  onClose: () => void
  title: string
  /** One sentence below the title. */
  description?: ReactNode
  /** Buttons, the main one last. */
  footer?: ReactNode
  size?: 'small' | 'medium' | 'large' | undefined
  /** False if closing by Escape or a click beside it would lose something that is shown once. */
  dismissible?: boolean
  children?: ReactNode
}

const widths = { small: 'sm:max-w-md', medium: 'sm:max-w-xl', large: 'sm:max-w-3xl' }

export function Dialog(props: DialogProps) {
  const { onClose, title, description, footer, size = 'medium', dismissible = true, children } = props
  const descriptionId = useId()
  const returnFocus = useFocusReturn()
  const stay = (event: Event) => {
    if (!dismissible) event.preventDefault()
  }
  return (
    <Overlay onClose={onClose}>
      <Radix.Content
        aria-describedby={description === undefined ? undefined : descriptionId}
        onOpenAutoFocus={focusFirstField}
        onCloseAutoFocus={returnFocus}
        onEscapeKeyDown={stay}
        onInteractOutside={stay}
        className={classNames(
          'fixed inset-x-0 bottom-0 z-40 mx-auto flex max-h-[92dvh] w-full animate-rise flex-col rounded-t-lg border bg-raised shadow-raised outline-none',
          'sm:inset-y-0 sm:my-auto sm:h-fit sm:max-h-[86dvh] sm:rounded-lg',
          widths[size],
        )}
      >
        <header className="flex items-start justify-between gap-4 px-5 pt-5 pb-3">
          <div className="min-w-0">
            <Radix.Title className="text-base font-semibold break-words">{title}</Radix.Title>
            {description !== undefined && (
              <Radix.Description id={descriptionId} className="mt-1 text-muted">
                {description}
              </Radix.Description>
            )}
          </div>
          {dismissible && (
            <IconButton icon={X} label="Close" size="small" onClick={onClose} className="-mt-1 -mr-2" />
          )}
        </header>
        <div className="min-h-0 flex-1 overflow-y-auto px-5 pt-1 pb-5">{children}</div>
        {footer !== undefined && (
          <footer className="flex flex-wrap justify-end gap-2 border-t px-5 py-3">{footer}</footer>
        )}
      </Radix.Content>
    </Overlay>
  )
}

/** What is behind is dimmed, and does not answer until this is closed. */
export function Overlay({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <Radix.Root open onOpenChange={open => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-appear bg-scrim" />
        {children}
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Where something is asked for, its first field; else the dialog itself, which is then read from its title on. */
function focusFirstField(event: Event): void {
  event.preventDefault()
  if (!(event.currentTarget instanceof HTMLElement)) return
  const field = event.currentTarget.querySelector<HTMLElement>('input, select, textarea')
  const target = field ?? event.currentTarget
  target.focus()
}

let lastFocused: HTMLElement | null = null

document.addEventListener('focusin', ({ target }) => {
  const isKept = target instanceof HTMLElement && target.closest('[role=menu]') === null
  if (isKept) lastFocused = target
})

/** A closed dialog gives the focus back to what opened it, also where that was an entry of a menu that is gone. */
function useFocusReturn(): (event: Event) => void {
  const [origin] = useState(lastFocused)
  return event => {
    if (origin?.isConnected !== true) return
    event.preventDefault()
    origin.focus()
  }
}

export type FormDialogProps = Pick<DialogProps, 'onClose' | 'title' | 'description' | 'size' | 'children'> & {
  /** The verb, not OK. */
  submitLabel: string
  cancelLabel?: string
  danger?: boolean
  disabled?: boolean
  busy: boolean
  error: unknown
  /** Fields whose faults stand beside their inputs. */
  beside?: readonly string[]
  onSubmit: () => void
}

/** A dialog that asks for something: sent by Enter and by its button, open until that has worked. */
export function FormDialog(props: FormDialogProps) {
  const { onClose, title, description, size, submitLabel, cancelLabel = 'Cancel' } = props
  const { danger = false, disabled = false, busy, error, beside, onSubmit, children } = props
  const formId = useId()
  const form = useShownFault(error)
  return (
    <Dialog
      onClose={onClose}
      title={title}
      description={description}
      size={size}
      footer={
        <>
          <Button onClick={onClose}>{cancelLabel}</Button>
          <Button
            type="submit"
            form={formId}
            variant={danger ? 'danger' : 'primary'}
            busy={busy}
            disabled={disabled}
          >
            {submitLabel}
          </Button>
        </>
      }
    >
      <Form ref={form} id={formId} onSubmit={onSubmit}>
        {children}
        <ErrorNotice error={error} beside={beside} />
      </Form>
    </Dialog>
  )
}

type ConfirmDialogProps = {
  onClose: () => void
  /** A question that names the thing: `Revoke “Nightly import”?` */
  title: string
  /** What will happen to whom, and whether it can be taken back. */
  children: ReactNode
  /** The verb, not OK. */
  confirmLabel: string
  danger?: boolean
  /** Has to be typed first, for what cannot be taken back. */
  typed?: string
  /** What it throws is shown in the dialog. */
  onConfirm: (atrium: Atrium) => Promise<unknown>
  /** Keys of what it makes stale, as for `useApiMutation`. */
  changes?: readonly QueryKey[]
  /** What is left to do before the dialog closes, such as leaving the page. */
  onDone?: () => unknown
  /** Says then what has been done. */
  done?: string
}

/** No form: Enter in a checkbox of it must not end anything. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { onClose, title, children, confirmLabel, danger = true, typed } = props
  const { onConfirm, changes = [], onDone, done } = props
  const toasts = useToasts()
  const [text, setText] = useState('')
  const atrium = useAtrium()
  const readAgain = useReadAgain()
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      await onConfirm(atrium)
      await readAgain(changes)
      await onDone?.()
    },
    onSuccess: () => {
      if (done !== undefined) toasts.show({ title: done })
      onClose()
    },
  })
  return (
    <Dialog
      onClose={onClose}
      title={title}
      size="small"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant={danger ? 'danger' : 'primary'}
            busy={isPending}
            disabled={typed !== undefined && text.trim() !== typed}
            onClick={() => mutate()}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <div className="flex flex-col gap-2 text-muted">{children}</div>
        {typed !== undefined && (
          <TextField label={`Type ${typed} to confirm`} value={text} onChange={setText} autoComplete="off" />
        )}
        <ErrorNotice error={error} />
      </div>
    </Dialog>
  )
}

type DrawerProps = { onClose: () => void; title: string; children: ReactNode }

/** Comes from the right, for what is looked at beside the page, such as a source. */
export function SideDrawer({ onClose, title, children }: DrawerProps) {
  return (
    <Overlay onClose={onClose}>
      <Radix.Content
        aria-describedby={undefined}
        onOpenAutoFocus={event => {
          // On the button, its tooltip would open, and take the first press of Escape for itself.
          event.preventDefault()
          if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
        }}
        className="fixed inset-y-0 right-0 z-40 flex outline-none w-120 max-w-[92vw] animate-appear flex-col border-l bg-raised shadow-raised"
      >
        <header className="flex items-start justify-between gap-4 px-5 pt-5 pb-3">
          <Radix.Title className="min-w-0 text-base font-semibold break-words">{title}</Radix.Title>
          <IconButton icon={X} label="Close" size="small" onClick={onClose} className="-mt-1 -mr-2" />
        </header>
        <div className="min-h-0 flex-1 overflow-y-auto px-5 pt-1 pb-5">{children}</div>
      </Radix.Content>
    </Overlay>
  )
}

/** Comes from the left, for the navigation on narrow screens. */
export function Drawer({ onClose, title, children }: DrawerProps) {
  return (
    <Overlay onClose={onClose}>
      <Radix.Content
        aria-describedby={undefined}
        onOpenAutoFocus={focusFirstField}
        className="fixed inset-y-0 left-0 outline-none z-40 flex w-72 max-w-[86vw] animate-slide flex-col overflow-y-auto border-r bg-canvas shadow-raised"
      >
        <Radix.Title className="sr-only">{title}</Radix.Title>
        <IconButton icon={X} label="Close" onClick={onClose} className="absolute top-3 right-3" />
        {children}
      </Radix.Content>
    </Overlay>
  )
}
