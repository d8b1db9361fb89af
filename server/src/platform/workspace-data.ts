/** What each feature stores for a workspace, table by table, so that it can be erased. */
import { sql } from 'kysely'
import type { Tx } from './database/database.ts'
import type { Tables } from './database/tables.ts'
import type { Job } from './jobs/job.ts'

export type WorkspaceData = {
  /** Erases what has files or an index behind it. Runs before the slices. */
  erase?(job: ErasureJob): Promise<void>
  /** In the order of deletion: children with many rows come before rows that would delete them all at once. */
  slices: readonly Slice[]
  /** Runs in the transaction that ends the erasure. */
  afterwards?(tx: Tx): Promise<void>
}

export type ErasureJob = Job<{ workspaceId: string }>

/** Rows of one table that belong to a workspace, by their own column or by the column of a parent row. */
export type Slice = {
  table: keyof Tables
  /** The columns that identify a row. */
  key: readonly string[]
  /** The column that holds an id of `parent`. Without it, the table's own `workspace_id` is used. */
  of?: { column: string; parent: keyof Tables; parentKey?: string }
  /** Fewer than usual, if each row takes many others along. */
  rowsAtOnce?: number
}

const usualRowsAtOnce = 500

/** Erases the workspace's rows of the slices. Returns how many rows there were. */
export async function eraseSlices(slices: readonly Slice[], job: ErasureJob): Promise<number> {
  const { workspaceId } = job.payload
  let rows = 0
  for (const slice of slices) {
    const erase = () => job.write(tx => eraseSlice(tx, slice, workspaceId))
    for (let erased = await erase(); erased > 0; erased = await erase()) {
      rows += erased
      job.signal.throwIfAborted()
    }
  }
  return rows
}

/** Returns how many rows it has deleted; 0 once there are none. */
async function eraseSlice(
  tx: Tx,
  { table, key, of, rowsAtOnce = usualRowsAtOnce }: Slice,
  workspaceId: string,
): Promise<number> {
  const columns = sql.join(key.map(column => sql.ref(column)))
  const own = sql`workspace_id = ${workspaceId}`
  const belongs =
    of === undefined
      ? own
      : sql`${sql.ref(of.column)} IN (
          SELECT ${sql.ref(of.parentKey ?? 'id')} FROM ${sql.table(of.parent)} WHERE ${own}
        )`
  // Limited to the workspace's rows again: a key such as a period may also occur in another workspace.
  const { numAffectedRows } = await sql`
    DELETE FROM ${sql.table(table)} WHERE ${belongs} AND (${columns}) IN (
      SELECT ${columns} FROM ${sql.table(table)} WHERE ${belongs} LIMIT ${rowsAtOnce}
    )`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
