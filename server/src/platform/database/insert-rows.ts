/** Inserts by texts that are made once: to build and compile one costs more than it takes to carry it out. */
import type { Insertable } from 'kysely'
import type { Query, Tx } from './database.ts'
import { statement } from './statement.ts'
import type { Tables } from './tables.ts'

type Row = Readonly<Record<string, unknown>>
type Insert = ReturnType<typeof statement<Row, unknown>>

/** More at once are rare, and would make a text for each number of them. */
const maxRowsOfOneText = 8

/** One text for each table, its columns and number of rows: whoever inserts always names the same columns. */
const known = new Map<string, Insert>()

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

export const insertRow = <Table extends keyof Tables>(
  tx: Tx,
  table: Table,
  row: Insertable<Tables[Table]>,
): Promise<void> => insertRows(tx, table, [row])

async function insertSome(tx: Tx, table: keyof Tables, rows: readonly Row[]): Promise<void> {
  const [first = {}] = rows
  const columns = Object.keys(first).filter(column => first[column] !== undefined)
  const shape = `${table} ${columns.join()} ${rows.length}`
  let insert = known.get(shape)
  if (insert === undefined) {
    insert = statement((query, values: Row) => insertOf(query, table, columns, rows.length, values))
    known.set(shape, insert)
  }
  const values: Record<string, unknown> = {}
  rows.forEach((row, index) => {
    // What the first row does not name would be left out of all of them.
    if (
      index > 0 &&
      Object.keys(row).some(column => row[column] !== undefined && first[column] === undefined)
    )
      throw new Error(`Rows of ${table} that are inserted together must name the same columns`)
    for (const column of columns) values[nameOf(column, index)] = row[column]
  })
  await insert(tx, values)
}

const nameOf = (column: string, index: number): string => `${column} ${index}`

function insertOf(
  query: Query,
  table: keyof Tables,
  columns: readonly string[],
  count: number,
  values: Row,
): ReturnType<Query['insertInto']> {
  const rows = Array.from({ length: count }, (_, index) =>
    Object.fromEntries(columns.map(column => [column, values[nameOf(column, index)]])),
  )
  // Whoever called has given rows of this very table.
  return query.insertInto(table).values(rows as never) as ReturnType<Query['insertInto']>
}
