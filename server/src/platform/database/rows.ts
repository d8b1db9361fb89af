/** How stores insert, count, change and delete the rows of any table. */
import {
  CompiledQuery,
  type Insertable,
  type Selectable,
  type SelectQueryBuilder,
  sql,
  type Updateable,
} from 'kysely'
import type { Scope } from '../caller.ts'
import type { Tx } from './database.ts'
import type { Tables } from './tables.ts'

/** The number of rows of the query, whatever columns it selects. */
export async function countOf<DB, TB extends keyof DB>(
  rows: SelectQueryBuilder<DB, TB, unknown>,
): Promise<number> {
  const counted = await rows.clearSelect().select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
  return (counted as { count: number }).count
}

/** The tables whose rows have an id and belong to a workspace. */
type OwnedTable = {
  [Name in keyof Tables]: Tables[Name] extends { id: unknown; workspace_id: unknown } ? Name : never
}[keyof Tables]

type Owner = Pick<Scope, 'workspaceId'>
type Change<Table extends OwnedTable> = Updateable<Tables[Table]>

/** Changes a row that the caller has found in its scope. */
export const updates =
  <Table extends OwnedTable>(table: Table) =>
  async (owner: Owner, tx: Tx, id: string, change: Change<Table>): Promise<void> => {
    await updateOf(table, owner, tx, id).set(change).execute()
  }

/** Like `updates`, and raises the row's revision by 1. */
export const revises =
  <Table extends OwnedTable>(table: Table) =>
  async (owner: Owner, tx: Tx, id: string, change: Change<Table>): Promise<void> => {
    await revisionOf(table, owner, tx, id, change).execute()
  }

/** Like `revises`, and returns the changed row. */
export const revisesRow =
  <Table extends OwnedTable>(table: Table) =>
  async (owner: Owner, tx: Tx, id: string, change: Change<Table>): Promise<Selectable<Tables[Table]>> => {
    const revised = revisionOf(table, owner, tx, id, change).returningAll()
    return (await revised.executeTakeFirstOrThrow()) as unknown as Selectable<Tables[Table]>
  }

/** Deletes a row that the caller has found in its scope. */
export const deletes =
  (table: OwnedTable) =>
  async ({ workspaceId }: Owner, tx: Tx, id: string): Promise<void> => {
    const rows = tx.deleteFrom(table as 'agents')
    await rows.where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
  }

const revisionOf = (table: OwnedTable, owner: Owner, tx: Tx, id: string, change: object) =>
  updateOf(table, owner, tx, id).set(({ eb }) => ({ ...change, revision: eb('revision', '+', 1) }))

/** Kysely is given the name of one table, since the columns that are named here are the same in all of them. */
const updateOf = (table: OwnedTable, { workspaceId }: Owner, tx: Tx, id: string) =>
  tx
    .updateTable(table as 'agents')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)

// The texts of inserts are made once: building and compiling one costs more than running it.

type Row = Readonly<Record<string, unknown>>
/** The texts of an insert by engine, for a table, its columns and a number of rows. */
type Shape = { columns: readonly string[]; texts: WeakMap<object, string> }

/** Larger inserts are rare, and each number of rows would need its own text. */
const maxRowsOfOneText = 8

/** Each caller always names the same columns, so the shapes are few. */
const known = new Map<string, Shape>()

/** Inserts up to 8 rows with each statement: few rows cost PostgreSQL one round trip. Does nothing without rows. */
export async function insertRows<Table extends keyof Tables>(
  tx: Tx,
  table: Table,
  rows: readonly Insertable<Tables[Table]>[],
): Promise<void> {
  for (let begin = 0; begin < rows.length; begin += maxRowsOfOneText) {
    await insertSome(tx, table, rows.slice(begin, begin + maxRowsOfOneText) as Row[])
  }
}

export const insertRow = <Table extends keyof Tables>(tx: Tx, table: Table, row: Insertable<Tables[Table]>) =>
  insertRows(tx, table, [row])

/** Makes a store's function that inserts a row of its table. The row's columns hold the scope. */
export const inserts =
  <Table extends keyof Tables>(table: Table) =>
  (_scope: Scope, tx: Tx, row: Insertable<Tables[Table]>): Promise<void> =>
    insertRow(tx, table, row)

async function insertSome(tx: Tx, table: keyof Tables, rows: readonly Row[]): Promise<void> {
  const [first = {}] = rows
  const columns = Object.keys(first).filter(column => first[column] !== undefined)
  const name = `${table} ${columns.join()} ${rows.length}`
  let shape = known.get(name)
  if (shape === undefined) {
    shape = { columns, texts: new WeakMap() }
    known.set(name, shape)
  }
  const values: unknown[] = []
  for (const row of rows) {
    if (row !== first) checkColumns(table, first, row)
    for (const column of shape.columns) values.push(row[column])
  }
  await tx.executeQuery(CompiledQuery.raw(textOf(tx, table, shape, rows.length), values))
}

/** A column that the first row does not name would be left out of all rows. */
function checkColumns(table: string, first: Row, row: Row): void {
  for (const column in row) {
    if (row[column] !== undefined && first[column] === undefined) {
      throw new Error(`Rows of ${table} that are inserted together must name the same columns`)
    }
  }
}

/** The parameters of the text are the values of the rows, each row in the order of the columns. */
function textOf(tx: Tx, table: keyof Tables, { columns, texts }: Shape, count: number): string {
  const engine = tx.getExecutor().adapter
  const made = texts.get(engine)
  if (made !== undefined) return made
  const row = Object.fromEntries(columns.map(column => [column, column]))
  // The columns are those of the caller's rows, which belong to this table.
  const { sql } = tx
    .insertInto(table)
    .values(Array(count).fill(row) as never)
    .compile()
  texts.set(engine, sql)
  return sql
}
