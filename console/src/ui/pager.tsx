/** Which part of a list is shown, and the way to the others. */
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Button } from './button.tsx'
import { formatNumber } from './format.ts'

type PagerProps = {
  page: number
  pageSize: number
  total: number
  onPage: (page: number) => void
}

/** Nothing where one page holds all. */
export function Pager({ page, pageSize, total, onPage }: PagerProps) {
  if (total <= pageSize && page === 1) return null
  const first = Math.min(total, (page - 1) * pageSize + 1)
  const last = Math.min(total, page * pageSize)
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center justify-between gap-3">
      <p className="text-muted">
        {formatNumber(first)}–{formatNumber(last)} of {formatNumber(total)}
      </p>
      <div className="flex gap-2">
        <Button size="small" icon={ChevronLeft} disabled={page <= 1} onClick={() => onPage(page - 1)}>
          Previous
        </Button>
        <Button size="small" disabled={last >= total} onClick={() => onPage(page + 1)}>
          Next
          <ChevronRight aria-hidden size={16} />
        </Button>
      </div>
    </nav>
  )
}
