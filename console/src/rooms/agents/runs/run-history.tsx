/** Every run of an agent, the latest first, by state, rating, day and end user. */
import type { Run } from '@atrium/sdk'
import { Link } from '@tanstack/react-router'
import { History } from 'lucide-react'
import { Loaded } from '../../../api/loaded.tsx'
import { usePagedQuery } from '../../../api/queries.ts'
import { useRoomParam, useSearchValue } from '../../../api/search-values.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { formatDuration, formatNumber } from '../../../ui/format.ts'
import { Pager } from '../../../ui/pager.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { type Column, Table, TableSkeleton } from '../../../ui/table.tsx'
import { AgentFrame } from '../agent-frame.tsx'
import { costOf, isUnderWay } from '../run-facts.ts'
import { RunStatusBadge } from '../run-status.tsx'
import { RunFilters, useRunFilter } from './run-filters.tsx'

const pageSize = 20
const refreshMs = 5_000

export function Room() {
  return <AgentFrame>{agent => <RunHistory key={agent.id} />}</AgentFrame>
}

function RunHistory() {
  const agentId = useRoomParam('agentId')
  const { filter, isSet, clear } = useRunFilter()
  const runs = usePagedQuery(
    ['agents', agentId, 'runs', filter],
    (atrium, query, options) => atrium.agents.runs(agentId, { ...query, ...filter }, options).page(),
    { refetchInterval: refreshMs },
  )
  const [conversation, setConversation] = useSearchValue('conversation')
  return (
    <section aria-label="Runs" className="flex min-w-0 flex-col gap-4">
      <h2 className="sr-only">Runs</h2>
      <RunFilters />
      {conversation !== '' && (
        <p className="flex flex-wrap items-center gap-2 text-muted">
          Only runs of one conversation.
          <Button size="small" onClick={() => setConversation('')}>
            Show all
          </Button>
        </p>
      )}
      <Loaded query={runs} waiting={<TableSkeleton />}>
        {({ items, total }) =>
          total === 0 ? (
            isSet ? (
              <EmptyState
                icon={History}
                title="No run fits these filters"
                action={<Button onClick={clear}>Clear the filters</Button>}
              >
                Choose another state, rating or day.
              </EmptyState>
            ) : (
              <EmptyState
                icon={History}
                title="It has not run yet"
                action={<ButtonLink to={`/agents/${agentId}`}>Open the playground</ButtonLink>}
              >
                Each question to this agent is kept here as a run: with its answer, its steps, its sources,
                and what it cost; whether it was asked here or by a program.
              </EmptyState>
            )
          ) : (
            <>
              <Table caption="Runs" columns={columns} rows={items} rowKey={({ id }) => id} />
              <Pager page={runs.page} pageSize={pageSize} total={total} onPage={runs.setPage} />
            </>
          )
        }
      </Loaded>
    </section>
  )
}

const columns: readonly Column<Run>[] = [
  {
    header: 'Prompt',
    className: 'sm:w-2/5',
    cell: ({ id, prompt, endUserId }) => (
      <>
        <Link
          to={`/runs/${id}`}
          className="line-clamp-2 font-medium break-words underline-offset-3 hover:underline"
        >
          {prompt}
        </Link>
        {endUserId !== null && <span className="block text-[13px] text-muted">{endUserId}</span>}
      </>
    ),
  },
  {
    header: 'State',
    cell: ({ status, feedback }) => (
      <span className="inline-flex flex-wrap justify-end gap-1.5 sm:justify-start">
        <RunStatusBadge status={status} />
        {feedback !== null && (
          <Badge tone={feedback.rating === 'positive' ? 'good' : 'danger'}>
            {feedback.rating === 'positive' ? 'Good' : 'Bad'}
          </Badge>
        )}
      </span>
    ),
  },
  { header: 'Asked', cell: ({ createdAt }) => <RelativeTime time={createdAt} /> },
  {
    header: 'Took',
    cell: run => (
      <span>
        {run.durationMs === null ? (isUnderWay(run) ? 'Under way' : '–') : formatDuration(run.durationMs)}
      </span>
    ),
  },
  {
    header: 'Tokens',
    align: 'end',
    cell: ({ usage }) => <span>{formatNumber(usage.inputTokens + usage.outputTokens)}</span>,
  },
  {
    header: 'Cost',
    align: 'end',
    cell: ({ usage }) => <span>{usage.costUsd === null ? '–' : costOf(usage)}</span>,
  },
]
