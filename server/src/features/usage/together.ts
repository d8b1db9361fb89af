/** The use of a whole workspace: the sums of its days, put together by day, by month or over all of them. */
import type { DaySums, Sums } from './history-store.ts'
import type { Interval, UsageRow } from './schemas.ts'

/** There are figures of runs for every subject that is asked for. */
type Together = UsageRow & Record<keyof Omit<Sums, 'requests'>, number> & { requests: number }

/** Newest period first. Requests are those of `actors`, runs those of `agents`, documents those of `collections`. */
export function togetherBy(
  interval: Interval,
  span: string,
  { actors, agents, collections }: Record<'actors' | 'agents' | 'collections', readonly DaySums[]>,
): UsageRow[] {
  const rows = new Map<string, Together>()
  const rowOf = (day: string): Together => {
    const period = periodOf[interval](day, span)
    const row = rows.get(period) ?? empty(period)
    rows.set(period, row)
    return row
  }
  for (const { day, requests } of actors) rowOf(day).requests += requests
  for (const { day, ...used } of agents) {
    const row = rowOf(day)
    row.runs += used.runs
    row.unpricedRuns += used.unpricedRuns
    row.inputTokens += used.inputTokens
    row.outputTokens += used.outputTokens
    row.costUsd += used.costUsd
  }
  // In the order of the days: what is stored at the end of a period is what its last day says.
  for (const { day, documents, storedBytes } of collections) {
    const row = rowOf(day)
    row.documents = documents ?? row.documents
    row.storageBytes = storedBytes ?? row.storageBytes
  }
  return [...rows.values()].sort((one, other) => (one.period < other.period ? 1 : -1))
}

const periodOf: Readonly<Record<Interval, (day: string, span: string) => string>> = {
  day: day => day,
  month: day => day.slice(0, 7),
  total: (_day, span) => span,
}

const empty = (period: string): Together => ({
  period,
  subject: null,
  requests: 0,
  runs: 0,
  unpricedRuns: 0,
  inputTokens: 0,
  outputTokens: 0,
  costUsd: 0,
  documents: null,
  storageBytes: null,
})
