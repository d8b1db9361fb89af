/** Sending a form of these pages: busy while it goes, the error where it failed, fields beside their inputs. */
import { type FormEvent, useState } from 'react'
import { fieldErrorsOf } from '../api/explain-error.ts'

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
