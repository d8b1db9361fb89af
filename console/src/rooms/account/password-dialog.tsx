/** Asks for the password before something that an open page alone must not do. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldErrorsOf, isToldBeside } from '../../api/explain-error.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, PasswordInput } from '../../ui/field.tsx'
import { ErrorNotice } from '../../ui/notices.tsx'

type Props<Answer> = {
  title: string
  description: string
  confirmLabel: string
  danger?: boolean
  send: (password: string) => Promise<Answer>
  onDone: (answer: Answer) => unknown
  onClose: () => void
}

export function PasswordDialog<Answer>(props: Props<Answer>) {
  const { title, description, confirmLabel, danger = false, send, onDone, onClose } = props
  const [password, setPassword] = useState('')
  const { mutate, error, isPending } = useMutation({ mutationFn: send })
  return (
    <Dialog open onClose={onClose} size="small" title={title} description={description}>
      <form
        className="flex flex-col gap-4"
        onSubmit={event => {
          event.preventDefault()
          mutate(password, { onSuccess: answer => void onDone(answer) })
        }}
      >
        <Field label="Your password" error={fieldErrorsOf(error).password}>
          <PasswordInput
            required
            autoComplete="current-password"
            value={password}
            onChange={event => setPassword(event.currentTarget.value)}
          />
        </Field>
        {error !== null && !isToldBeside(['password'], error) && <ErrorNotice error={error} />}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant={danger ? 'danger' : 'primary'} busy={isPending}>
            {confirmLabel}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
