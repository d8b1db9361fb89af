/** The question that an app or a device puts to a person: who asks, what for, where; and what the person gives. */
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { RecordNarrowing } from '../api/records.tsx'
import { ScopeProvider, useScope } from '../api/scope.tsx'
import type { Grant, Person, Question } from '../session/session-client.ts'
import { PersonContext, usePerson, useSession, useSignInIfNeeded } from '../session/use-session.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Checkbox, Choices } from '../ui/choices.tsx'
import { Facts } from '../ui/facts.tsx'
import { Form, SelectField } from '../ui/field.tsx'
import { ErrorNotice, Notice } from '../ui/notices.tsx'
import { RelativeTime } from '../ui/relative-time.tsx'
import { Loading } from '../ui/waiting.tsx'
import { DoorFrame } from './door.tsx'

/** What is in it is for a person who is signed in, and is in a workspace. */
export function SignedInDoor({ title, children }: { title: string; children: ReactNode }) {
  const { data: session, error, refetch } = useSession()
  const isLeaving = useSignInIfNeeded(session)
  if (session === undefined || isLeaving || session.person === null) {
    return (
      <DoorFrame title={title}>
        {error === null ? (
          <Loading what="Opening Atrium" />
        ) : (
          <ErrorNotice error={error} onRetry={() => void refetch()} />
        )}
      </DoorFrame>
    )
  }
  if (session.workspaces.every(({ deletesAt }) => deletesAt !== null)) {
    return (
      <DoorFrame title={title} description="You are in no workspace yet. Make or join one first.">
        <ButtonLink to="/" variant="primary" size="large" wide>
          To the overview
        </ButtonLink>
      </DoorFrame>
    )
  }
  return (
    <PersonContext value={session.person}>
      <ScopeProvider workspaces={session.workspaces}>{children}</ScopeProvider>
    </PersonContext>
  )
}

type ConsentProps = {
  question: Question
  /** Null is a refusal. */
  onDecide: (decision: { userId: string; grant: Grant | null }) => Promise<unknown>
}

export function Consent({ question, onDecide }: ConsentProps) {
  const person = usePerson()
  const { workspace, environment, permissions: held } = useScope()
  const offered = question.permissions.filter(name => held.has(name))
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [narrowing, setNarrowing] = useState(noNarrowing)
  // What was chosen in one workspace and environment does not exist in another.
  const place = `${workspace.id} ${environment}`
  const { agentIds, collectionIds } = narrowing.place === place ? narrowing : noNarrowing
  const permissions = offered.filter(name => !left.has(name))
  const grant = { workspaceId: workspace.id, environment, permissions, agentIds, collectionIds }
  const decide = useMutation({
    mutationFn: (given: Grant | null) => onDecide({ userId: person.id, grant: given }),
  })
  const isEmpty = permissions.length === 0 || agentIds?.length === 0 || collectionIds?.length === 0
  return (
    <DoorFrame
      wide
      title={`Connect “${question.name}”?`}
      description={`It will act for you, ${nameOf(person)}, with what you choose here.`}
    >
      <Form onSubmit={() => decide.mutate(grant)}>
        <WhoAsks question={question} />
        <PlaceFields />
        <fieldset className="flex min-w-0 flex-col gap-2.5">
          <legend className="mb-2 font-medium">It may</legend>
          {offered.length === 0 && (
            <p className="text-muted">Your role in this workspace allows nothing of what it asks for.</p>
          )}
          {offered.map(name => (
            <Checkbox
              key={name}
              label={meanings[name] ?? name}
              checked={!left.has(name)}
              onChange={on => setLeft(new Set(on ? [...left].filter(one => one !== name) : [...left, name]))}
            />
          ))}
        </fieldset>
        <RecordNarrowing
          of="agents"
          value={agentIds}
          onChange={ids => setNarrowing({ agentIds: ids, collectionIds, place })}
        />
        <RecordNarrowing
          of="collections"
          value={collectionIds}
          onChange={ids => setNarrowing({ agentIds, collectionIds: ids, place })}
        />
        <p className="text-[13px] text-muted">
          It never gets more than you may do yourself. Members who see agents see the runs that it starts. You
          can end it at any time in your account.
        </p>
        <ErrorNotice error={decide.error} />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" busy={decide.isPending} disabled={isEmpty}>
            Allow
          </Button>
          <Button disabled={decide.isPending} onClick={() => decide.mutate(null)}>
            Refuse
          </Button>
        </div>
      </Form>
    </DoorFrame>
  )
}

const noNarrowing: { agentIds: string[] | null; collectionIds: string[] | null; place: string } = {
  agentIds: null,
  collectionIds: null,
  place: '',
}

const nameOf = ({ name, email }: Person): string => (name === '' ? email : `${name} (${email})`)

/** What is certain of who asks, and what is not. */
function WhoAsks({
  question: { provenHost, redirectHost, redirectUri, isOnThisComputer, device },
}: {
  question: Question
}) {
  const from = device !== null && (
    <>
      {device.address}, <RelativeTime time={device.askedAt} />
    </>
  )
  return (
    <>
      <Facts
        look="lines"
        facts={[
          { name: 'Published by', value: provenHost },
          {
            name: 'Sends you on to',
            value: redirectHost && (
              <>
                <strong className="font-mono text-[13px] font-medium">{redirectHost}</strong>
                <span className="block break-all font-mono text-[12px] text-muted">{redirectUri}</span>
              </>
            ),
          },
          { name: 'Asked from', value: from || null },
        ]}
      />
      {device !== null && (
        <Notice tone="warn" title="Did you begin this?">
          Only go on if you started it yourself just now, and the code is the one on your own screen.
        </Notice>
      )}
      {device === null && (provenHost === null || isOnThisComputer) && (
        <Notice tone="warn" title="Nothing proves this name">
          {isOnThisComputer
            ? 'Any program on this computer can call itself that. Only go on if you started this there yourself.'
            : 'Any app can call itself that. Only go on if you began this yourself and know the host.'}
        </Notice>
      )}
    </>
  )
}

/** In which of the person's workspaces, and on real data or not. */
function PlaceFields() {
  const { workspace, workspaces, environment, chooseWorkspace, chooseEnvironment } = useScope()
  return (
    <>
      <SelectField
        label="Workspace"
        value={workspace.id}
        onChange={id => void chooseWorkspace(id)}
        options={workspaces.map(({ id, name, plan }) => ({
          value: id,
          label: plan === 'free' ? `${name} (its plan has no apps)` : name,
        }))}
      />
      <Choices
        legend="Environment"
        value={environment}
        onChange={wanted => void chooseEnvironment(wanted)}
        choices={[
          { value: 'live', label: 'Live', hint: 'Your real data and models.' },
          { value: 'test', label: 'Test', hint: 'The sandbox: data of its own, no cost.' },
        ]}
      />
    </>
  )
}

const meanings: Readonly<Record<string, string>> = {
  'agents:read': 'See agents, their runs and conversations',
  'agents:run': 'Ask agents, and decide their approvals',
  'knowledge:read': 'Search, and read collections and documents',
  'knowledge:write': 'Upload, change and delete documents and collections',
  'integrations:read': 'See what is connected, and in what state',
  'webhooks:read': 'See events, endpoints and deliveries',
  'usage:read': 'See what is used, and what it costs',
}
