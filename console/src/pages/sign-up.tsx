/** A new account, where the server lets people make one. */
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { signIn, signUp } from '../session/session-client.ts'
import { safeNext, useRefreshSession, useSession } from '../session/use-session.ts'
import { ButtonLink } from '../ui/button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { Loading } from '../ui/waiting.tsx'
import { DoorForm, DoorFrame, linkLook, PersonFields, personFields } from './door.tsx'

export function Door() {
  const { data: session, error, refetch } = useSession()
  const [sentTo, setSentTo] = useState<string | null>(null)
  if (sentTo !== null) {
    return (
      <DoorFrame title="Look into your mail" description={`We have sent a link to ${sentTo}.`}>
        <p className="text-muted">Open it to confirm the address; then you can sign in.</p>
      </DoorFrame>
    )
  }
  if (session === undefined) {
    return (
      <DoorFrame title="Create an account">
        {error === null ? <Loading /> : <ErrorNotice error={error} onRetry={() => void refetch()} />}
      </DoorFrame>
    )
  }
  return session.signUpOpen ? <SignUpForm onSent={setSentTo} /> : <Closed />
}

const Closed = () => (
  <DoorFrame title="By invitation only" description="People join this server when somebody invites them.">
    <p className="mb-5 text-muted">
      Ask an owner or admin of a workspace to invite you; their invitation’s link makes your account.
    </p>
    <ButtonLink to="/sign-in" wide size="large">
      Sign in
    </ButtonLink>
  </DoorFrame>
)

function SignUpForm({ onSent }: { onSent: (email: string) => void }) {
  const search: Record<string, string | undefined> = useSearch({ strict: false })
  const next = safeNext(search.next, window.location.origin)
  const refresh = useRefreshSession()
  const navigate = useNavigate()
  const submit = async (textOf: (name: string) => string) => {
    const [email, password] = [textOf('email'), textOf('password')]
    const { verificationRequired } = await signUp({ name: textOf('name'), email, password })
    if (verificationRequired) {
      onSent(email)
      return
    }
    await signIn({ email, password })
    await refresh()
    await navigate({ href: next, replace: true })
  }
  return (
    <DoorFrame
      title="Create an account"
      footer={
        <>
          You have one?{' '}
          <Link to="/sign-in" search={{ next: search.next }} className={linkLook}>
            Sign in
          </Link>
        </>
      }
    >
      <DoorForm submitLabel="Create the account" onSubmit={submit} beside={personFields}>
        {errors => <PersonFields errors={errors} />}
      </DoorForm>
    </DoorFrame>
  )
}
