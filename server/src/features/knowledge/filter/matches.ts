/** A filter as an SQL condition on a row of `documents`: true or false on either engine, never unknown. */
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../../platform/caller.ts'
import type { Engine } from '../../../platform/database/database.ts'
import { isOneOf } from '../../../platform/database/statement.ts'
import { instantOf } from '../../../platform/filter/field-values.ts'
import type { Condition, Filter, Scalar } from '../../../platform/narrowing.ts'
import { startOf } from './fields-store.ts'
import { builtInField } from './filter.ts'

export function documentMatches(engine: Engine, filter: Filter): RawBuilder<boolean> {
  const all = (filters: readonly Filter[]) => filters.map(inner => documentMatches(engine, inner))
  if ('and' in filter) return sql`(${sql.join(all(filter.and), sql` AND `)})`
  if ('or' in filter) return sql`(${sql.join(all(filter.or), sql` OR `)})`
  if ('not' in filter) return sql`(NOT ${documentMatches(engine, filter.not)})`
  if (filter.op === 'ne') return sql`(NOT ${holds(engine, { ...filter, op: 'eq' })})`
  if (filter.op === 'exists' && !filter.value) {
    return sql`(NOT ${holds(engine, { ...filter, value: true })})`
  }
  return holds(engine, filter)
}

function holds(engine: Engine, condition: Condition): RawBuilder<boolean> {
  const builtIn = builtInField(condition.field)
  if (builtIn !== null) {
    const column = sql.ref(`documents.${builtIn.column}`)
    const isMet =
      builtIn.kind === 'string' ? textMeets(engine, column, condition) : numberMeets(column, condition)
    return sql`(${column} IS NOT NULL AND ${isMet})`
  }
  // Tested for each document. SQLite would use an index on columns that documents share, so the condition names no
  // such column. PostgreSQL would turn EXISTS into a join of everything, so the condition has no EXISTS.
  return sql`((SELECT 1 FROM document_fields
    WHERE document_fields.document_id = documents.id AND document_fields.name = ${condition.field}
      AND ${fieldMeets(engine, condition)} LIMIT 1) IS NOT NULL)`
}

/** The rows of metadata in a scope that meet a condition. The condition must not be a negative one. */
export const fieldsThatMeet = (scope: Scope, engine: Engine, condition: Condition): RawBuilder<boolean> =>
  sql`document_fields.workspace_id = ${scope.workspaceId}
    AND document_fields.environment = ${scope.environment} AND document_fields.name = ${condition.field}
    AND ${fieldMeets(engine, condition)}`

const text = sql.ref('document_fields.text')
const number = sql.ref('document_fields.number')

/** Whether one value of the metadata meets a condition. A value is compared only with values of its own kind. */
function fieldMeets(engine: Engine, condition: Condition): RawBuilder<boolean> {
  switch (condition.op) {
    case 'exists':
      return sql`true`
    case 'eq':
    case 'ne':
      return fieldEquals(condition.value)
    case 'in':
      return fieldIsOneOf(engine, condition.value)
    case 'contains':
      return sql`CASE WHEN listed = 1 THEN ${textEquals(condition.value)}
        ELSE ${contains(engine, text, condition.value)} END`
    default: {
      const { op, value } = condition
      if (typeof value === 'number') return sql`(kind = 'number' AND ${number} ${signs[op]} ${real(value)})`
      const instant = instantOf(value)
      return instant === null
        ? sql`(kind = 'string' AND ${text} ${signs[op]} ${value})`
        : sql`(kind = 'date' AND ${number} ${signs[op]} ${real(instant)})`
    }
  }
}

/** One list for each kind. A comparison for each value would take longer to prepare than to run. */
function fieldIsOneOf(engine: Engine, values: readonly Scalar[]): RawBuilder<boolean> {
  const numbers = { number: [] as number[], boolean: [] as number[], date: [] as number[] }
  const texts: string[] = []
  for (const value of values) {
    const instant = typeof value === 'string' ? instantOf(value) : null
    if (typeof value === 'number') numbers.number.push(value)
    else if (typeof value === 'boolean') numbers.boolean.push(Number(value))
    else if (instant === null) texts.push(value)
    else numbers.date.push(instant)
  }
  const ofKinds = Object.entries(numbers).flatMap(([kind, list]) =>
    list.length === 0
      ? []
      : [sql`(kind = ${kind} AND ${number} ${isOneOf(engine, list, sql`double precision`)})`],
  )
  const starts = isOneOf(engine, texts.map(startOf), sql`text`)
  const ofTexts = sql`(document_fields.text_start ${starts} AND ${text} ${isOneOf(engine, texts, sql`text`)})`
  return sql`(${sql.join([...ofKinds, ...(texts.length === 0 ? [] : [ofTexts])], sql` OR `)})`
}

function fieldEquals(value: Scalar): RawBuilder<boolean> {
  if (typeof value === 'number') return sql`(kind = 'number' AND ${number} = ${real(value)})`
  if (typeof value === 'boolean') return sql`(kind = 'boolean' AND ${number} = ${real(Number(value))})`
  const instant = instantOf(value)
  return instant === null ? textEquals(value) : sql`(kind = 'date' AND ${number} = ${real(instant)})`
}

/** The index holds only the start of the text. */
const textEquals = (value: string): RawBuilder<boolean> =>
  sql`(document_fields.text_start = ${startOf(value)} AND ${text} = ${value})`

function textMeets(engine: Engine, column: RawBuilder<unknown>, condition: Condition): RawBuilder<boolean> {
  switch (condition.op) {
    case 'exists':
      return sql`true`
    case 'eq':
    case 'ne':
      return sql`${column} = ${condition.value}`
    case 'in':
      return sql`${column} IN (${sql.join(condition.value)})`
    case 'contains':
      return contains(engine, column, condition.value)
    default: {
      // Compares by code points on either engine, independent of the database's own language.
      const ordered = engine === 'sqlite' ? column : sql`${column} COLLATE "C"`
      return sql`${ordered} ${signs[condition.op]} ${condition.value}`
    }
  }
}

function numberMeets(column: RawBuilder<unknown>, condition: Condition): RawBuilder<boolean> {
  switch (condition.op) {
    case 'exists':
      return sql`true`
    case 'eq':
    case 'ne':
      return sql`${column} = ${magnitude(condition.value)}`
    case 'in':
      return sql`${column} IN (${sql.join(condition.value.map(magnitude))})`
    case 'contains':
      return sql`false`
    default:
      return sql`${column} ${signs[condition.op]} ${magnitude(condition.value)}`
  }
}

/** `parseFilter` allows only dates for a field of dates, and only numbers for a field of numbers. */
const magnitude = (value: Scalar): RawBuilder<number> =>
  real(typeof value === 'string' ? (instantOf(value) ?? Number.NaN) : Number(value))

/** Without the cast, PostgreSQL would take the parameter for a whole number, like the column beside it. */
const real = (value: number): RawBuilder<number> => sql`CAST(${value} AS DOUBLE PRECISION)`

const contains = (engine: Engine, within: RawBuilder<unknown>, part: string): RawBuilder<boolean> =>
  engine === 'sqlite' ? sql`instr(${within}, ${part}) > 0` : sql`strpos(${within}, ${part}) > 0`

const signs = { gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` } as const
