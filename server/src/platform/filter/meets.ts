/** Whether metadata meets a filter: what `documentMatches` asks a database, for records whose metadata is read anyway. */
import type { Condition, Filter, Scalar } from '../narrowing.ts'
import { type FieldValue, fieldValues, instantOf } from './field-values.ts'

export const meetsFilter = (filter: Filter, metadata: Readonly<Record<string, unknown>>): boolean =>
  meets(filter, fieldValues(metadata))

function meets(filter: Filter, values: readonly FieldValue[]): boolean {
  if ('and' in filter) return filter.and.every(inner => meets(inner, values))
  if ('or' in filter) return filter.or.some(inner => meets(inner, values))
  if ('not' in filter) return !meets(filter.not, values)
  const own = values.filter(({ name }) => name === filter.field)
  const isMet = own.some(value => holds(value, filter))
  return filter.op === 'ne' || (filter.op === 'exists' && !filter.value) ? !isMet : isMet
}

/** Like is compared with like; of what is negative, the opposite. */
function holds(own: FieldValue, condition: Condition): boolean {
  switch (condition.op) {
    case 'exists':
      return true
    case 'eq':
    case 'ne':
      return equals(own, condition.value)
    case 'in':
      return condition.value.some(value => equals(own, value))
    case 'contains':
      if (own.isListed) return 'text' in own && own.text === condition.value
      return 'text' in own && own.text.includes(condition.value)
    default: {
      const { op, value } = condition
      if (typeof value === 'number') return own.kind === 'number' && isInOrder(op, own.number - value)
      const instant = instantOf(value)
      if (instant !== null) return own.kind === 'date' && isInOrder(op, own.number - instant)
      return own.kind === 'string' && isInOrder(op, byCodePoints(own.text, value))
    }
  }
}

function equals(own: FieldValue, value: Scalar): boolean {
  if (typeof value === 'number') return own.kind === 'number' && own.number === value
  if (typeof value === 'boolean') return own.kind === 'boolean' && own.number === Number(value)
  const instant = instantOf(value)
  return instant === null
    ? 'text' in own && own.text === value
    : own.kind === 'date' && own.number === instant
}

/** `difference` is below 0 where the field's value comes first. */
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

/** As databases compare: the order of UTF-16, which `<` has, differs beyond 16 bits. */
const byCodePoints = (one: string, other: string): number =>
  Buffer.compare(Buffer.from(one), Buffer.from(other))
