/** Signing in: by password, with a second factor where there is one, or by the organisation's own sign-in. */
import { ApiError } from '@atrium/sdk'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useIsAway } from '../api/connection.ts'
import {
  sendVerificationMail,
  signIn,
  signInElsewhere,
  verifyRecoveryCode,
  verifyTotp,
} from '../session/session-client.ts'
import { isServedPage, safeNext, useRefreshSession, useSession } from '../session/use-session.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { ErrorNotice, Notice } from '../ui/notices.tsx'
import { useToasts } from '../ui/toast.tsx'
import { DoorForm, DoorFrame, linkLook } from './door.tsx'

export function Door() {
  const search: Record<string, string | undefined> = useSearch({ strict: false })
  const next = safeNext(search.next, window.location.origin)
  const { data: session, error: unreachable, refetch } = useSession()
  const isAway = useIsAway()
  const [secondFactor, setSecondFactor] = useState(false)
  const enter = useEnter(next)
  const navigate = useNavigate()

  const isSignedIn = session?.person != null
  useEffect(() => {
    if (isSignedIn && search.token === undefined) void enter()
  }, [isSignedIn, search.token, enter])
  useEffect(() => {
    if (session?.setupRequired) void navigate({ to: '/setup', replace: true })
  }, [session?.setupRequired, navigate])

  if (secondFactor) return <SecondFactor onDone={enter} onBack={() => setSecondFactor(false)} />
  return (
    <DoorFrame
      title="Sign in"
      description="to your workspace"
      footer={
        session?.signUpOpen && (
          <>
            No account yet?{' '}
            <Link to="/sign-up" search={{ next: search.next }} className={linkLook}>
              Create one
            </Link>
          </>
        )
      }
    >
      <div className="flex flex-col gap-5">
        {search.token !== undefined && (
          <Notice tone="info" title="Sign in to confirm your address">
            If you did not make this account, close this page.
          </Notice>
        )}
        {search.error !== undefined && <Refusal error={search.error} />}
        {unreachable !== null && !isAway && (
          <ErrorNotice error={unreachable} onRetry={() => void refetch()} />
        )}
        <PasswordForm
          verificationToken={search.token}
          onDone={enter}
          onSecondFactor={() => setSecondFactor(true)}
        />
        {session !== undefined && session.singleSignOn.length > 0 && (
          <SingleSignOn providers={session.singleSignOn} next={next} />
        )}
      </div>
    </DoorFrame>
  )
}

function Refusal({ error }: { error: string }) {
  const known = refusals[error]
  return (
    <Notice tone="warn" title={known?.title ?? 'Single sign-on did not work'}>
      {known?.remedy ??
        `Try again, or sign in with your password. If the problem persists, send this code to your operator: ${error.slice(0, 100)}`}
    </Notice>
  )
}

const refusals: Readonly<Record<string, { title: string; remedy: string }>> = {
  signup_disabled: {
    title: 'You don’t have an account here',
    remedy: 'Ask an owner or admin of a workspace to invite this email address.',
  },
  account_not_linked: {
    title: 'This account can’t be linked to yours',
    remedy: 'Its email address is not confirmed on both sides. Sign in with your password.',
  },
}

type PasswordFormProps = {
  verificationToken: string | undefined
  onDone: () => Promise<void>
  onSecondFactor: () => void
}

function PasswordForm({ verificationToken, onDone, onSecondFactor }: PasswordFormProps) {
  const [email, setEmail] = useState('')
  const submit = async (textOf: (name: string) => string) => {
    const credentials = { email, password: textOf('password'), verificationToken }
    const { twoFactorRequired } = await signIn(withoutUndefined(credentials))
    if (twoFactorRequired) onSecondFactor()
    else await onDone()
  }
  return (
    <DoorForm
      submitLabel="Sign in"
      onSubmit={submit}
      fault={error => (isUnverified(error) ? <Unverified email={email} /> : undefined)}
    >
      {() => (
        <>
          <TextField
            label="E-mail"
            name="email"
            type="email"
            autoComplete="username"
            required
            autoFocus
            value={email}
            onChange={setEmail}
          />
          <TextField
            label="Password"
            aside={
              <Link
                to="/forgot-password"
                className="text-[13px] text-muted underline underline-offset-3 hover:text-ink"
              >
                Forgotten?
              </Link>
            }
            secret
            name="password"
            autoComplete="current-password"
            required
          />
        </>
      )}
    </DoorForm>
  )
}

const isUnverified = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'email_not_verified'

function Unverified({ email }: { email: string }) {
  const toasts = useToasts()
  const resend = () =>
    sendVerificationMail(email).then(() => toasts.show({ title: 'A new link is on its way' }), toasts.fail)
  return (
    <Notice
      tone="warn"
      title="Confirm your address first"
      action={
        <Button size="small" onClick={() => void resend()}>
          Send the link again
        </Button>
      }
    >
      Open the link in the mail that was just sent to {email}.
    </Notice>
  )
}

function SingleSignOn({
  providers,
  next,
}: {
  providers: readonly { id: string; name: string }[]
  next: string
}) {
  const toasts = useToasts()
  const go = (id: string) =>
    signInElsewhere(id, next).then(address => window.location.assign(address), toasts.fail)
  return (
    <div className="flex flex-col gap-3 border-t pt-5">
      {providers.map(({ id, name }) => (
        <Button key={id} size="large" wide icon={KeyRound} onClick={() => void go(id)}>
          Continue with {name}
        </Button>
      ))}
    </div>
  )
}

/** Goes on once the session is there: within the console, or to a page of the server such as an invitation. */
function useEnter(next: string): () => Promise<void> {
  const refresh = useRefreshSession()
  const navigate = useNavigate()
  const [enter] = useState(() => async () => {
    if (isServedPage(next)) {
      window.location.assign(next)
      return
    }
    await refresh()
    await navigate({ href: next, replace: true })
  })
  return enter
}

function SecondFactor({ onDone, onBack }: { onDone: () => Promise<void>; onBack: () => void }) {
  const [byRecovery, setByRecovery] = useState(false)
  const submit = async (textOf: (name: string) => string) => {
    const code = textOf('code').replace(/\s/g, '')
    await (byRecovery ? verifyRecoveryCode(code) : verifyTotp(code))
    await onDone()
  }
  return (
    <DoorFrame
      title="Second factor"
      description={
        byRecovery
          ? 'Enter one of the recovery codes that you kept. Each works once.'
          : 'Enter the six digits that your authenticator app shows.'
      }
    >
      <DoorForm
        submitLabel="Sign in"
        onSubmit={submit}
        below={() => (
          <div className="flex flex-wrap justify-between gap-2">
            <Button variant="ghost" size="small" onClick={onBack}>
              Back
            </Button>
            <Button variant="ghost" size="small" onClick={() => setByRecovery(!byRecovery)}>
              {byRecovery ? 'Use the app instead' : 'Use a recovery code'}
            </Button>
          </div>
        )}
      >
        {() => (
          <TextField
            key={String(byRecovery)}
            label={byRecovery ? 'Recovery code' : 'Code'}
            name="code"
            required
            autoFocus
            autoComplete="one-time-code"
            inputMode={byRecovery ? 'text' : 'numeric'}
            className="font-mono tracking-widest"
          />
        )}
      </DoorForm>
    </DoorFrame>
  )
}
