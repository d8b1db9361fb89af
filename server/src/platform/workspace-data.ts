/** What each feature keeps of a workspace, table by table, for its erasure. */
import { sql } from 'kysely'
import type { Tx } from './database/database.ts'
import type { Tables } from './database/tables.ts'
import type { Job } from './jobs/job.ts'

export type WorkspaceData = {
  /** Erases what has files or an index behind it, before the slices. */
  erase?(job: ErasureJob): Promise<void>
  /** In the order in which they can go: children with many rows before the rows that would take them along at once. */
  slices: readonly Slice[]
  /** In the transaction that ends the erasure. */
  afterwards?(tx: Tx): Promise<void>
}

export type ErasureJob = Job<{ workspaceId: string }>

/** Rows of one table that belong to a workspace, by their own column or by that of a row which they belong to. */
export type Slice = {
  table: keyof Tables
  /** The columns that tell its rows apart. */
  key: readonly string[]
  /** The column that holds an id of `parent`; the table's own `workspace_id` where it is absent. */
  of?: { column: string; parent: keyof Tables; parentKey?: string }
  /** Fewer where each takes many others along. */
  rowsAtOnce?: number
}

const usualRowsAtOnce = 500

/** Erases the workspace's rows of the slices; returns how many they were. */
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
  // Within the workspace's rows again: only that separates a key such as a period from a neighbour's.
  const { numAffectedRows } = await sql`
    DELETE FROM ${sql.table(table)} WHERE ${belongs} AND (${columns}) IN (
      SELECT ${columns} FROM ${sql.table(table)} WHERE ${belongs} LIMIT ${rowsAtOnce}
    )`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
