/** Which rows are a workspace's, table by table, in an order in which they can go a few at a time. */
import { sql } from 'kysely'
import type { Tx } from './platform/database/database.ts'
import type { Tables } from './platform/database/tables.ts'

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

/** What refers to collections and documents. Children with many rows go before what would take them along at once. */
export const firstSlices: readonly Slice[] = [
  // Reached by their agents, since no index leads from a workspace to all of its runs.
  { table: 'runs', key: ['id'], of: { column: 'agent_id', parent: 'agents' }, rowsAtOnce: 20 },
  { table: 'conversations', key: ['id'], rowsAtOnce: 100 },
  { table: 'agents', key: ['id'], rowsAtOnce: 20 },
  { table: 'connection_items', key: ['connection_id', 'external_id'] },
  {
    table: 'connection_syncs',
    key: ['id'],
    of: { column: 'connection_id', parent: 'connections' },
  },
  { table: 'connections', key: ['id'] },
  {
    table: 'webhook_deliveries',
    key: ['id'],
    of: { column: 'webhook_id', parent: 'webhooks' },
    rowsAtOnce: 100,
  },
  { table: 'webhooks', key: ['id'] },
  { table: 'events', key: ['id'] },
  { table: 'usage_periods', key: ['environment', 'kind', 'period', 'subject_id'] },
]

/** What only the workspace itself still needs: nothing refers to it any more. */
export const lastSlices: readonly Slice[] = [
  { table: 'search_terms', key: ['index_number', 'term'], of: ofIndex() },
  { table: 'search_languages', key: ['index_number', 'language'], of: ofIndex() },
  { table: 'search_indexes', key: ['number'] },
  { table: 'embedding_usage', key: ['environment', 'model'] },
  { table: 'model_providers', key: ['id'] },
  { table: 'oauth_clients', key: ['workspace_id', 'integration_id'] },
  { table: 'invitations', key: ['id'] },
  { table: 'api_keys', key: ['id'] },
  { table: 'teams', key: ['id'] },
  { table: 'audit_log', key: ['id'] },
]

function ofIndex(): NonNullable<Slice['of']> {
  return { column: 'index_number', parent: 'search_indexes', parentKey: 'number' }
}

/** Answers how many rows it has deleted; 0 once there are none. */
export async function eraseSlice(
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
  // Within the workspace's rows again: a key such as a period is told apart from a neighbour's by that alone.
  const { numAffectedRows } = await sql`
    DELETE FROM ${sql.table(table)} WHERE ${belongs} AND (${columns}) IN (
      SELECT ${columns} FROM ${sql.table(table)} WHERE ${belongs} LIMIT ${rowsAtOnce}
    )`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
