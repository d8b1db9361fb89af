/** What of a row of usage is looked at. */
import type { UsageRow } from '@atrium/sdk'
import { formatNumber, formatUsd } from '../../ui/format.ts'

export type Measure = {
  value: 'requests' | 'tokens' | 'cost'
  label: string
  of: (row: UsageRow) => number
  format: (value: number) => string
}

export const measures: readonly [Measure, ...Measure[]] = [
  {
    value: 'requests',
    label: 'Requests',
    of: ({ requests }) => requests ?? 0,
    format: formatNumber,
  },
  {
    value: 'tokens',
    label: 'Tokens',
    of: ({ inputTokens, outputTokens }) => (inputTokens ?? 0) + (outputTokens ?? 0),
    format: formatNumber,
  },
  { value: 'cost', label: 'Cost', of: ({ costUsd }) => costUsd ?? 0, format: formatUsd },
]
