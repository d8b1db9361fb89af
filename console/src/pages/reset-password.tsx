/** A new password, by the link of a mail or of the operator. */
import { useState } from 'react'
import { resetPassword } from '../session/session-client.ts'
import { useRefreshSession } from '../session/use-session.ts'
import { ButtonLink } from '../ui/button.tsx'
import { NewPasswordField } from '../ui/field.tsx'
import { DoorForm, DoorFrame } from './door.tsx'

export function Door() {
  const [token] = useState(() => new URLSearchParams(window.location.search).get('token') ?? '')
  const [done, setDone] = useState(false)
  if (done) {
    return (
      <DoorFrame
        title="The new password is set"
        description="Your other sessions have ended. Apps that you have connected go on: end them under Your account."
      >
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
  const submit = async (textOf: (name: string) => string) => {
    await resetPassword(token, textOf('password'))
    await refresh()
    onDone()
  }
  return (
    <DoorFrame title="Choose a new password">
      <DoorForm
        submitLabel="Set the password"
        onSubmit={submit}
        beside={['newPassword']}
        below={error =>
          error !== null && (
            <ButtonLink to="/forgot-password" variant="ghost" size="small" wide>
              Ask for a new link
            </ButtonLink>
          )
        }
      >
        {errors => (
          <NewPasswordField label="New password" error={errors.newPassword} name="password" autoFocus />
        )}
      </DoorForm>
    </DoorFrame>
  )
}
