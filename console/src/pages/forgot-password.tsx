/** Asking for a link by which a new password is set. */
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { requestPasswordReset } from '../session/session-client.ts'
import { useSession } from '../session/use-session.ts'
import { TextField } from '../ui/field.tsx'
import { Notice } from '../ui/notices.tsx'
import { DoorForm, DoorFrame, linkLook } from './door.tsx'

export function Door() {
  const { data: session } = useSession()
  const [sent, setSent] = useState(false)
  const back = (
    <Link to="/sign-in" className={linkLook}>
      Back to the sign-in
    </Link>
  )
  if (sent) {
    return (
      <DoorFrame title="Look into your mail" footer={back}>
        <p className="text-muted">
          If there is an account with this address, a link is on its way. It works for an hour, once. Nothing
          there? Look into the spam folder, or ask again.
        </p>
      </DoorFrame>
    )
  }
  return (
    <DoorFrame
      title="Forgotten your password?"
      description="We send you a link to set a new one."
      footer={back}
    >
      {session?.mailConfigured === false ? <NoMail /> : <AskForm onSent={() => setSent(true)} />}
    </DoorFrame>
  )
}

function AskForm({ onSent }: { onSent: () => void }) {
  const submit = async (textOf: (name: string) => string) => {
    await requestPasswordReset(textOf('email'))
    onSent()
  }
  return (
    <DoorForm submitLabel="Send the link" onSubmit={submit}>
      {() => (
        <TextField label="E-mail" name="email" type="email" autoComplete="username" required autoFocus />
      )}
    </DoorForm>
  )
}

const NoMail = () => (
  <Notice tone="warn" title="This server sends no mail">
    Ask the person who runs it. This command prints a link for you:
    <code className="mt-2 block rounded-sm bg-hover p-2 font-mono text-[13px] break-words">
      npm run -s atrium -- user reset-password --user YOUR-ADDRESS
    </code>
  </Notice>
)
