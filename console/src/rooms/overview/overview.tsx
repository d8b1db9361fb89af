/** What is in the workspace, what to do next, and the line by which a program calls it. */

import type { Atrium } from '@atrium/sdk'
import { Link } from '@tanstack/react-router'
import { ArrowRight, Check } from 'lucide-react'
import { Loaded } from '../../api/loaded.tsx'
import { useApiQuery } from '../../api/queries.ts'
import { type Scope, useMay, useScope } from '../../api/scope.tsx'
import { usePerson } from '../../session/use-session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/copy.tsx'
import { count, formatNumber } from '../../ui/format.ts'
import { Notice } from '../../ui/notices.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/waiting.tsx'
import { useOpenRooms } from '../room.ts'

export function Room() {
  const scope = useScope()
  const { workspace, environment } = scope
  const { name } = usePerson()
  const contents = useApiQuery(
    ['overview'],
    (atrium, options) => readContents(atrium, scope, options),
    // A person who comes back from a step sees it done.
    { staleTime: 0 },
  )
  return (
    <Page
      title={`Hello, ${name.split(' ')[0]}`}
      description={
        environment === 'test'
          ? `The test environment of ${workspace.name}: try anything, with data of its own.`
          : `${workspace.name}, as it stands now.`
      }
    >
      <Loaded query={contents} waiting={<Waiting />}>
        {data => (
          <>
            <Samples contents={data} />
            <Figures contents={data} />
            <div className="grid items-start gap-6 lg:grid-cols-2">
              <NextSteps contents={data} />
              <FirstCall />
            </div>
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** The console opens in live, and the samples of a new workspace are in the sandbox. */
function Samples({ contents: { documents, hasRun } }: { contents: Contents }) {
  const { environment, chooseEnvironment } = useScope()
  if (environment === 'test' || documents !== 0 || hasRun) return null
  return (
    <Notice
      title="Live has no documents yet"
      action={
        <Button size="small" onClick={() => void chooseEnvironment('test')}>
          Open the test environment
        </Button>
      }
    >
      The test environment began with a sample agent and documents that it answers from, at no cost.
    </Notice>
  )
}

const figureLook = 'flex h-full flex-col gap-1 rounded-lg border bg-surface p-4 shadow-card'

function Figures({ contents }: { contents: Contents }) {
  const paths = new Set(useOpenRooms().map(({ path }) => path))
  const figures = [
    { label: 'Agents', value: contents.agents, path: '/agents' },
    { label: 'Collections', value: contents.collections, path: '/knowledge' },
    { label: 'Documents', value: contents.documents, path: '/knowledge' },
    { label: 'Members', value: contents.members, path: '/settings/members' },
    { label: 'API keys', value: contents.keys, path: '/settings/api-keys' },
  ]
  return (
    <ul aria-label="What is here" className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
      {figures.map(({ label, value, path }) => {
        if (value === null) return null
        const shown = (
          <>
            <span className="text-[13px] text-muted">{label}</span>
            <span className="text-2xl font-semibold tracking-tight tabular-nums">{formatNumber(value)}</span>
          </>
        )
        return (
          <li key={label} className="odd:last:col-span-2 sm:odd:last:col-span-1">
            {paths.has(path) ? (
              <Link to={path} className={`${figureLook} transition-colors hover:border-edge`}>
                {shown}
              </Link>
            ) : (
              <div className={figureLook}>{shown}</div>
            )}
          </li>
        )
      })}
    </ul>
  )
}

type Step = {
  title: string
  why: string
  /** What there is once the step is done; null before. */
  done: string | null
  to: string
  /** Without it the step is another person's. */
  permission: string
}

const stepsOf = ({ readyDocuments, hasRun, workingKeys, people, invited }: Contents): Step[] => [
  {
    title: 'Upload documents',
    why: 'A collection holds what your agents know and cite.',
    done: readyDocuments > 0 ? `${count(readyDocuments, 'document')} can be found.` : null,
    to: '/knowledge',
    permission: 'knowledge:write',
  },
  {
    title: 'Ask an agent',
    why: 'It answers from your collections, step by step, with sources.',
    done: hasRun ? 'Your agents have been asked.' : null,
    to: '/agents',
    permission: 'agents:run',
  },
  {
    title: 'Make an API key',
    why: 'By it, your programs do all of this through the API.',
    done:
      workingKeys > 0
        ? `${count(workingKeys, 'key')} ${workingKeys === 1 ? 'works' : 'work'} in this environment.`
        : null,
    to: '/settings/api-keys/new',
    permission: 'keys:write',
  },
  {
    title: 'Invite your colleagues',
    why: 'Each with a role that says what they may see and change.',
    done:
      people + invited > 1
        ? `${count(people, 'person', 'people')} here${invited > 0 ? `, ${invited} invited` : ''}.`
        : null,
    to: '/settings/members',
    permission: 'members:write',
  },
]

function NextSteps({ contents }: { contents: Contents }) {
  const { permissions } = useScope()
  const paths = new Set(useOpenRooms().map(({ path }) => path))
  const open = stepsOf(contents).filter(({ to, permission }) => paths.has(to) && permissions.has(permission))
  if (open.length === 0) return null
  return (
    <Card title="Next steps">
      <ol className="-my-1 flex flex-col divide-y">
        {open.map(step => (
          <NextStep key={step.title} step={step} />
        ))}
      </ol>
    </Card>
  )
}

function NextStep({ step: { title, why, done, to } }: { step: Step }) {
  return (
    <li>
      <Link to={to} className="group flex items-center gap-3 rounded-sm py-3">
        <span
          className={
            done !== null
              ? 'flex size-6 shrink-0 items-center justify-center rounded-full bg-good-soft text-good-text'
              : 'size-6 shrink-0 rounded-full border-2 border-dashed border-edge/60'
          }
        >
          {done !== null && <Check aria-hidden size={14} />}
        </span>
        <span className="min-w-0 flex-1">
          <span dir="auto" className="block font-medium group-hover:text-accent-text">
            {title}
            {done !== null && <span className="sr-only"> (done)</span>}
          </span>
          <span className="block text-[13px] text-muted">{done ?? why}</span>
        </span>
        <ArrowRight aria-hidden size={16} className="shrink-0 text-faint group-hover:text-accent-text" />
      </Link>
    </li>
  )
}

function FirstCall() {
  const mayMakeKeys = useMay('keys:write')
  const { environment } = useScope()
  return (
    <Card title="Call the API" description="Whatever you see here, a program can do by one HTTP call.">
      <div className="flex flex-col gap-4">
        <CodeBlock
          label="List the agents"
          code={`curl -s ${window.location.origin}/api/v1/agents \\\n  -H "Authorization: Bearer sk_${environment}_…"`}
        />
        <div className="flex flex-wrap items-center gap-3">
          {mayMakeKeys && (
            <ButtonLink to="/settings/api-keys/new" size="small">
              Create an API key
            </ButtonLink>
          )}
          <a href="/docs" className="font-medium text-accent-text underline underline-offset-3">
            API reference
          </a>
        </div>
      </div>
    </Card>
  )
}

const Waiting = () => (
  <div role="status" className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
    <span className="sr-only">Counting what is here…</span>
    {['a', 'b', 'c', 'd', 'e'].map(key => (
      <Skeleton key={key} className="h-20" />
    ))}
  </div>
)

type Contents = Awaited<ReturnType<typeof readContents>>

const one = { pageSize: 1 }
const many = { pageSize: 100 }

async function readContents(
  { agents, knowledge, workspace, apiKeys }: Atrium,
  { permissions, environment }: Scope,
  options: { signal: AbortSignal },
) {
  async function ifMay<Value>(permission: string, read: () => Promise<Value>): Promise<Value | null> {
    return permissions.has(permission) ? read() : null
  }
  const { documents, collections } = knowledge
  const [runs, collectionPage, documentPage, ready, memberPage, people, invited, keyPage] = await Promise.all(
    [
      ifMay('agents:read', () => agents.lastRuns(many, options).page()),
      ifMay('knowledge:read', () => collections.list(one, options).page()),
      ifMay('knowledge:read', () => documents.list(one, options).page()),
      ifMay('knowledge:read', () => documents.list({ ...one, status: 'ready' }, options).page()),
      ifMay('members:read', () => workspace.members.list(one, options).page()),
      ifMay('members:read', () => workspace.members.list({ ...one, kind: 'person' }, options).page()),
      ifMay('members:read', () => workspace.invitations.list({ ...one, status: 'pending' }, options).page()),
      ifMay('keys:read', () => apiKeys.list(many, options).page()),
    ],
  )
  return {
    // Null if the person may not see it.
    agents: runs?.total ?? null,
    collections: collectionPage?.total ?? null,
    documents: documentPage?.total ?? null,
    members: memberPage?.total ?? null,
    keys: keyPage?.total ?? null,
    /** Documents that search finds. */
    readyDocuments: ready?.total ?? 0,
    hasRun: runs?.items.some(({ run }) => run !== null) ?? false,
    /** Keys of this environment that work: neither revoked nor expired. Live shows test keys too. */
    workingKeys:
      keyPage?.items.filter(key => key.status === 'active' && key.environment === environment).length ?? 0,
    people: people?.total ?? 0,
    invited: invited?.total ?? 0,
  }
}
