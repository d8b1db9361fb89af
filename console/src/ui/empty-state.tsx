/** Where there is nothing yet: what this is for, and the first step. */
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

type EmptyStateProps = {
  icon: LucideIcon
  title: string
  /** What it is for and what one does with it, in a sentence or two. */
  children: ReactNode
  /** The first step. */
  action?: ReactNode
}

export function EmptyState({ icon: Shape, title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-3 rounded-lg border border-dashed px-6 py-12 text-center">
      <span className="flex size-11 items-center justify-center rounded-full bg-accent-soft text-accent-text">
        <Shape aria-hidden size={20} />
      </span>
      <h2 dir="auto" className="text-base font-semibold">
        {title}
      </h2>
      <div className="max-w-[56ch] text-muted">{children}</div>
      {action !== undefined && <div className="mt-2 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}
