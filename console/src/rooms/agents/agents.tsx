/** The list of agents: what each is for, what it runs on, when it last ran. */
import type { Agent, LastRun } from '@atrium/sdk'
import { Link, useNavigate } from '@tanstack/react-router'
import { Bot, History, PencilLine, Play, Plus } from 'lucide-react'
import { usePagedQuery } from '../../api/queries.ts'
import { useMay, useScope } from '../../api/scope.tsx'
import { Badge, StateBadge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { ActionsMenu, MenuItem } from '../../ui/menu.tsx'
import { EmptyState } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { actionsColumn, type Column, PagedTable, RecordName } from '../../ui/table.tsx'
import { Skeleton } from '../../ui/waiting.tsx'
import { RunStatusBadge } from './run-summary.tsx'

export function Room() {
  const { environment } = useScope()
  const mayWrite = useMay('agents:write')
  const agents = usePagedQuery(['agents', 'list'], (atrium, query, options) =>
    atrium.agents.list(query, options),
  )
  const lastRuns = usePagedQuery(['agents', 'last-runs'], (atrium, query, options) =>
    atrium.agents.lastRuns(query, options),
  )
  const create = mayWrite && (
    <ButtonLink to="/agents/new" variant="primary" icon={Plus}>
      Create an agent
    </ButtonLink>
  )
  return (
    <Page
      title="Agents"
      description={
        environment === 'test'
          ? 'Agents of the sandbox: they answer from test data, and cost nothing.'
          : 'An agent answers from your documents and calls the tools that you give it.'
      }
      actions={create}
    >
      <PagedTable
        query={agents}
        caption="Agents"
        columns={columnsOf(lastRuns.data?.items)}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon={Bot} title="No agents yet" action={create}>
            An agent is a model with instructions: what it is to do, in which documents it looks, and which
            tools it may call. Begin with a template, try it in its playground, and call it by the API.
          </EmptyState>
        }
      />
    </Page>
  )
}

/** `lastRuns` is undefined until they are read. */
const columnsOf = (lastRuns: readonly LastRun[] | undefined): readonly Column<Agent>[] => [
  {
    header: 'Name',
    className: 'sm:w-2/5',
    cell: ({ id, name, description }) => <RecordName to={`/agents/${id}`} name={name} below={description} />,
  },
  { header: 'State', cell: agent => <State agent={agent} /> },
  {
    header: 'Model',
    cell: ({ model }) => <span className="font-mono text-[13px] break-all">{model}</span>,
  },
  { header: 'Last run', cell: ({ id }) => <LastRunCell runs={lastRuns} agentId={id} /> },
  actionsColumn(agent => <AgentMenu agent={agent} />),
]

function State({ agent: { status, revision, publishedRevision, access } }: { agent: Agent }) {
  return (
    <span className="inline-flex flex-wrap justify-end gap-1.5 sm:justify-start">
      {status === 'active' ? <StateBadge tone="good" label="Active" /> : <StateBadge label="Paused" />}
      {revision > publishedRevision && <Badge tone="warn">Draft</Badge>}
      {access === 'teams' && <Badge>Teams only</Badge>}
    </span>
  )
}

type LastRunCellProps = { runs: readonly LastRun[] | undefined; agentId: string }

function LastRunCell({ runs, agentId }: LastRunCellProps) {
  if (runs === undefined) return <Skeleton className="h-4 w-24" />
  const run = runs.find(entry => entry.agentId === agentId)?.run
  if (run == null) return <span className="text-muted">Never</span>
  return (
    <span className="inline-flex flex-wrap items-center justify-end gap-x-2 gap-y-1 sm:justify-start">
      <Link
        to={`/runs/${run.id}`}
        className="whitespace-nowrap underline decoration-dotted underline-offset-3"
      >
        <RelativeTime time={run.createdAt} />
      </Link>
      {run.status !== 'succeeded' && <RunStatusBadge status={run.status} />}
    </span>
  )
}

function AgentMenu({ agent: { id, name } }: { agent: Agent }) {
  const navigate = useNavigate()
  const mayWrite = useMay('agents:write')
  const go = (path: string) => void navigate({ to: `/agents/${id}${path}` })
  return (
    <ActionsMenu of={name}>
      <MenuItem icon={Play} onSelect={() => go('')}>
        Try it
      </MenuItem>
      <MenuItem icon={PencilLine} onSelect={() => go('/edit')}>
        {mayWrite ? 'Edit' : 'Settings'}
      </MenuItem>
      <MenuItem icon={History} onSelect={() => go('/runs')}>
        Runs
      </MenuItem>
    </ActionsMenu>
  )
}
