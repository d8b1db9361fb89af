/** Every row of a database, and which of them a limited caller may change. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Engine, Query } from '../../platform/database/database.ts'

type Row = Readonly<Record<string, unknown>>
/** The rows of each table by their text; two that are alike count as two. */
export type Dump = ReadonlyMap<string, ReadonlyMap<string, { row: Row; count: number }>>

/** Work and its traces, and the search index, which is made of the chunks of all collections together. */
const bookkeeping = ['jobs', 'nodes', 'schedules', 'meta', 'idempotency', 'embedding_usage', 'usage_periods']
const isBookkeeping = (table: string): boolean => bookkeeping.includes(table) || table.startsWith('search_')

/** Columns that tell of the use of a row, and so change without a change of the row. */
const uses: Record<string, readonly string[]> = {
  api_keys: ['last_used_at', 'last_used_address'],
  members: ['last_active_at'],
  agents: ['run_count', 'conversation_count', 'run_bytes'],
}

export async function dumpOf({ engine, read }: Database): Promise<Dump> {
  const names =
    engine === 'sqlite'
      ? sql<{
          name: string
        }>`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`
      : sql<{ name: string }>`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`
  const tables = (await names.execute(read)).rows.map(({ name }) => name)
  const dump = new Map<string, Map<string, { row: Row; count: number }>>()
  for (const table of tables.filter(name => !isBookkeeping(name))) {
    const rows = await rowsOf(read, engine, table)
    const texts = new Map<string, { row: Row; count: number }>()
    for (const whole of rows) {
      const unused = Object.entries(whole).filter(([column]) => uses[table]?.includes(column) !== true)
      const row = Object.fromEntries(unused)
      const text = JSON.stringify(row, plain)
      texts.set(text, { row, count: (texts.get(text)?.count ?? 0) + 1 })
    }
    dump.set(table, texts)
  }
  return dump
}

/** SQLite's numbers may be larger than those of JavaScript, which the driver refuses. */
async function rowsOf(query: Query, engine: Engine, table: string): Promise<readonly Row[]> {
  if (engine === 'postgres') return (await sql<Row>`SELECT * FROM ${sql.table(table)}`.execute(query)).rows
  const columns = await sql<{ name: string }>`SELECT name FROM pragma_table_info(${table})`.execute(query)
  const selected = columns.rows.map(
    ({ name }) =>
      sql`CASE typeof(${sql.ref(name)}) WHEN 'integer' THEN CAST(${sql.ref(name)} AS TEXT) ELSE ${sql.ref(name)} END AS ${sql.ref(name)}`,
  )
  return (await sql<Row>`SELECT ${sql.join(selected)} FROM ${sql.table(table)}`.execute(query)).rows
}

const plain = (_: string, value: unknown): unknown => {
  if (typeof value === 'bigint') return String(value)
  if (!ArrayBuffer.isView(value)) return value
  return createHash('sha256')
    .update(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
    .digest('hex')
}

export type Difference = { table: string; text: string; row: Row }

/** The rows of `one` that `other` lacks; a changed row is in both differences. */
export function without(one: Dump, other: Dump): Difference[] {
  return [...one].flatMap(([table, rows]) =>
    [...rows]
      .filter(([text, { count }]) => (other.get(table)?.get(text)?.count ?? 0) < count)
      .map(([text, { row }]) => ({ table, text, row })),
  )
}

/** Belongs to the workspace, or to people: no narrowed caller changes any of it. */
export const wholeTables: readonly string[] = [
  ...['workspaces', 'users', 'members', 'teams', 'team_members', 'invitations', 'accounts', 'sessions'],
  ...[
    'model_providers',
    'learned_fields',
    'oauth_clients',
    'callback_secrets',
    'api_keys',
    'api_key_secrets',
    'webhooks',
  ],
]

export const ofRunTables: readonly string[] = [
  ...['runs', 'run_steps', 'run_events', 'run_tool_calls', 'run_documents', 'run_connections'],
  ...['conversations', 'conversation_teams', 'conversation_openings', 'openai_conversations'],
]

/**
 * The ids of what lies below the roots, with the roots: rows name what they belong to in a column of its own. Rows of
 * the tables `except` are passed over.
 */
export function below(dump: Dump, roots: Iterable<string>, except: readonly string[]): Set<string> {
  const ids = new Set(roots)
  const rows = [...dump]
    .filter(([table]) => !except.includes(table))
    .flatMap(([, texts]) => [...texts.values()].map(({ row }) => row))
  for (let before = -1; before < ids.size; ) {
    before = ids.size
    for (const row of rows) if (typeof row.id === 'string' && names(row, ids)) ids.add(row.id)
  }
  return ids
}

/** Whether a column of the row holds one of the ids and nothing else. */
export const names = (row: Row, ids: ReadonlySet<string>): boolean =>
  Object.values(row).some(value => typeof value === 'string' && ids.has(value))
