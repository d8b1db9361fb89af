/** Another password, by the present one. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldErrorsOf, isToldBeside } from '../../api/explain-error.ts'
import { usePerson } from '../../session/use-session.ts'
import { Button } from '../../ui/button.tsx'
import { Field, PasswordInput } from '../../ui/field.tsx'
import { ErrorNotice } from '../../ui/notices.tsx'
import { Card } from '../../ui/page.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { changePassword } from './account-client.ts'
import { sessionsKey } from './sessions-card.tsx'

const empty = { present: '', wanted: '' }

export function PasswordCard() {
  const { email } = usePerson()
  const toasts = useToasts()
  const client = useQueryClient()
  const [passwords, setPasswords] = useState(empty)
  const { mutate, error, isPending } = useMutation({
    mutationFn: ({ present, wanted }: typeof empty) => changePassword(present, wanted),
    onSuccess: async () => {
      setPasswords(empty)
      toasts.show({ title: 'Your password is changed', description: 'All your other sessions have ended.' })
      await client.invalidateQueries({ queryKey: sessionsKey })
    },
  })
  const fieldErrors = fieldErrorsOf(error)
  const isTold = isToldBeside(['password', 'currentPassword', 'newPassword'], error)
  return (
    <Card title="Password" description="A new one ends every other session of yours.">
      <form
        className="flex flex-col gap-4"
        onSubmit={event => {
          event.preventDefault()
          mutate(passwords)
        }}
      >
        {/* Password managers ask for whom it is. */}
        <input type="hidden" autoComplete="username" value={email} />
        <Field label="Present password" error={fieldErrors.currentPassword ?? fieldErrors.password}>
          <PasswordInput
            required
            autoComplete="current-password"
            value={passwords.present}
            onChange={event => setPasswords({ ...passwords, present: event.currentTarget.value })}
          />
        </Field>
        <Field
          label="New password"
          hint="At least 10 characters. A few words in a row are easy to keep and hard to guess."
          error={fieldErrors.newPassword}
        >
          <PasswordInput
            required
            minLength={10}
            maxLength={128}
            autoComplete="new-password"
            value={passwords.wanted}
            onChange={event => setPasswords({ ...passwords, wanted: event.currentTarget.value })}
          />
        </Field>
        {error !== null && !isTold && <ErrorNotice error={error} />}
        <div>
          <Button type="submit" variant="primary" busy={isPending}>
            Change the password
          </Button>
        </div>
      </form>
    </Card>
  )
}
