/** Every run of an agent, the latest first, by state, rating, day and end user. */
import type { ListedRun } from '@atrium/sdk'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { Link, useNavigate } from '@tanstack/react-router'
import { History } from 'lucide-react'
import { useMemo, useState } from 'react'
import { usePagedQuery } from '../../../api/queries.ts'
import { useRoomParam, useSearchChoice, useSearchValue } from '../../../api/search-values.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Form, SelectField, TextField } from '../../../ui/field.tsx'
import { formatDuration, formatNumber } from '../../../ui/format.ts'
import { EmptyState } from '../../../ui/notices.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { type Column, PagedTable } from '../../../ui/table.tsx'
import { AgentFrame } from '../agent-frame.tsx'
import { costOf, isUnderWay, RunStatusBadge, runStatuses, runStatusLabel } from '../run-summary.tsx'

const refreshMs = 5_000

export function Room() {
  return <AgentFrame>{agent => <RunHistory key={agent.id} />}</AgentFrame>
}

function RunHistory() {
  const agentId = useRoomParam('agentId')
  const { filter, isSet, clear } = useRunFilter()
  const runs = usePagedQuery(
    ['agents', agentId, 'runs', filter],
    (atrium, query, options) => atrium.agents.runs(agentId, { ...query, ...filter }, options),
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
      <PagedTable
        query={runs}
        caption="Runs"
        columns={columns}
        rowKey={({ id }) => id}
        empty={
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
              Each question to this agent is kept here as a run: with its answer, its steps, its sources, and
              what it cost; whether it was asked here or by a program.
            </EmptyState>
          )
        }
      />
    </section>
  )
}

const columns: readonly Column<ListedRun>[] = [
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
        {run.durationMs === null ? (isUnderWay(run) ? 'In progress' : '–') : formatDuration(run.durationMs)}
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

const ratings = ['positive', 'negative'] as const
const dayMs = 86_400_000

/** Which runs are shown; kept in the address, so that a list can be sent to others. */
function useRunFilter() {
  const [status] = useSearchChoice('status', runStatuses, '')
  const [feedback] = useSearchChoice('feedback', ratings, '')
  const [endUserId] = useSearchValue('user')
  const [conversationId] = useSearchValue('conversation')
  const [from] = useSearchValue('from')
  const [until] = useSearchValue('until')
  const navigate = useNavigate()
  const filter = useMemo(
    () =>
      withoutUndefined({
        status: status || undefined,
        feedback: feedback || undefined,
        endUserId: endUserId || undefined,
        conversationId: conversationId || undefined,
        createdAfter: dayOf(from) === null ? undefined : new Date(dayOf(from) ?? 0).toISOString(),
        // The last day counts to its end.
        createdBefore:
          dayOf(until) === null || endsBefore(from, until)
            ? undefined
            : new Date((dayOf(until) ?? 0) + dayMs).toISOString(),
      }),
    [status, feedback, endUserId, conversationId, from, until],
  )
  const clear = () => void navigate({ to: '.', search: {}, replace: true })
  return { filter, isSet: Object.keys(filter).length > 0, clear }
}

/** The start of the day in the browser’s time zone; null if the text is not a date. */
function dayOf(text: string): number | null {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00`).getTime() : Number.NaN
  return Number.isNaN(time) ? null : time
}

const endsBefore = (from: string, until: string): boolean => (dayOf(until) ?? Infinity) < (dayOf(from) ?? 0)

function RunFilters() {
  const [status, setStatus] = useSearchValue('status')
  const [feedback, setFeedback] = useSearchValue('feedback')
  const [from, setFrom] = useSearchValue('from')
  const [until, setUntil] = useSearchValue('until')
  return (
    <fieldset className="grid min-w-0 grid-cols-2 gap-3 lg:grid-cols-5">
      <legend className="sr-only">Filters</legend>
      <SelectField
        label="State"
        value={status}
        onChange={setStatus}
        emptyLabel="All"
        options={runStatuses.map(one => ({ value: one, label: runStatusLabel(one) }))}
      />
      <SelectField
        label="Rating"
        value={feedback}
        onChange={setFeedback}
        emptyLabel="All"
        options={[
          { value: 'positive', label: 'Good' },
          { value: 'negative', label: 'Bad' },
        ]}
      />
      <TextField label="From" type="date" value={from} onChange={setFrom} />
      <TextField
        label="Until"
        type="date"
        value={until}
        onChange={setUntil}
        error={endsBefore(from, until) ? 'Choose no day before the first.' : undefined}
      />
      <EndUserFilter />
    </fieldset>
  )
}

/** Searches on submit, because only a complete id matches. */
function EndUserFilter() {
  const [endUserId, setEndUserId] = useSearchValue('user')
  const [text, setText] = useState(endUserId)
  return (
    <Form
      className="col-span-2 flex items-end gap-2 lg:col-span-1"
      onSubmit={() => setEndUserId(text.trim())}
    >
      <div className="min-w-0 flex-1">
        <TextField
          label="End user"
          maxLength={200}
          value={text}
          onChange={setText}
          onBlur={() => text.trim() !== endUserId && setEndUserId(text.trim())}
        />
      </div>
      <Button type="submit">Find</Button>
    </Form>
  )
}
