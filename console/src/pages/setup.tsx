/** The setup page: the person who opens the link that the server printed becomes the first owner. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { isUnreachable } from '../api/connection.ts'
import { fieldErrorsOf } from '../api/explain-error.ts'
import { checkSetupLink, setUp } from '../session/session-client.ts'
import { useRefreshSession, useSession } from '../session/use-session.ts'
import { ButtonLink } from '../ui/button.tsx'
import { ErrorNotice, Notice } from '../ui/notices.tsx'
import { Loading } from '../ui/waiting.tsx'
import { DoorForm, DoorFrame, PersonFields, personFields } from './door.tsx'

export function Door() {
  const { data: session } = useSession()
  // Read once: the form takes it out of the address, where it would stay in the history.
  const [token] = useState(() => new URLSearchParams(window.location.search).get('token') ?? '')
  if (token === '' && session?.setupRequired !== false) return <NoLink />
  if (session === undefined) return <Looking />
  return session.setupRequired ? <CheckedForm token={token} /> : <Done />
}

/** The form is shown only for a link that works, so that no person fills it in for nothing. */
function CheckedForm({ token }: { token: string }) {
  const { isSuccess, error, refetch } = useQuery({
    queryKey: ['setup-link', token],
    queryFn: async ({ signal }) => {
      await checkSetupLink(token, signal)
      return true
    },
    // Sent, the form uses the link up.
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (isSuccess) return <SetupForm token={token} />
  if (fieldErrorsOf(error).token !== undefined) return <NoLink isRefused />
  if (error === null || isUnreachable(error)) return <Looking />
  return (
    <DoorFrame title="Welcome to Atrium">
      <ErrorNotice error={error} onRetry={() => void refetch()} />
    </DoorFrame>
  )
}

const Looking = () => (
  <DoorFrame title="Welcome to Atrium" description="The link is being looked at.">
    <Loading what="Looking at the link" />
  </DoorFrame>
)

function SetupForm({ token }: { token: string }) {
  const refresh = useRefreshSession()
  const navigate = useNavigate()
  const submit = async (textOf: (name: string) => string) => {
    const [name, email, password] = [textOf('name'), textOf('email'), textOf('password')]
    await setUp({ token, name, email, password })
    await refresh()
    await navigate({ to: '/', replace: true })
  }
  return (
    <DoorFrame
      title="Welcome to Atrium"
      description="Name yourself: you become the first owner of this server."
    >
      <DoorForm submitLabel="Begin" onSubmit={submit} beside={personFields}>
        {errors => <PersonFields errors={errors} emailHint="You sign in with it." />}
      </DoorForm>
    </DoorFrame>
  )
}

const NoLink = ({ isRefused = false }: { isRefused?: boolean }) => (
  <DoorFrame
    title={isRefused ? 'This link opens nothing' : 'Set this server up'}
    description={
      isRefused
        ? 'It was used, is too old, or is not whole. Another one names the first owner.'
        : 'The first owner is named by a link that the server has printed.'
    }
  >
    <Notice title="Where to find it">
      Look at the output of the first start for a line with{' '}
      <code className="font-mono text-[13px]">/setup?token=…</code> and open it. It works once. Lost? The
      operator’s command prints another one:
      <code className="mt-2 block rounded-sm bg-hover p-2 font-mono text-[13px] break-words">
        npm run -s atrium -- user reset-password --user owner@localhost
      </code>
    </Notice>
  </DoorFrame>
)

const Done = () => (
  <DoorFrame
    title="This server is set up"
    description="It has its first owner, so this link has done its work."
  >
    <ButtonLink to="/sign-in" variant="primary" size="large" wide>
      Sign in
    </ButtonLink>
  </DoorFrame>
)
