/** What stands where something is not there yet. */
import { classNames } from './class-names.ts'

export function Spinner({ size = 16 }: { size?: number }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 24 24" width={size} height={size} className="animate-spin">
      <circle cx="12" cy="12" r="9" fill="none" stroke="currentColor" strokeWidth="3" opacity="0.25" />
      <path
        d="M21 12a9 9 0 0 0-9-9"
        fill="none"
        stroke="currentColor"
        strokeWidth="3"
        strokeLinecap="round"
      />
    </svg>
  )
}

/** A grey shape of the size of what will be there; give it height and width by classes. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={classNames('animate-pulse rounded-sm bg-hover', className)} />
}

/** A whole area that is being loaded; says so to those who do not see it. */
export function Loading({ what = 'Loading' }: { what?: string }) {
  return (
    <div role="status" className="flex flex-col gap-4 py-2">
      <span className="sr-only">{what}…</span>
      <Skeleton className="h-6 w-48" />
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-24 w-full" />
    </div>
  )
}

type ProgressProps = {
  /** What it is the progress of; read out. */
  label: string
  /** From 0 to 1; null if unknown. */
  value: number | null
}

/** How far something has come. */
export function Progress({ label, value }: ProgressProps) {
  const percent = value === null ? null : Math.round(Math.min(1, Math.max(0, value)) * 100)
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent ?? undefined}
      className="h-1.5 w-full overflow-hidden rounded-full bg-hover"
    >
      <div
        className={classNames(
          'h-full rounded-full bg-accent transition-[width]',
          percent === null && 'w-full animate-pulse',
        )}
        style={percent === null ? undefined : { width: `${percent}%` }}
      />
    </div>
  )
}
