/** A bar for each day, and the same as a table, for those who do not see it or want the numbers. */
import type { UsageRow } from '@atrium/sdk'
import { useId } from 'react'
import { count, formatNumber, formatUsd } from '../../ui/format.ts'
import { type Column, Table } from '../../ui/table.tsx'

type Props = { days: readonly string[]; rows: readonly UsageRow[]; measure: Measure }

type Day = { day: string; value: number }

export function DayChart({ days, rows, measure }: Props) {
  const byDay = new Map(rows.map(row => [row.period, measure.of(row)]))
  // A day without any use has no row.
  const shown = days.map(day => ({ day, value: byDay.get(day) ?? 0 }))
  const used = shown.filter(({ value }) => value > 0).toReversed()
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Bars days={shown} measure={measure} />
      <details>
        <summary className="w-fit rounded-sm text-accent-text">The same as a table</summary>
        <div className="mt-3">
          {used.length === 0 ? (
            <p className="text-muted">Nothing was used in this time.</p>
          ) : (
            <Table
              caption={`${measure.label} by day, days without any left out`}
              columns={columnsOf(measure)}
              rows={used}
              rowKey={({ day }) => day}
            />
          )}
        </div>
      </details>
    </div>
  )
}

const columnsOf = (measure: Measure): readonly Column<Day>[] => [
  { header: 'Day', cell: ({ day }) => <time dateTime={day}>{day}</time> },
  {
    header: measure.label,
    align: 'end',
    cell: ({ value }) => <span className="tabular-nums">{measure.format(value)}</span>,
  },
]

/** The unit of the drawing is a day wide; the picture is stretched to the width that there is. */
const heightUnits = 100
const barWidth = 0.72

function Bars({ days, measure }: { days: readonly Day[]; measure: Measure }) {
  const id = useId()
  const highest = Math.max(...days.map(({ value }) => value))
  const sum = days.reduce((total, { value }) => total + value, 0)
  const [first, last] = [days[0]?.day ?? '', days.at(-1)?.day ?? '']
  const title = `${measure.label} by day, ${formatDay(first)} to ${formatDay(last)}`
  return (
    <figure className="flex min-w-0 flex-col gap-2">
      <figcaption className="flex flex-wrap justify-between gap-x-4 text-[13px] text-muted">
        <span>
          <strong className="text-ink tabular-nums">{measure.format(sum)}</strong> in{' '}
          {count(days.length, 'day')}
        </span>
        <span>
          Most in a day: <span className="tabular-nums">{measure.format(highest)}</span>
        </span>
      </figcaption>
      <svg
        role="img"
        aria-labelledby={`${id}-title ${id}-description`}
        viewBox={`0 0 ${days.length} ${heightUnits}`}
        preserveAspectRatio="none"
        className="h-44 w-full border-b"
      >
        <title id={`${id}-title`}>{title}</title>
        <desc id={`${id}-description`}>{describe(days, measure, sum)}</desc>
        {[0.25, 0.5, 0.75].map(share => (
          <line
            key={share}
            x1={0}
            x2={days.length}
            y1={heightUnits * share}
            y2={heightUnits * share}
            strokeWidth={1}
            vectorEffect="non-scaling-stroke"
            className="stroke-line"
          />
        ))}
        {days.map(({ day, value }, index) => (
          <g key={day}>
            <title>{`${formatDay(day)}: ${measure.format(value)}`}</title>
            <rect x={index} y={0} width={1} height={heightUnits} className="fill-transparent" />
            <rect
              x={index + (1 - barWidth) / 2}
              width={barWidth}
              {...barOf(value, highest)}
              className="fill-accent"
            />
          </g>
        ))}
      </svg>
      <div aria-hidden className="flex justify-between text-[12px] text-muted">
        <span>{formatDay(first)}</span>
        <span>{formatDay(days[Math.floor(days.length / 2)]?.day ?? first)}</span>
        <span>{formatDay(last)}</span>
      </div>
    </figure>
  )
}

/** A little use is not the same as none. */
const leastUnits = 1.5

function barOf(value: number, highest: number): { y: number; height: number } {
  const height = value <= 0 ? 0 : Math.max(leastUnits, (value / highest) * heightUnits)
  return { y: heightUnits - height, height }
}

function describe(days: readonly Day[], measure: Measure, sum: number): string {
  const most = days.reduce<Day | undefined>(
    (best, one) => (best === undefined || one.value > best.value ? one : best),
    undefined,
  )
  if (most === undefined || most.value === 0) return 'Nothing was used in this time.'
  return `${measure.format(sum)} in all. The most was ${measure.format(most.value)} on ${formatDay(most.day)}. Each day is in the table below.`
}

/** What of a row of usage is looked at. */
type Measure = {
  value: 'requests' | 'tokens' | 'cost'
  label: string
  of: (row: UsageRow) => number
  format: (value: number) => string
}

export const measures: readonly [Measure, ...Measure[]] = [
  {
    value: 'requests',
    label: 'Requests',
    of: ({ requests }) => requests ?? 0,
    format: formatNumber,
  },
  {
    value: 'tokens',
    label: 'Tokens',
    of: ({ inputTokens, outputTokens }) => (inputTokens ?? 0) + (outputTokens ?? 0),
    format: formatNumber,
  },
  { value: 'cost', label: 'Cost', of: ({ costUsd }) => costUsd ?? 0, format: formatUsd },
]

/** The times that can be looked at, in days of UTC as the API counts them. */
export const ranges = [
  { value: '7', label: 'Last 7 days', days: 7 },
  { value: '30', label: 'Last 30 days', days: 30 },
  { value: '90', label: 'Last 90 days', days: 90 },
] as const

const dayMs = 86_400_000

export function lastDays(days: number, now: number): string[] {
  return Array.from({ length: days }, (_, index) =>
    new Date(now - (days - 1 - index) * dayMs).toISOString().slice(0, 'yyyy-mm-dd'.length),
  )
}

const dayFormat = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** `21 Nov`. */
const formatDay = (day: string): string => dayFormat.format(new Date(`${day}T00:00:00Z`))
