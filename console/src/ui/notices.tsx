/** What went well, what to mind, what failed, and in each case what to do next. */
import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { explain, isToldBeside } from '../api/explain-error.ts'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'

type Tone = 'info' | 'good' | 'warn' | 'danger'

const looks = {
  info: { icon: Info, box: 'border-line bg-sunken', mark: 'text-accent-text' },
  good: { icon: CircleCheck, box: 'border-good-line bg-good-soft', mark: 'text-good-text' },
  warn: { icon: TriangleAlert, box: 'border-warn-line bg-warn-soft', mark: 'text-warn-text' },
  danger: { icon: CircleAlert, box: 'border-danger-line bg-danger-soft', mark: 'text-danger-text' },
} as const

type NoticeProps = { tone?: Tone; title?: string; children?: ReactNode; action?: ReactNode }

export function Notice({ tone = 'info', title, children, action }: NoticeProps) {
  const { icon: Shape, box, mark } = looks[tone]
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'note'}
      className={classNames('flex gap-3 rounded-md border p-3', box)}
    >
      <Shape aria-hidden size={18} className={classNames('mt-px shrink-0', mark)} />
      <div className="flex min-w-0 flex-1 flex-col items-start gap-1 break-words">
        {title !== undefined && (
          <p dir="auto" className="font-medium">
            {title}
          </p>
        )}
        {children !== undefined && <div className="max-w-full text-ink">{children}</div>}
        {action !== undefined && <div className="mt-1.5">{action}</div>}
      </div>
    </div>
  )
}

type ErrorNoticeProps = {
  /** Null if nothing failed: then nothing is shown. */
  error: unknown
  onRetry?: () => void
  /** Fields whose faults stand beside their inputs; an error of only these is not said twice. */
  beside?: readonly string[] | undefined
}

/** Says what failed, what to do about it, and what to quote when asking for help. */
export function ErrorNotice({ error, onRetry, beside = [] }: ErrorNoticeProps) {
  if (error === null || isToldBeside(beside, error)) return null
  const { title, remedy, fields, requestId } = explain(error)
  const retry = onRetry && (
    <Button size="small" onClick={onRetry}>
      Try again
    </Button>
  )
  return (
    <Notice tone="danger" title={title} action={retry}>
      {fields.length > 0 && (
        <ul className="list-disc pl-4">
          {fields.map(({ field, message }) => (
            <li key={field + message}>
              <span className="font-mono text-[13px]">{field}</span> {message}
            </li>
          ))}
        </ul>
      )}
      <p>{remedy}</p>
      {requestId !== null && (
        <p className="mt-1 text-[13px] text-muted">
          Request <span className="font-mono break-all">{requestId}</span>
        </p>
      )}
    </Notice>
  )
}

type EmptyStateProps = {
  icon: LucideIcon
  title: string
  /** What it is for and what one does with it, in a sentence or two. */
  children: ReactNode
  /** The first step. */
  action?: ReactNode
}

/** Where there is nothing yet: what this is for, and the first step. */
export function EmptyState({ icon: Shape, title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-3 rounded-lg border border-dashed px-6 py-12 text-center">
      <span className="flex size-11 items-center justify-center rounded-full bg-accent-soft text-accent-text">
        <Shape aria-hidden size={20} />
      </span>
      <h2 dir="auto" className="text-base font-semibold">
        {title}
      </h2>
      <div className="max-w-[56ch] text-balance text-muted">{children}</div>
      {action !== undefined && <div className="mt-2 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}
