/** Statements whose text is made once: building and compiling one costs more than most of them take to run. */
import {
  type Compilable,
  CompiledQuery,
  Kysely,
  type KyselyConfig,
  PostgresAdapter,
  type QueryResult,
  type RawBuilder,
  sql,
} from 'kysely'
import type { Scope } from '../caller.ts'
import type { Engine, Query } from './database.ts'
import type { Tables } from './tables.ts'

/** Stands for a parameter while the text is made. */
class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** A text for one engine, and its values. Each value is a placeholder of a parameter, or the same every time. */
type Prepared = { text: string; values: readonly unknown[]; onlyReads: boolean }

/** A database that answers in this thread. Statements that only read go to it without waiting for a connection. */
export class ImmediateKysely extends Kysely<Tables> {
  readonly read: (text: string, values: readonly unknown[]) => QueryResult<unknown>

  constructor(config: KyselyConfig, read: ImmediateKysely['read']) {
    super(config)
    this.read = read
  }
}

/**
 * A statement with named parameters. `build` is called once for each engine, with placeholders. It may hand them on
 * to the statement but must not look at them. If the text depends on a value, make two statements.
 */
export function statement<Parameters extends object, Row>(
  build: (query: Query, parameters: Parameters) => Compilable<Row>,
): (query: Query, parameters: Parameters) => Promise<QueryResult<Row>> {
  const known = new WeakMap<object, Prepared>()

  const prepare = (query: Query): Prepared => {
    // The one cast of placeholders to the parameters that they stand for.
    const { sql, parameters, query: built } = build(query, placeholders as Parameters).compile()
    return { text: sql, values: parameters, onlyReads: built.kind === 'SelectQueryNode' }
  }

  return async (query, parameters) => {
    const engine = query.getExecutor().adapter
    let prepared = known.get(engine)
    if (prepared === undefined) {
      prepared = prepare(query)
      known.set(engine, prepared)
    }
    const values = prepared.values.map(value =>
      value instanceof Placeholder ? parameters[value.name as keyof Parameters] : value,
    )
    if (prepared.onlyReads && query instanceof ImmediateKysely) {
      return query.read(prepared.text, values) as QueryResult<Row>
    }
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

/**
 * A statement over the rows of a scope, with named parameters that may be left out. `build` is called once for each
 * list of given parameters, for keys and for persons. It may ask which parameters are given, but must not look at
 * their values. If lists of ids or a filter narrow the scope, their lengths are in the text, so the text is built
 * each time.
 */
export function statementInScope<Parameters extends object, Row>(
  build: (scope: Scope, query: Query, parameters: Parameters) => Compilable<Row>,
): (scope: Scope, query: Query, parameters: Parameters) => Promise<QueryResult<Row>> {
  const known = new Map<string, ReturnType<typeof statement<object, Row>>>()
  return (scope, query, parameters) => {
    const shape = shapeOf(scope, parameters)
    if (shape === null) return query.executeQuery(build(scope, query, parameters))
    let run = known.get(shape)
    if (run === undefined) {
      const names = Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [name]))
      run = statement((made, all) => {
        const {
          scopeWorkspace: workspaceId,
          scopeEnvironment: environment,
          scopePerson: personId,
        } = all as PlainScope
        const reader = { personId, openedIds: [] }
        const plain = scope.reader === undefined ? {} : { reader }
        const given = Object.fromEntries(names.map(name => [name, all[name as keyof typeof all]]))
        return build({ workspaceId, environment, ...plain }, made, given as Parameters)
      })
      known.set(shape, run)
    }
    const { workspaceId, environment, reader } = scope
    return run(query, {
      ...parameters,
      scopeWorkspace: workspaceId,
      scopeEnvironment: environment,
      scopePerson: reader?.personId,
    })
  }
}

/** The values of the scope, under names that no parameter has. */
type PlainScope = {
  scopeWorkspace: string
  scopeEnvironment: Scope['environment']
  scopePerson: string
}

/** What the text depends on, if that is known without building the text; null if it is not. */
function shapeOf(scope: Scope, parameters: object): string | null {
  const { workspaceId: _, environment: _own, reader, ...narrowing } = scope
  for (const name in narrowing) if (narrowing[name as keyof typeof narrowing] !== undefined) return null
  if (reader !== undefined && reader.openedIds.length > 0) return null
  let shape = reader === undefined ? 'key' : 'person'
  for (const name in parameters) {
    const value: unknown = parameters[name as keyof typeof parameters]
    if (value === undefined) continue
    if (typeof value === 'object') return null
    shape += ` ${name}`
  }
  return shape
}

/** A placeholder for each name that is asked for. */
const placeholders: object = new Proxy({}, { get: (_target, name) => new Placeholder(String(name)) })

/** The engine that a query runs on, for conditions that every statement of a store has. */
export const engineOf = (query: Query): Engine =>
  query.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'

/** One statement text for any number of values, so that it stays prepared. */
export const isOneOf = (engine: Engine, values: readonly (string | number)[], type: RawBuilder<unknown>) =>
  engine === 'sqlite'
    ? sql`IN (SELECT value FROM json_each(${JSON.stringify(values)}))`
    : sql`= ANY (${values}::${type}[])`
