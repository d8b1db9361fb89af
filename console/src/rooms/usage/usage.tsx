/** What the plan allows, the present month, use over time, and whose use it was. */
import type { Usage, UsageRow } from '@atrium/sdk'
import { useMemo } from 'react'
import { Loaded } from '../../api/loaded.tsx'
import { useApiQuery, usePagedQuery } from '../../api/queries.ts'
import { useScope } from '../../api/scope.tsx'
import { useSearchChoice, useSearchValue } from '../../api/search-values.ts'
import { SelectField } from '../../ui/field.tsx'
import { count, formatBytes, formatDate, formatNumber, formatUsd } from '../../ui/format.ts'
import { LimitBar, PlanLimits } from '../../ui/limits.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { type Column, PagedTable } from '../../ui/table.tsx'
import { DayChart, lastDays, measures, ranges } from './day-chart.tsx'

const freshMs = 30_000

export function Room() {
  const { environment } = useScope()
  const usage = useApiQuery(['usage', 'now'], (atrium, options) => atrium.usage.get(options), {
    refetchInterval: freshMs,
  })
  return (
    <Page
      title="Usage"
      description={
        environment === 'test'
          ? 'What the sandbox uses. Nothing here costs anything.'
          : 'What this workspace uses, what it costs, and what its plan allows.'
      }
    >
      <Loaded query={usage}>{data => <Limits usage={data} />}</Loaded>
      <OverTime />
    </Page>
  )
}

const monthName = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' })

function Limits({ usage }: { usage: Usage }) {
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Card title="Limits" description={`Of the plan ${titled(usage.plan)}.`}>
        <PlanLimits usage={usage} />
      </Card>
      <Month month={usage.month} />
    </div>
  )
}

function Month({ month }: { month: Usage['month'] }) {
  const { name, resetsAt, runs, unpricedRuns, inputTokens, outputTokens, costUsd } = month
  const facts = [
    { label: 'Runs', value: formatNumber(runs) },
    { label: 'Tokens read', value: formatNumber(inputTokens) },
    { label: 'Tokens written', value: formatNumber(outputTokens) },
    { label: 'Cost', value: formatUsd(costUsd.used) },
  ]
  return (
    <Card
      title={monthName.format(new Date(`${name}-01T00:00:00Z`))}
      description={`The next month begins on ${formatDate(resetsAt)}.`}
    >
      <div className="flex flex-col gap-4">
        <dl className="grid grid-cols-2 gap-4">
          {facts.map(({ label, value }) => (
            <div key={label} className="min-w-0">
              <dt className="text-[13px] text-muted">{label}</dt>
              <dd className="text-lg font-semibold break-words tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
        {costUsd.limit === null ? (
          <p className="text-[13px] text-muted">There is no budget: runs may cost what they cost.</p>
        ) : (
          <LimitBar label="Monthly budget" used={costUsd.used} limit={costUsd.limit} format={formatUsd} />
        )}
        {unpricedRuns > 0 && (
          <p className="text-[13px] text-muted">
            {count(unpricedRuns, 'run')} used a model whose price is not known, and{' '}
            {unpricedRuns === 1 ? 'is' : 'are'} not in the cost.
          </p>
        )}
      </div>
    </Card>
  )
}

const titled = (plan: string): string => plan.charAt(0).toUpperCase() + plan.slice(1)

/** Each day has one row at most; a page holds all of them. */
const mostDays = 100

function OverTime() {
  const [rangeText, setRange] = useSearchValue('range', '30')
  const [measureText, setMeasure] = useSearchValue('measure', 'requests')
  const range = ranges.find(({ value }) => value === rangeText) ?? ranges[1]
  const measure = measures.find(({ value }) => value === measureText) ?? measures[0]
  // A page left open past midnight shows the new day when the person next changes the range.
  const days = useMemo(() => lastDays(range.days, Date.now()), [range.days])
  const [from = '', to = ''] = [days[0], days.at(-1)]
  const history = useApiQuery(['usage', 'days', { from, to }], (atrium, options) =>
    atrium.usage.history({ from, to, pageSize: mostDays }, options).page(),
  )
  return (
    <>
      <Card
        title={`${measure.label} by day`}
        description="Days are those of UTC."
        actions={
          <div className="flex flex-wrap gap-2">
            <SelectField
              label="What is counted"
              labelHidden
              value={measure.value}
              onChange={setMeasure}
              options={measures}
            />
            <SelectField label="Time" labelHidden value={range.value} onChange={setRange} options={ranges} />
          </div>
        }
      >
        <Loaded query={history}>
          {({ items }) => <DayChart days={days} rows={items} measure={measure} />}
        </Loaded>
      </Card>
      <ByWhom from={from} to={to} />
    </>
  )
}

const groups = [
  { value: 'key', label: 'By key and person' },
  { value: 'agent', label: 'By agent' },
  { value: 'collection', label: 'By collection' },
] as const
const groupNames = groups.map(({ value }) => value)
type Group = (typeof groupNames)[number]

function ByWhom({ from, to }: { from: string; to: string }) {
  const [groupBy, setGroupBy] = useSearchChoice('by', groupNames, 'key')
  const history = usePagedQuery(['usage', 'whom', { from, to, groupBy }], (atrium, query, options) =>
    atrium.usage.history({ ...query, from, to, groupBy, interval: 'total' }, options),
  )
  return (
    <Card
      title="Whose use"
      description="Of the same days."
      actions={
        <SelectField label="Grouped" labelHidden value={groupBy} onChange={setGroupBy} options={groups} />
      }
    >
      <PagedTable
        query={history}
        caption="Whose use"
        columns={columnsOf(groupBy)}
        rowKey={({ subject }) => `${subject?.type}-${subject?.id}`}
        empty={<p className="text-muted">Nothing was used in this time.</p>}
      />
    </Card>
  )
}

const headers: Readonly<Record<Group, string>> = {
  key: 'Key or person',
  agent: 'Agent',
  collection: 'Collection',
}

const numberColumn = (header: string, of: (row: UsageRow) => string): Column<UsageRow> => ({
  header,
  align: 'end',
  cell: row => <span className="tabular-nums">{of(row)}</span>,
})

function columnsOf(groupBy: Group): readonly Column<UsageRow>[] {
  return [
    { header: headers[groupBy], cell: ({ subject }) => <Subject subject={subject} /> },
    // Requests belong to those who make them, storage to collections.
    ...(groupBy === 'key' ? [numberColumn('Requests', row => formatNumber(row.requests ?? 0))] : []),
    numberColumn('Runs', row => formatNumber(row.runs ?? 0)),
    numberColumn('Tokens', row => formatNumber((row.inputTokens ?? 0) + (row.outputTokens ?? 0))),
    numberColumn('Cost', row => formatUsd(row.costUsd ?? 0)),
    ...(groupBy === 'collection'
      ? [
          numberColumn('Storage', ({ storageBytes }) =>
            storageBytes === null ? 'Not known' : formatBytes(storageBytes),
          ),
        ]
      : []),
  ]
}

const kinds = { key: 'Key', person: 'Person', system: 'Server', agent: 'Agent', collection: 'Collection' }

function Subject({ subject }: { subject: UsageRow['subject'] }) {
  if (subject === null) return <span>Everybody</span>
  const { type, name, id } = subject
  const known = type === 'system' ? 'The server itself' : name
  return (
    <>
      <span className="block font-medium">{known ?? 'Without a name'}</span>
      <span className="block text-[12px] text-muted">
        {kinds[type]}
        {known === null && id !== null && <span className="font-mono"> {id}</span>}
      </span>
    </>
  )
}
