/** A list as a table; on narrow screens each row becomes a card with its columns named. */

import { Link } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Loaded, type LoadedProps } from '../api/loaded.tsx'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { formatBytes, formatNumber } from './format.ts'
import { Skeleton } from './waiting.tsx'

export type Column<Row> = {
  header: string
  /** The header is read out only, as that of a column of buttons. */
  headerHidden?: boolean
  align?: 'start' | 'end'
  /** Extra classes of its cells, such as a width. */
  className?: string
  cell: (row: Row) => ReactNode
}

/** The last column, of buttons and menus: on narrow screens they move to the corner of the card. */
export const actionsColumn = <Row,>(cell: Column<Row>['cell'], header = 'Actions'): Column<Row> => ({
  header,
  headerHidden: true,
  align: 'end',
  cell,
})

export const sizeColumn: Column<{ sizeBytes: number }> = {
  header: 'Size',
  align: 'end',
  className: 'sm:whitespace-nowrap',
  cell: ({ sizeBytes }) => formatBytes(sizeBytes),
}

type TableProps<Row> = {
  /** What the table lists; read out. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
}

/** The roles are written out, because a table that is laid out as cards loses them. */
export function Table<Row>({ caption, columns, rows, rowKey }: TableProps<Row>) {
  const [first, ...others] = columns
  return (
    <div className="overflow-hidden rounded-lg border bg-surface shadow-card">
      <table role="table" className="block w-full text-left sm:table">
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup" className="sr-only sm:not-sr-only sm:table-header-group">
          <tr role="row" className="border-b bg-sunken">
            {columns.map(({ header, headerHidden, align, className }) => (
              <th
                key={header}
                role="columnheader"
                scope="col"
                className={classNames(
                  'px-4 py-2 text-[13px] font-medium text-muted',
                  align === 'end' && 'text-right',
                  className,
                )}
              >
                {headerHidden === true ? <span className="sr-only">{header}</span> : header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="block sm:table-row-group">
          {rows.map(row => (
            <tr
              key={rowKey(row)}
              role="row"
              className="relative flex flex-col gap-1 border-b px-4 py-3 last:border-b-0 sm:table-row sm:p-0 sm:hover:bg-hover/50"
            >
              {first !== undefined && (
                <th
                  role="rowheader"
                  scope="row"
                  className={classNames(
                    'min-w-0 pr-10 text-left font-normal break-words sm:px-4 sm:py-3',
                    first.className,
                  )}
                >
                  {first.cell(row)}
                </th>
              )}
              {others.map(column => (
                <Cell key={column.header} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A column with a hidden header holds the row's menu: on a card it moves to the corner. */
function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const { header, headerHidden = false, align, className, cell } = column
  return (
    <td
      role="cell"
      className={classNames(
        'min-w-0 gap-3 break-words sm:table-cell sm:px-4 sm:py-3',
        headerHidden ? 'absolute top-2 right-2 sm:static' : 'flex items-baseline justify-between',
        align === 'end' && 'sm:text-right',
        className,
      )}
    >
      {!headerHidden && (
        <span aria-hidden className="shrink-0 text-[13px] text-muted sm:hidden">
          {header}
        </span>
      )}
      {cell(row)}
    </td>
  )
}

export function TableSkeleton({ rows = 5 }: { rows?: number | undefined }) {
  return (
    <div role="status" className="overflow-hidden rounded-lg border bg-surface shadow-card">
      <span className="sr-only">Loading the list…</span>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: grey bars have nothing else to be told apart by.
        <div key={index} className="flex items-center gap-6 border-b px-4 py-3.5 last:border-b-0">
          <Skeleton className="h-4 w-1/3" />
          <Skeleton className="h-4 w-1/5" />
          <Skeleton className="ml-auto h-4 w-16" />
        </div>
      ))}
    </div>
  )
}

type RecordNameProps = {
  /** The page of the record, where it has one. */
  to?: string
  name: string
  /** A line or two below the name, such as its description. */
  below?: ReactNode
}

/** The first cell of a row. */
export function RecordName({ to, name, below }: RecordNameProps) {
  return (
    <>
      {to === undefined ? (
        <span dir="auto" className="block font-medium [overflow-wrap:anywhere]">
          {name}
        </span>
      ) : (
        <Link to={to} className="font-medium [overflow-wrap:anywhere] text-accent-text hover:underline">
          {name}
        </Link>
      )}
      {below != null && below !== '' && (
        <span dir="auto" className="line-clamp-2 text-[13px] [overflow-wrap:anywhere] text-muted">
          {below}
        </span>
      )}
    </>
  )
}

type Paging = { page: number; pageSize: number; setPage: (page: number) => void }

/** Which part of a list is shown, and the way to the others; nothing where one page holds all. */
export function Pager({ of: { page, pageSize, setPage }, total }: { of: Paging; total: number }) {
  if (total <= pageSize && page === 1) return null
  const first = Math.min(total, (page - 1) * pageSize + 1)
  const last = Math.min(total, page * pageSize)
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center justify-between gap-3">
      <p className="text-muted">
        {formatNumber(first)}–{formatNumber(last)} of {formatNumber(total)}
      </p>
      <div className="flex gap-2">
        <Button size="small" icon={ChevronLeft} disabled={page <= 1} onClick={() => setPage(page - 1)}>
          Previous
        </Button>
        <Button size="small" disabled={last >= total} onClick={() => setPage(page + 1)}>
          Next
          <ChevronRight aria-hidden size={16} />
        </Button>
      </div>
    </nav>
  )
}

type PagedTableProps<Row> = {
  /** Of `usePagedQuery`. */
  query: LoadedProps<{ items: readonly Row[]; total: number }>['query'] & Paging
  caption: string
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string
  /** Stands there where the list has nothing. */
  empty?: ReactNode
  /** How many grey rows stand there until the list is read. */
  waitingRows?: number
}

/** One page of a list, from waiting for it to the way to the others. */
export function PagedTable<Row>({ query, empty, waitingRows, ...table }: PagedTableProps<Row>) {
  return (
    <Loaded query={query} waiting={<TableSkeleton rows={waitingRows} />}>
      {({ items, total }) =>
        total === 0 && empty !== undefined ? (
          empty
        ) : (
          <div className="flex min-w-0 flex-col gap-4">
            <Table {...table} rows={items} />
            <Pager of={query} total={total} />
          </div>
        )
      }
    </Loaded>
  )
}
