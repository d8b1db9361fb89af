/** Whether metadata meets a filter, for records that are read anyway. `documentMatches` asks a database the same. */
import type { Condition, Filter, Scalar } from '../narrowing.ts'
import { type FieldValue, fieldValues, instantOf } from './field-values.ts'

export type MeetsFilter = (metadata: Readonly<Record<string, unknown>>) => boolean

/** The filter as a function, so that the filter's values are read once for any number of records. */
export function readyFilter(filter: Filter): MeetsFilter {
  const isMet = readyOf(filter)
  return metadata => isMet(Map.groupBy(fieldValues(metadata), ({ name }) => name))
}

export function countConditions(filter: Filter): number {
  if ('not' in filter) return countConditions(filter.not)
  const inner = 'and' in filter ? filter.and : 'or' in filter ? filter.or : null
  return inner === null ? 1 : inner.reduce((sum, one) => sum + countConditions(one), 0)
}

type Fields = ReadonlyMap<string, readonly FieldValue[]>

function readyOf(filter: Filter): (fields: Fields) => boolean {
  if ('and' in filter) {
    const all = filter.and.map(readyOf)
    return fields => all.every(isMet => isMet(fields))
  }
  if ('or' in filter) {
    const all = filter.or.map(readyOf)
    return fields => all.some(isMet => isMet(fields))
  }
  if ('not' in filter) {
    const isMet = readyOf(filter.not)
    return fields => !isMet(fields)
  }
  const { field } = filter
  const holds = holdsOf(filter)
  const isNegative = filter.op === 'ne' || (filter.op === 'exists' && !filter.value)
  return fields => (fields.get(field) ?? []).some(holds) !== isNegative
}

/** Compares values of the same kind only. For a negative operator, it tests the opposite; the caller negates it. */
function holdsOf(condition: Condition): (own: FieldValue) => boolean {
  switch (condition.op) {
    case 'exists':
      return () => true
    case 'eq':
    case 'ne':
      return isOneOf([condition.value])
    case 'in':
      return isOneOf(condition.value)
    case 'contains': {
      const { value } = condition
      return own => 'text' in own && (own.isListed ? own.text === value : own.text.includes(value))
    }
    default: {
      const { op, value } = condition
      if (typeof value === 'number') return own => own.kind === 'number' && isInOrder(op, own.number - value)
      const instant = instantOf(value)
      if (instant !== null) return own => own.kind === 'date' && isInOrder(op, own.number - instant)
      const text = Buffer.from(value)
      // By code points, as databases compare. The order of UTF-16, which `<` has, differs beyond 16 bits.
      return own => own.kind === 'string' && isInOrder(op, Buffer.compare(Buffer.from(own.text), text))
    }
  }
}

function isOneOf(values: readonly Scalar[]): (own: FieldValue) => boolean {
  const numbers = { number: new Set<number>(), boolean: new Set<number>(), date: new Set<number>() }
  const texts = new Set<string>()
  for (const value of values) {
    const instant = typeof value === 'string' ? instantOf(value) : null
    if (typeof value === 'number') numbers.number.add(value)
    else if (typeof value === 'boolean') numbers.boolean.add(Number(value))
    else if (instant === null) texts.add(value)
    else numbers.date.add(instant)
  }
  return own => {
    if (own.kind === 'none') return false
    return own.kind === 'string' ? texts.has(own.text) : numbers[own.kind].has(own.number)
  }
}

/** `difference` is below 0 if the field's value comes first. */
function isInOrder(op: 'gt' | 'gte' | 'lt' | 'lte', difference: number): boolean {
  switch (op) {
    case 'gt':
      return difference > 0
    case 'gte':
      return difference >= 0
    case 'lt':
      return difference < 0
    case 'lte':
      return difference <= 0
  }
}
