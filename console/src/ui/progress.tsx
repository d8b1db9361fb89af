/** How far something has come. */
import { classNames } from './class-names.ts'

type ProgressProps = {
  /** What it is the progress of; read out. */
  label: string
  /** From 0 to 1; null if unknown. */
  value: number | null
}

export function Progress({ label, value }: ProgressProps) {
  const percent = value === null ? null : Math.round(Math.min(1, Math.max(0, value)) * 100)
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(percent === null ? {} : { 'aria-valuenow': percent })}
      className="h-1.5 w-full overflow-hidden rounded-full bg-hover"
    >
      <div
        className={classNames(
          'h-full rounded-full bg-accent transition-[width]',
          percent === null && 'w-full animate-pulse',
        )}
        {...(percent === null ? {} : { style: { width: `${percent}%` } })}
      />
    </div>
  )
}
