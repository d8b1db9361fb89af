/** The consent to an app that sent the browser here: the address holds what it asks for. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldErrorsOf } from '../api/explain-error.ts'
import { askForApp, decideOnApp, type Grant } from '../session/session-client.ts'
import { Button } from '../ui/button.tsx'
import { ErrorNotice, Notice } from '../ui/notices.tsx'
import { Loading } from '../ui/waiting.tsx'
import { Consent, SignedInDoor } from './consent.tsx'
import { DoorFrame } from './door.tsx'

export function Door() {
  // As the app has written it: the router would put it together again in its own way.
  const [query] = useState(() => window.location.search)
  return (
    <SignedInDoor title="Connect an app">
      <Authorize query={query} />
    </SignedInDoor>
  )
}

function Authorize({ query }: { query: string }) {
  const [left, setLeft] = useState<string | null>(null)
  const { data: question, error } = useQuery({
    queryKey: ['apps', 'ask', query],
    queryFn: () => askForApp(query),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const goTo = (address: string): void => {
    setLeft(address)
    window.location.assign(address)
  }
  const decide = async (decision: { userId: string; grant: Grant | null }): Promise<void> =>
    goTo((await decideOnApp({ query, ...decision })).redirectTo)
  if (left !== null) {
    return (
      <DoorFrame title="Back to the app" description="You can close this page once the app has gone on.">
        <Button size="large" wide onClick={() => goTo(left)}>
          It does not go on? Try again
        </Button>
      </DoorFrame>
    )
  }
  if (question === undefined) {
    return (
      <DoorFrame title={error === null ? 'Connect an app' : 'This app cannot be connected'}>
        {error === null ? <Loading what="Reading what the app asks for" /> : <Fault error={error} />}
      </DoorFrame>
    )
  }
  const { refusal } = question
  if (refusal !== null) {
    return (
      <DoorFrame title={`“${question.name}” asks for what it cannot have`}>
        <div className="flex flex-col gap-5">
          <Notice tone="danger">{refusal.message}</Notice>
          <Button size="large" wide onClick={() => goTo(refusal.redirectTo)}>
            Go back to {question.redirectHost}
          </Button>
        </div>
      </DoorFrame>
    )
  }
  return <Consent question={question} onDecide={decide} />
}

/** A request that no person can correct: nothing was given, and the browser stays here. */
function Fault({ error }: { error: unknown }) {
  const fault = fieldErrorsOf(error).query
  if (fault === undefined) return <ErrorNotice error={error} />
  return (
    <Notice tone="danger" title={fault}>
      Nothing was given, and you are sent nowhere. Start again in the app; if that does not help, it is at
      fault.
    </Notice>
  )
}
