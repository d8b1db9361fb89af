/** Reads the schema of a database back, in words that are the same for both engines. */
import { sql } from 'kysely'
import type { Database, Query } from '../platform/database/database.ts'

export type Table = { columns: string[]; primaryKey: string; indexes: string[]; foreignKeys: string[] }
export type Schema = Record<string, Table>

/** Without SQLite's full-text tables, which PostgreSQL builds otherwise. */
export const readSchema = ({ engine, read }: Database): Promise<Schema> =>
  engine === 'sqlite' ? readSqlite(read) : readPostgres(read)

/** SQLite's full-text tables; PostgreSQL builds the tables of the same names otherwise. */
export async function virtualTables(query: Query): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM pragma_table_list WHERE type = 'virtual'`.execute(query)
  return rows.map(row => row.name)
}

async function readSqlite(query: Query): Promise<Schema> {
  const { rows: tables } = await sql<{ name: string }>`
    SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main' AND name NOT LIKE 'sqlite_%'
  `.execute(query)
  const schema: Schema = {}
  for (const { name } of tables) {
    const columns = await sql<{ name: string; type: string; notnull: number; pk: number }>`
      SELECT name, type, "notnull", pk FROM pragma_table_info(${name})`.execute(query)
    const keys = columns.rows.filter(column => column.pk > 0).toSorted((one, other) => one.pk - other.pk)
    const foreign = await sql<{ column: string; table: string; rule: string }>`
      SELECT "from" AS "column", "table", on_delete AS rule FROM pragma_foreign_key_list(${name})`.execute(
      query,
    )
    schema[name] = {
      columns: columns.rows
        .map(column => columnLine(column.name, column.type, column.notnull === 1 || column.pk > 0))
        .sort(),
      primaryKey: keys.map(column => column.name).join(', '),
      indexes: await readSqliteIndexes(query, name),
      foreignKeys: foreign.rows.map(key => `${key.column} → ${key.table}, ${key.rule.toLowerCase()}`).sort(),
    }
  }
  return schema
}

async function readSqliteIndexes(query: Query, table: string): Promise<string[]> {
  const { rows } = await sql<{ unique: number; columns: string; text: string | null }>`
    SELECT list."unique", schema.sql AS text,
      (SELECT group_concat(name, ', ') FROM (SELECT name FROM pragma_index_info(list.name) ORDER BY seqno)) AS columns
    FROM pragma_index_list(${table}) AS list LEFT JOIN sqlite_schema AS schema ON schema.name = list.name
    WHERE list.origin <> 'pk'`.execute(query)
  return rows
    .map(row => indexLine(row.unique === 1, row.columns, row.text?.split(/\bWHERE\b/i)[1] ?? null))
    .sort()
}

async function readPostgres(query: Query): Promise<Schema> {
  const { rows: columns } = await sql<{ table: string; name: string; type: string; nullable: string }>`
    SELECT table_name AS "table", column_name AS name, data_type AS type, is_nullable AS nullable
    FROM information_schema.columns WHERE table_schema = 'public' AND data_type <> 'tsvector'`.execute(query)
  const { rows: indexes } = await sql<PostgresIndex>`
    SELECT relation.relname AS "table", indisunique AS "unique", indisprimary AS "primary",
      pg_get_expr(indpred, indrelid) AS predicate,
      (SELECT string_agg(pg_get_indexdef(indexrelid, position, true), ', ' ORDER BY position)
        FROM generate_series(1, indnkeyatts) AS position) AS columns
    FROM pg_index
    JOIN pg_class AS relation ON relation.oid = indrelid
    JOIN pg_class AS index ON index.oid = indexrelid
    JOIN pg_am ON pg_am.oid = index.relam AND amname = 'btree'
    WHERE relation.relnamespace = 'public'::regnamespace`.execute(query)
  const { rows: foreign } = await sql<{ table: string; column: string; target: string; rule: string }>`
    SELECT conrelid::regclass::text AS "table", attname AS "column", confrelid::regclass::text AS target,
      CASE confdeltype WHEN 'c' THEN 'cascade' WHEN 'n' THEN 'set null' WHEN 'r' THEN 'restrict' ELSE 'no action' END
        AS rule
    FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1] WHERE contype = 'f'
  `.execute(query)
  const schema: Schema = {}
  for (const table of new Set(columns.map(column => column.table))) {
    const own = indexes.filter(index => index.table === table)
    schema[table] = {
      columns: columns
        .filter(column => column.table === table)
        .map(column => columnLine(column.name, column.type, column.nullable === 'NO'))
        .sort(),
      primaryKey: own.find(index => index.primary)?.columns.replaceAll('"', '') ?? '',
      indexes: own
        .filter(index => !index.primary)
        .map(index => indexLine(index.unique, index.columns, index.predicate))
        .sort(),
      foreignKeys: foreign
        .filter(key => key.table === table)
        .map(key => `${key.column} → ${key.target}, ${key.rule}`)
        .sort(),
    }
  }
  return schema
}

type PostgresIndex = {
  table: string
  unique: boolean
  primary: boolean
  predicate: string | null
  columns: string
}

const sameType: Record<string, string> = { bigint: 'integer', 'double precision': 'real', bytea: 'blob' }

const columnLine = (name: string, type: string, required: boolean): string =>
  `${name} ${sameType[type] ?? type.toLowerCase()}${required ? ' not null' : ''}`

const indexLine = (unique: boolean, columns: string, predicate: string | null): string => {
  // Each engine writes a condition down in its own manner.
  const condition = predicate
    ?.toLowerCase()
    .replaceAll(/::text|[()]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return `${unique ? 'unique ' : ''}(${columns.replaceAll('"', '')})${condition ? ` where ${condition}` : ''}`
}
