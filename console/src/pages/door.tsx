/** The frame of the pages outside of the shell: the name, one card, and a title for the tab. */
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { fieldErrorsOf } from '../api/explain-error.ts'
import { Logo } from '../shell/logo.tsx'

type DoorFrameProps = { title: string; description?: ReactNode; children: ReactNode; footer?: ReactNode }

export function DoorFrame({ title, description, children, footer }: DoorFrameProps) {
  useEffect(() => {
    document.title = `${title} · Atrium`
  }, [title])
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-6 px-4 py-10">
      <Logo size={32} />
      <div className="w-full max-w-[400px] rounded-lg border bg-surface p-6 shadow-card sm:p-8">
        <h1 dir="auto" className="text-xl font-semibold tracking-tight">
          {title}
        </h1>
        {description !== undefined && <div className="mt-1.5 text-muted">{description}</div>}
        <div className="mt-6">{children}</div>
      </div>
      {footer !== undefined && <div className="text-center text-muted">{footer}</div>}
    </main>
  )
}

/** A link within a sentence. */
export const linkLook = 'font-medium text-accent-text underline underline-offset-3 hover:decoration-2'

/** Sending a form of these pages: busy while it goes, the error where it failed, fields beside their inputs. */
export function useSubmit(send: (form: FormData) => Promise<void>) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const submit = async (form: FormData): Promise<void> => {
    setBusy(true)
    setError(null)
    try {
      await send(form)
    } catch (thrown) {
      setError(thrown)
    } finally {
      setBusy(false)
    }
  }
  return {
    busy,
    error,
    fieldErrors: fieldErrorsOf(error),
    onSubmit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault()
      if (!busy) void submit(new FormData(event.currentTarget))
    },
  }
}

/** What was typed into a field of the form. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

/** What the server takes as a password, said before anybody chooses one. */
export const passwordLength = { minLength: 10, maxLength: 128 }
export const passwordHint = 'At least 10 characters. A few words in a row are easy to keep and hard to guess.'
