/**
 * The words in which `schema/` states each table once, for both engines and for the compiler: its columns with their
 * types, and its keys and indexes in SQL. A column holds a value unless it is nullable.
 */
import type { Generated } from 'kysely'
import type { Ddl } from './ddl.ts'
import type { Json } from './json.ts'

type Column<Type> = {
  /** Never set: it carries the type of the column's values. */
  readonly type?: Type
  sqlOf(ddl: Ddl): string
  nullable(): Column<Type | null>
  /** An insert may leave it out. */
  default(value: string | number): Column<Generated<Type>>
  primaryKey(): Column<Type>
  unique(): Column<Type>
  /** The row of that table can be deleted only after this one. */
  references(table: string, column?: string): Column<Type>
  /** This row is deleted with the row of that table. */
  belongsTo(table: string): Column<Type>
}

function column<Type>(kind: Exclude<keyof Ddl, 'engine'>, rules = 'NOT NULL'): Column<Type> {
  const and = <Changed = Type>(rule: string): Column<Changed> => column(kind, `${rules} ${rule}`)
  return {
    sqlOf: ddl => `${ddl[kind]} ${rules}`,
    nullable: () => column(kind, rules.replace('NOT NULL', '')),
    default: value => and(`DEFAULT ${typeof value === 'string' ? `'${value}'` : value}`),
    primaryKey: () => and('PRIMARY KEY'),
    unique: () => and('UNIQUE'),
    references: (table, key = 'id') => and(`REFERENCES ${table} (${key})`),
    belongsTo: table => and(`REFERENCES ${table} (id) ON DELETE CASCADE`),
  }
}

/** Text in the order of its bytes, for ids and codes. */
export const id = <Type extends string = string>() => column<Type>('id')
export const text = () => column<string>('text')
/** JSON kept as text. */
export const json = <Type = unknown>() => column<Json<Type>>('json')
/** A whole number of up to 53 bits: counts, sizes, milliseconds. */
export const integer = <Type extends number = number>() => column<Type>('integer')
export const real = () => column<number>('real')
export const bytes = () => column<Uint8Array>('bytes')
/** A primary key that the database counts up. */
export const counted = () => column<Generated<number>>('counted')
/** The same, and no number is used twice: not even the highest one after its row was deleted. */
export const sequence = () => column<Generated<number>>('sequence')

type Table<Row> = {
  /** Never set: it carries the type of the table's rows. */
  readonly row?: Row
  statementsOf(name: string, ddl: Ddl): string[]
}

type StatedTable<Row> = Table<Row> & {
  /** The names of all columns. */
  readonly columns: readonly (keyof Row)[]
  /** Keys such as `UNIQUE (a, b)`, and indexes such as `UNIQUE INDEX name (a) WHERE b IS NULL`. */
  with(...rules: string[]): StatedTable<Row>
  /** What stands behind the columns on either engine. */
  stored(by: Record<Ddl['engine'], string>): StatedTable<Row>
}

type RowOf<Columns> = {
  [Name in keyof Columns]: Columns[Name] extends Column<infer Type> ? Type : never
}

export function table<Columns extends Record<string, Column<unknown>>>(
  columns: Columns,
  rules: readonly string[] = [],
  stored: Record<Ddl['engine'], string> = { sqlite: '', postgres: '' },
): StatedTable<RowOf<Columns>> {
  const isIndex = (rule: string): boolean => /^(UNIQUE )?INDEX /.test(rule)
  return {
    // No object has more keys than its type here: tables are written as literals.
    columns: Object.keys(columns) as (keyof Columns)[],
    statementsOf: (name, ddl) => [
      `CREATE TABLE ${name} (${[
        ...Object.entries(columns).map(([column, { sqlOf }]) => `${column} ${sqlOf(ddl)}`),
        ...rules.filter(rule => !isIndex(rule)),
      ].join(', ')}) ${stored[ddl.engine]}`,
      ...rules.filter(isIndex).map(rule => `CREATE ${rule.replace(/INDEX (\w+)/, `INDEX $1 ON ${name}`)}`),
    ],
    with: (...more) => table(columns, more, stored),
    stored: by => table(columns, rules, by),
  }
}

/** A table that the engines build in ways of their own. */
export const handmade = <Row>(statementsOf: (ddl: Ddl) => string[]): Table<Row> => ({
  statementsOf: (_, ddl) => statementsOf(ddl),
})

export type RowsOf<Tables> = {
  [Name in keyof Tables]: Tables[Name] extends Table<infer Row> ? Row : never
}

/** A table comes after those that it refers to. */
export const statementsOf = (tables: Record<string, Table<unknown>>, ddl: Ddl): string[] =>
  Object.entries(tables).flatMap(([name, stated]) => stated.statementsOf(name, ddl))
