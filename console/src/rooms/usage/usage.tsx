/** What the plan allows, the present month, and use over time. */

import type { Usage } from '@atrium/sdk'
import { useMemo } from 'react'
import { Loaded } from '../../api/loaded.tsx'
import { useApiQuery } from '../../api/queries.ts'
import { useScope } from '../../api/scope.tsx'
import { useSearchValue } from '../../api/search-values.ts'
import { classNames } from '../../ui/class-names.ts'
import { Field, Select } from '../../ui/field.tsx'
import { count, formatBytes, formatDate, formatNumber, formatUsd } from '../../ui/format.ts'
import { Card, Page } from '../../ui/page.tsx'
import { ByWhom } from './by-whom.tsx'
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

/** The limits of the plan with what is used of each, and the present month. */
function Limits({ usage }: { usage: Usage }) {
  const { plan, requestsPerMinute, storageBytes, uploadBytes, members, runsAtOnce } = usage
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Card title="Limits" description={`Of the plan ${titled(plan)}.`}>
        <div className="flex flex-col gap-4">
          <LimitBar label="Requests a minute" {...requestsPerMinute} format={formatNumber} />
          <LimitBar label="Storage" {...storageBytes} used={storageBytes.used ?? 0} format={formatBytes} />
          <LimitBar label="Members" {...members} format={formatNumber} />
          <LimitBar label="Runs at once" {...runsAtOnce} used={runsAtOnce.used ?? 0} format={formatNumber} />
          <p className="text-[13px] text-muted">
            The largest file may have {formatBytes(uploadBytes.limit)}.
          </p>
        </div>
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

type LimitBarProps = { label: string; used: number; limit: number; format: (value: number) => string }

const nearlyUsed = 0.8

/** How much of a limit is used: in words, and as a bar that turns as the end comes near. */
function LimitBar({ label, used, limit, format }: LimitBarProps) {
  const share = limit <= 0 ? (used > 0 ? 1 : 0) : Math.min(1, used / limit)
  const words = `${format(used)} of ${format(limit)}`
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-medium">{label}</span>
        <span className="text-muted tabular-nums">
          {words}
          {share >= 1 ? ' · used up' : share >= nearlyUsed ? ' · nearly used up' : ''}
        </span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: the browser's own takes no colours of the page. */}
      <div
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
        aria-valuetext={words}
        className="h-2 overflow-hidden rounded-full bg-hover"
      >
        <div
          className={classNames(
            'h-full rounded-full',
            share >= 1 ? 'bg-danger' : share >= nearlyUsed ? 'bg-warn-text' : 'bg-accent',
          )}
          style={{ width: `${share * 100}%` }}
        />
      </div>
    </div>
  )
}

/** Each day has one row at most; a page holds all of them. */
const mostDays = 100

/** Use over time: a bar for each day, and who has used it. */
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
            <Field label="What is counted" labelHidden>
              <Select value={measure.value} onChange={event => setMeasure(event.currentTarget.value)}>
                {measures.map(({ value, label }) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </Select>
            </Field>
            <Field label="Time" labelHidden>
              <Select value={range.value} onChange={event => setRange(event.currentTarget.value)}>
                {ranges.map(({ value, label }) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </Select>
            </Field>
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
