/** How much of a limit is used: in words, and as a bar that turns as the end comes near. */
import { classNames } from '../../ui/class-names.ts'

type Props = { label: string; used: number; limit: number; format: (value: number) => string }

const nearlyUsed = 0.8

export function LimitBar({ label, used, limit, format }: Props) {
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
