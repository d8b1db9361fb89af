/** The limits of the plan with what is used of each, and the present month. */
import type { Usage } from '@atrium/sdk'
import { count, formatBytes, formatDate, formatNumber, formatUsd } from '../../ui/format.ts'
import { Card } from '../../ui/page.tsx'
import { LimitBar } from './limit-bar.tsx'

const monthName = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' })

export function Limits({ usage }: { usage: Usage }) {
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
