/** Two runs of one agent side by side: their answers, what was asked differently, and what the second one took more. */
import type { Atrium } from '@atrium/sdk'
import { Link } from '@tanstack/react-router'
import { Loaded } from '../../../api/loaded.tsx'
import { useApiQuery } from '../../../api/queries.ts'
import { useRoomParam, useSearchValue } from '../../../api/search-values.ts'
import { formatDuration, formatMoment, formatNumber, formatUsd } from '../../../ui/format.ts'
import { Notice } from '../../../ui/notices.tsx'
import { Card, Page } from '../../../ui/page.tsx'
import { Answer } from '../answer.tsx'
import { FieldChanges } from '../field-changes.tsx'
import { stepOf } from '../playground/turn.ts'
import { costOf, isUnderWay, RunFailure, RunStatusBadge } from '../run-summary.tsx'
import { titlesOf } from '../steps.tsx'

type Comparison = Awaited<ReturnType<Atrium['runs']['compare']>>
type Side = Comparison['run']

const refreshMs = 1_500

export function Room() {
  const runId = useRoomParam('runId')
  const [otherId] = useSearchValue('with')
  const comparison = useApiQuery(
    ['runs', runId, 'comparison', otherId],
    (atrium, options) => atrium.runs.compare(runId, otherId === '' ? undefined : otherId, options),
    {
      refetchInterval: data =>
        data !== undefined && (isUnderWay(data.run) || isUnderWay(data.other)) ? refreshMs : false,
    },
  )
  return (
    <Page
      title="Two runs side by side"
      description="The same question, answered twice: what has become different, and what it took."
      back={{ to: `/runs/${runId}`, label: 'Run' }}
    >
      <Loaded query={comparison}>{data => <Compared comparison={data} />}</Loaded>
    </Page>
  )
}

function Compared({ comparison }: { comparison: Comparison }) {
  const { run, other, inputs, agent, isSameOutput, citations } = comparison
  const isOver = !isUnderWay(run) && !isUnderWay(other)
  return (
    <>
      {isOver && isSameOutput && <Notice tone="good">Both have answered the same, to the letter.</Notice>}
      <div className="grid min-w-0 items-start gap-6 lg:grid-cols-2">
        <SideCard title="First" side={run} />
        <SideCard title="Second" side={other} />
      </div>
      <Differences comparison={comparison} />
      <div className="grid min-w-0 items-start gap-6 lg:grid-cols-2">
        <Card title="What was asked differently">
          <FieldChanges changes={inputs} of="inputs" none="Nothing: both were given the same." />
        </Card>
        <Card title="How the agent differs">
          <FieldChanges changes={agent} of="agent" none="Not at all: both ran on the same content." />
        </Card>
      </div>
      <p className="text-muted">
        Sources: {citations.keptCount} cited by both, {citations.removed.length} by the first only,{' '}
        {citations.added.length} by the second only.
      </p>
    </>
  )
}

function SideCard({ title, side }: { title: string; side: Side }) {
  // The comparison tells which sources differ; the run itself, which all of them are.
  const { data } = useApiQuery(['runs', side.id], (atrium, options) => atrium.runs.get(side.id, options), {
    enabled: !isUnderWay(side),
  })
  const titles = titlesOf((data?.steps ?? []).map(stepOf))
  return (
    <Card
      title={title}
      description={
        <>
          <Link to={`/runs/${side.id}`} className="text-accent-text underline underline-offset-3">
            {formatMoment(side.createdAt)}
          </Link>{' '}
          · revision {side.agentRevision} · {side.model ?? 'no model yet'}
        </>
      }
      actions={<RunStatusBadge status={side.status} />}
    >
      <div className="flex min-w-0 flex-col gap-3">
        {side.error !== null && <RunFailure error={side.error} />}
        {side.output === null ? (
          <p className="text-muted">{isUnderWay(side) ? 'It is in progress.' : 'There is no answer.'}</p>
        ) : (
          <Answer text={side.output} citations={data?.citations ?? []} titles={titles} />
        )}
      </div>
    </Card>
  )
}

function Differences({ comparison: { run, other, differences } }: { comparison: Comparison }) {
  const rows = [
    {
      label: 'Took',
      of: (side: Side) => (side.durationMs === null ? '–' : formatDuration(side.durationMs)),
      more: differences.durationMs,
    },
    { label: 'Steps', of: (side: Side) => formatNumber(side.steps.length), more: differences.steps },
    {
      label: 'Tokens read',
      of: (side: Side) => formatNumber(side.usage.inputTokens),
      more: differences.inputTokens,
    },
    {
      label: 'Tokens written',
      of: (side: Side) => formatNumber(side.usage.outputTokens),
      more: differences.outputTokens,
    },
    { label: 'Cost', of: (side: Side) => costOf(side.usage), more: differences.costUsd },
  ]
  return (
    <Card title="What they took">
      <table className="w-full text-left">
        <thead>
          <tr className="border-b text-[13px] text-muted">
            <td className="py-1.5" />
            {['First', 'Second', 'Difference'].map(header => (
              <th key={header} scope="col" className="py-1.5 pl-3 text-right font-medium">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, of, more }) => (
            <tr key={label} className="border-b last:border-b-0">
              <th scope="row" className="py-2 font-normal text-muted">
                {label}
              </th>
              <td className="py-2 pl-3 text-right">{of(run)}</td>
              <td className="py-2 pl-3 text-right">{of(other)}</td>
              <td className="py-2 pl-3 text-right">{signed(label, more)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}

function signed(label: string, more: number | null): string {
  if (more === null) return '–'
  const size = Math.abs(more)
  const words =
    label === 'Took' ? formatDuration(size) : label === 'Cost' ? formatUsd(size) : formatNumber(size)
  if (more === 0) return 'the same'
  return `${more > 0 ? '+' : '−'}${words}`
}
