/** Runs with what belongs to them, read together. */
import type { Query } from '../../../platform/database/database.ts'
import { type KeptCallRow, pendingOfRoots } from './kept-calls-store.ts'
import type { RunRecord } from './run-present.ts'
import { type RunRow, stepsOf } from './run-store.ts'
import { fromRow } from './steps.ts'

/** In the order of the rows, which the caller has read within its scope. */
export async function recordsOf(query: Query, rows: readonly RunRow[]): Promise<RunRecord[]> {
  const steps = await stepsOf(
    query,
    rows.map(({ id }) => id),
  )
  const byRun = Map.groupBy(steps, step => step.run_id)
  const waiting = rows.filter(({ status }) => status === 'waiting').map(rootOf)
  const pending = waiting.length === 0 ? [] : await pendingOfRoots(query, waiting)
  return rows.map(row => ({
    row,
    steps: (byRun.get(row.id) ?? []).map(fromRow),
    pending: row.status === 'waiting' ? pending.filter(call => concerns(row, call)) : [],
  }))
}

export async function recordOf(query: Query, row: RunRow): Promise<RunRecord> {
  const [record] = await recordsOf(query, [row])
  return record ?? { row, steps: [], pending: [] }
}

const rootOf = ({ id, root_run_id: root }: RunRow): string => root ?? id

/** The run at the head waits for whatever its parts wait for. */
const concerns = (row: RunRow, call: KeptCallRow): boolean =>
  row.parent_run_id === null ? call.root_run_id === row.id : call.run_id === row.id
