/** Statements whose text is made once: to build and compile one costs more than most of them take to run. */
import {
  type Compilable,
  CompiledQuery,
  PostgresAdapter,
  type QueryResult,
  type RawBuilder,
  sql,
} from 'kysely'
import type { Engine, Query } from './database.ts'

/** What stands for a parameter while the text is made. */
class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** A text of one engine, and its values: each a parameter's name, or the same every time. */
type Prepared = { text: string; values: readonly unknown[] }

/**
 * A statement with named parameters. `build` is called once for each engine, with placeholders: it may hand them on to the
 * statement but must not look at them, so what the text depends on makes two statements.
 */
export function statement<Parameters extends object, Row>(
  build: (query: Query, parameters: Parameters) => Compilable<Row>,
): (query: Query, parameters: Parameters) => Promise<QueryResult<Row>> {
  const known = new WeakMap<object, Prepared>()

  const prepare = (query: Query): Prepared => {
    // The one cast of a placeholder to what it stands for.
    const { sql, parameters } = build(query, placeholders as Parameters).compile()
    return { text: sql, values: parameters }
  }

  return (query, parameters) => {
    const engine = query.getExecutor().adapter
    let prepared = known.get(engine)
    if (prepared === undefined) {
      prepared = prepare(query)
      known.set(engine, prepared)
    }
    const values = prepared.values.map(value =>
      value instanceof Placeholder ? parameters[value.name as keyof Parameters] : value,
    )
    return query.executeQuery(CompiledQuery.raw(prepared.text, values) as CompiledQuery<Row>)
  }
}

type Values<Parameters> = { readonly [Name in keyof Parameters]?: Parameters[Name] | undefined }

/** A statement whose text depends on which of `values` are given: one text for each list of their names. */
export function statementOfColumns<Parameters extends object, Row>(
  build: (query: Query, parameters: Parameters, columns: readonly string[]) => Compilable<Row>,
): (query: Query, parameters: Values<Parameters>, values: object) => Promise<QueryResult<Row>> {
  const known = new Map<string, ReturnType<typeof statement<object, Row>>>()
  return (query, parameters, values) => {
    const columns = Object.entries(values).flatMap(([column, value]) => (value === undefined ? [] : [column]))
    const shape = columns.join()
    let run = known.get(shape)
    if (run === undefined) {
      run = statement((made, placeholders) => build(made, placeholders as Parameters, columns))
      known.set(shape, run)
    }
    return run(query, parameters)
  }
}

/** A placeholder for each name that is asked for. */
const placeholders: object = new Proxy({}, { get: (_target, name) => new Placeholder(String(name)) })

/** The engine that a query runs on, for conditions that every statement of a store has. */
export const engineOf = (query: Query): Engine =>
  query.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'

/** One statement text however many values there are, so that it stays prepared. */
export const isOneOf = (engine: Engine, values: readonly (string | number)[], type: RawBuilder<unknown>) =>
  engine === 'sqlite'
    ? sql`IN (SELECT value FROM json_each(${JSON.stringify(values)}))`
    : sql`= ANY (${values}::${type}[])`
