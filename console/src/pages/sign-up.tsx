/** A new account, where the server lets people make one. */
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { isToldBeside } from '../api/explain-error.ts'
import { signIn, signUp } from '../session/session-client.ts'
import { safeNext, useRefreshSession, useSession } from '../session/use-session.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Field, Input, PasswordInput } from '../ui/field.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { Loading } from '../ui/waiting.tsx'
import { DoorFrame, linkLook, passwordHint, passwordLength, textOf, useSubmit } from './door.tsx'

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
  const { busy, error, fieldErrors, onSubmit } = useSubmit(async form => {
    const email = textOf(form, 'email')
    const password = textOf(form, 'password')
    const { verificationRequired } = await signUp({ name: textOf(form, 'name'), email, password })
    if (verificationRequired) {
      onSent(email)
      return
    }
    await signIn({ email, password })
    await refresh()
    await navigate({ href: next, replace: true })
  })
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
      <form onSubmit={onSubmit} className="flex flex-col gap-4">
        <Field label="Name" error={fieldErrors.name}>
          <Input name="name" autoComplete="name" required autoFocus maxLength={200} />
        </Field>
        <Field label="E-mail" error={fieldErrors.email}>
          <Input name="email" type="email" autoComplete="username" required />
        </Field>
        <Field label="Password" hint={passwordHint} error={fieldErrors.password}>
          <PasswordInput name="password" autoComplete="new-password" required {...passwordLength} />
        </Field>
        {error !== null && !isToldBeside(['name', 'email', 'password'], error) && (
          <ErrorNotice error={error} />
        )}
        <Button type="submit" variant="primary" size="large" wide busy={busy}>
          Create the account
        </Button>
      </form>
    </DoorFrame>
  )
}
