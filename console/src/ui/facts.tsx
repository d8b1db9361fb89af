/** What is known of a record: names with their values. */
import type { ReactNode } from 'react'

const looks = {
  /** Side by side, each value below its name. */
  grid: 'grid gap-x-8 gap-y-4 sm:grid-cols-2 lg:grid-cols-4',
  /** Below each other, each value below its name. */
  column: 'flex flex-col gap-3',
  /** Below each other, each value at the end of its line. */
  lines: 'flex flex-col gap-2.5',
}

type FactsProps = { facts: readonly { name: string; value: ReactNode }[]; look?: keyof typeof looks }

/** A fact without a value is left out. */
export function Facts({ facts, look = 'grid' }: FactsProps) {
  const isLine = look === 'lines'
  return (
    <dl className={looks[look]}>
      {facts
        .filter(({ value }) => value != null)
        .map(({ name, value }) => (
          <div
            key={name}
            className={isLine ? 'flex flex-wrap items-baseline justify-between gap-x-4' : 'min-w-0'}
          >
            <dt className={isLine ? 'shrink-0 text-muted' : 'text-[13px] text-muted'}>{name}</dt>
            <dd dir="auto" className={isLine ? 'min-w-0 [overflow-wrap:anywhere]' : 'mt-1 break-words'}>
              {value}
            </dd>
          </div>
        ))}
    </dl>
  )
}
