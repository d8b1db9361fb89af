/** The limits of a plan with what is used of each. */
import type { Usage } from '@atrium/sdk'
import { classNames } from './class-names.ts'
import { formatBytes, formatNumber } from './format.ts'

export function PlanLimits({ usage }: { usage: Usage }) {
  const { requestsPerMinute, storageBytes, uploadBytes, members, runsAtOnce } = usage
  return (
    <div className="flex flex-col gap-4">
      <LimitBar label="Members and pending invitations" {...members} format={formatNumber} />
      <LimitBar label="Storage" {...storageBytes} used={storageBytes.used ?? 0} format={formatBytes} />
      <LimitBar label="Runs at once" {...runsAtOnce} used={runsAtOnce.used ?? 0} format={formatNumber} />
      <LimitBar label="Requests this minute" {...requestsPerMinute} format={formatNumber} />
      <p className="text-[13px] text-muted">The largest file may have {formatBytes(uploadBytes.limit)}.</p>
    </div>
  )
}

type LimitBarProps = { label: string; used: number; limit: number; format: (value: number) => string }

const nearlyUsed = 0.8

/** How much of a limit is used: in words, and as a bar that turns as the end comes near. */
export function LimitBar({ label, used, limit, format }: LimitBarProps) {
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
