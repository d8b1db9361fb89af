/** A new password, by the link of a mail or of the operator. */
import { useState } from 'react'
import { isToldBeside } from '../api/explain-error.ts'
import { resetPassword } from '../session/session-client.ts'
import { useRefreshSession } from '../session/use-session.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Field, PasswordInput } from '../ui/field.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { DoorFrame, passwordHint, passwordLength, textOf, useSubmit } from './door.tsx'

export function Door() {
  const [token] = useState(() => new URLSearchParams(window.location.search).get('token') ?? '')
  const [done, setDone] = useState(false)
  if (done) {
    return (
      <DoorFrame title="The new password is set" description="Your other sessions have ended.">
        <ButtonLink to="/sign-in" variant="primary" size="large" wide>
          Sign in
        </ButtonLink>
      </DoorFrame>
    )
  }
  if (token === '') {
    return (
      <DoorFrame
        title="This link is not whole"
        description="Open it again from the mail, or ask for a new one."
      >
        <ButtonLink to="/forgot-password" variant="primary" size="large" wide>
          Ask for a new link
        </ButtonLink>
      </DoorFrame>
    )
  }
  return <ResetForm token={token} onDone={() => setDone(true)} />
}

function ResetForm({ token, onDone }: { token: string; onDone: () => void }) {
  const refresh = useRefreshSession()
  const { busy, error, fieldErrors, onSubmit } = useSubmit(async form => {
    await resetPassword(token, textOf(form, 'password'))
    await refresh()
    onDone()
  })
  return (
    <DoorFrame title="Choose a new password">
      <form onSubmit={onSubmit} className="flex flex-col gap-4">
        <Field label="New password" hint={passwordHint} error={fieldErrors.newPassword}>
          <PasswordInput name="password" autoComplete="new-password" required autoFocus {...passwordLength} />
        </Field>
        {error !== null && !isToldBeside(['newPassword'], error) && <ErrorNotice error={error} />}
        <Button type="submit" variant="primary" size="large" wide busy={busy}>
          Set the password
        </Button>
        {error !== null && (
          <ButtonLink to="/forgot-password" variant="ghost" size="small" wide>
            Ask for a new link
          </ButtonLink>
        )}
      </form>
    </DoorFrame>
  )
}
