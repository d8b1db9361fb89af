/** What the pages outside of the shell have in common: the frame with one card, and the form in it. */

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { fieldErrorsOf } from '../api/explain-error.ts'
import { Logo } from '../shell/logo.tsx'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Form, NewPasswordField, TextField } from '../ui/field.tsx'
import { ErrorNotice } from '../ui/notices.tsx'

type DoorFrameProps = {
  title: string
  description?: ReactNode
  children: ReactNode
  footer?: ReactNode
  /** For more than a few fields. */
  wide?: boolean
}

export function DoorFrame({ title, description, children, footer, wide = false }: DoorFrameProps) {
  useEffect(() => {
    document.title = `${title} · Atrium`
  }, [title])
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-6 px-4 py-10">
      <Logo size={32} />
      <div
        className={classNames(
          'w-full rounded-lg border bg-surface p-6 shadow-card sm:p-8',
          wide ? 'max-w-[560px]' : 'max-w-[400px]',
        )}
      >
        <h1 dir="auto" className="text-xl font-semibold tracking-tight [overflow-wrap:anywhere]">
          {title}
        </h1>
        {description !== undefined && (
          <div className="mt-1.5 text-muted [overflow-wrap:anywhere]">{description}</div>
        )}
        <div className="mt-6">{children}</div>
      </div>
      {footer !== undefined && <div className="text-center text-muted">{footer}</div>}
    </main>
  )
}

/** A link within a sentence. */
export const linkLook = 'font-medium text-accent-text underline underline-offset-3 hover:decoration-2'

type Errors = Readonly<Record<string, string>>

type DoorFormProps = {
  submitLabel: string
  /** What was typed into a field is asked for by the field's name. */
  onSubmit: (textOf: (name: string) => string) => Promise<void>
  /** Fields whose faults stand beside their inputs. */
  beside?: readonly string[]
  children: (errors: Errors) => ReactNode
  /** Says what failed, where a notice would not do. */
  fault?: (error: unknown) => ReactNode
  /** Stands below the button. */
  below?: (error: unknown) => ReactNode
}

/** A form of these pages: busy while it is sent, with the error where it failed. */
export function DoorForm({ submitLabel, onSubmit, beside, children, fault, below }: DoorFormProps) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const form = useRef<HTMLFormElement>(null)
  const submit = async () => {
    if (busy || form.current === null) return
    const typed = new FormData(form.current)
    setBusy(true)
    setError(null)
    try {
      await onSubmit(name => String(typed.get(name) ?? ''))
    } catch (thrown) {
      setError(thrown)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Form ref={form} onSubmit={() => void submit()} className="flex flex-col gap-4">
      {children(fieldErrorsOf(error))}
      {fault?.(error) ?? <ErrorNotice error={error} beside={beside} />}
      <Button type="submit" variant="primary" size="large" wide busy={busy}>
        {submitLabel}
      </Button>
      {below?.(error)}
    </Form>
  )
}

export const personFields = ['name', 'email', 'password']

export function PersonFields({ errors, emailHint }: { errors: Errors; emailHint?: string }) {
  return (
    <>
      <TextField
        label="Name"
        error={errors.name}
        name="name"
        autoComplete="name"
        required
        autoFocus
        maxLength={200}
      />
      <TextField
        label="E-mail"
        hint={emailHint}
        error={errors.email}
        name="email"
        type="email"
        autoComplete="username"
        required
      />
      <NewPasswordField label="Password" error={errors.password} name="password" />
    </>
  )
}
