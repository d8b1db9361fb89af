/** Short messages about what was done, with a way back where there is one. They wait while the pointer or the focus is on them. */
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { explain } from '../api/explain-error.ts'
import { Button, IconButton } from './button.tsx'

export type Toast = {
  title: string
  description?: string
  tone?: 'good' | 'danger'
  /** Takes back what was done, such as a restore from the trash. What it throws becomes a toast itself. */
  undo?: () => Promise<unknown>
}

type Toasts = {
  show(toast: Toast): void
  /** An error where there is no better place for it. */
  fail(error: unknown): void
}

const ToastContext = createContext<Toasts | null>(null)
const shownMs = 6_000
const shownWithUndoMs = 12_000
const mostAtOnce = 3

export function ToastProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<(Toast & { id: number })[]>([])
  const nextId = useRef(1)
  const show = useCallback((toast: Toast) => {
    const id = nextId.current++
    setShown(before => [...before.slice(1 - mostAtOnce), { ...toast, id }])
  }, [])
  const fail = useCallback(
    (error: unknown) => {
      const { title, remedy } = explain(error)
      show({ title, description: remedy, tone: 'danger' })
    },
    [show],
  )
  const toasts = useMemo(() => ({ show, fail }), [show, fail])
  const close = useCallback((id: number) => setShown(before => before.filter(toast => toast.id !== id)), [])
  return (
    <ToastContext value={toasts}>
      {children}
      <section
        aria-label="Messages"
        aria-live="polite"
        className="pointer-events-none fixed inset-x-3 bottom-3 z-50 flex flex-col items-end gap-2 sm:left-auto sm:w-96"
      >
        {shown.map(toast => (
          <ToastCard key={toast.id} toast={toast} onClose={() => close(toast.id)} onFail={fail} />
        ))}
      </section>
    </ToastContext>
  )
}

export function useToasts(): Toasts {
  const toasts = use(ToastContext)
  if (toasts === null) throw new Error('useToasts needs a ToastProvider around it')
  return toasts
}

type CardProps = { toast: Toast; onClose: () => void; onFail: (error: unknown) => void }

function ToastCard({ toast: { title, description, tone = 'good', undo }, onClose, onFail }: CardProps) {
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (held) return undefined
    const timer = setTimeout(onClose, undo === undefined ? shownMs : shownWithUndoMs)
    return () => clearTimeout(timer)
  }, [held, undo, onClose])
  const takeBack = () => {
    onClose()
    undo?.().catch(onFail)
  }
  const Shape = tone === 'good' ? CircleCheck : CircleAlert
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only keeps still while a person reads it.
    <div
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className="pointer-events-auto flex w-full animate-rise items-start gap-3 rounded-md border bg-raised p-3 shadow-raised"
    >
      <Shape
        aria-hidden
        size={18}
        className={tone === 'good' ? 'mt-px shrink-0 text-good-text' : 'mt-px shrink-0 text-danger-text'}
      />
      <div className="min-w-0 flex-1">
        <p dir="auto" className="font-medium break-words">
          {title}
        </p>
        {description !== undefined && (
          <p dir="auto" className="break-words text-muted">
            {description}
          </p>
        )}
      </div>
      {undo !== undefined && (
        <Button size="small" onClick={takeBack} className="-my-1">
          Undo
        </Button>
      )}
      <IconButton
        icon={X}
        label="Close the message"
        size="small"
        onClick={onClose}
        className="-my-1.5 -mr-1.5"
      />
    </div>
  )
}
