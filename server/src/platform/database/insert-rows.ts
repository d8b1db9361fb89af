/** Inserts by texts that are made once: to build and compile one costs more than it takes to carry it out. */
import { CompiledQuery, type Insertable } from 'kysely'
import type { Scope } from '../caller.ts'
import type { Tx } from './database.ts'
import type { Tables } from './tables.ts'

type Row = Readonly<Record<string, unknown>>
/** The text of each engine for a table, its columns and a number of rows. */
type Shape = { columns: readonly string[]; texts: WeakMap<object, string> }

/** More at once are rare, and would make a text for each number of them. */
const maxRowsOfOneText = 8

/** Each caller always names the same columns, so the shapes are few. */
const known = new Map<string, Shape>()

/** All in one statement, which costs PostgreSQL one round trip; nothing where there are none. */
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

/** What a store names to insert a row of its table, whose columns hold the scope. */
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

/** What the first row does not name would be left out of all of them. */
function checkColumns(table: string, first: Row, row: Row): void {
  for (const column in row) {
    if (row[column] !== undefined && first[column] === undefined) {
      throw new Error(`Rows of ${table} that are inserted together must name the same columns`)
    }
  }
}

/** Its parameters are the values of the rows, each in the order of the columns. */
function textOf(tx: Tx, table: keyof Tables, { columns, texts }: Shape, count: number): string {
  const engine = tx.getExecutor().adapter
  const made = texts.get(engine)
  if (made !== undefined) return made
  const row = Object.fromEntries(columns.map(column => [column, column]))
  // The caller's rows are of this table.
  const { sql } = tx
    .insertInto(table)
    .values(Array(count).fill(row) as never)
    .compile()
  texts.set(engine, sql)
  return sql
}
