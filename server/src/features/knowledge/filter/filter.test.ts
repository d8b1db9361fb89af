import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ServiceError } from '../../../platform/errors.ts'
import { filterLimits } from '../../../platform/filter/filter.ts'
import { parseFilter, parseFilterText } from './filter.ts'

const faultsOf = (value: unknown): Record<string, string> => {
  try {
    parseFilter(value)
  } catch (error) {
    assert.ok(error instanceof ServiceError && error.code === 'validation_failed')
    return Object.fromEntries(error.errors.map(({ field, message }) => [field, message]))
  }
  return {}
}

const condition = { field: 'department', op: 'eq', value: 'people' }
const nested = (depth: number): unknown => (depth === 0 ? condition : { not: nested(depth - 1) })

test('every form of a filter is taken as it is written', () => {
  const filters = [
    condition,
    {
      and: [condition, { or: [{ field: 'year', op: 'in', value: [2025, 'n/a', true] }, { not: condition }] }],
    },
    { field: '$createdAt', op: 'gte', value: '2026-11-21' },
    { field: 'größe', op: 'exists', value: false },
    { field: "it's", op: 'contains', value: '%' },
    nested(filterLimits.depth),
  ]
  for (const filter of filters) assert.deepEqual(parseFilter(filter), filter)
  assert.deepEqual(parseFilter({ field: 'a', op: 'exists' }), { field: 'a', op: 'exists', value: true })
})

test('each fault is named by its place, all of them at once', () => {
  const faults = faultsOf({
    and: [
      { field: 'year', op: 'gt', value: true },
      { field: 'year', op: 'equals', value: 1 },
      {
        or: [
          { field: '', op: 'eq', value: 'x' },
          { field: 'tags', op: 'in', value: ['a', null] },
        ],
      },
      { not: { fields: 'a', op: 'eq', value: 1 } },
      { field: '$createdat', op: 'lt', value: '2026-01-01' },
      { field: '$createdAt', op: 'lt', value: 'yesterday' },
      { field: '$sizeBytes', op: 'contains', value: '1' },
    ],
  })
  assert.deepEqual(faults, {
    'filter.and.0.value': 'must be a number, a date such as "2026-11-21", or another string',
    'filter.and.1.op': 'must be one of eq, ne, in, gt, gte, lt, lte, exists, contains; did you mean `eq`?',
    'filter.and.2.or.0.field': 'must not be empty',
    'filter.and.2.or.1.value.1':
      'must be a string, a number, true or false; for a field that is not there, use `exists` with false',
    'filter.and.3.not.fields': 'is not a known part of a filter; did you mean `field`?',
    'filter.and.3.not.field': 'is required',
    'filter.and.4.field': 'is not a known field of documents; did you mean `$createdAt`?',
    'filter.and.5.value':
      'must be an ISO 8601 date, as $createdAt is: "2026-11-21" or "2026-11-21T09:30:00Z"',
    'filter.and.6.value': 'cannot be asked of $sizeBytes, which is a number',
  })
})

test('a filter on nothing, of another form or out of bounds is refused with the remedy', () => {
  const cases: [unknown, string, RegExp][] = [
    [{}, 'filter', /is empty: leave it out/],
    [[], 'filter', /must be an object/],
    [null, 'filter', /must be an object/],
    ['x', 'filter', /must be an object/],
    [{ and: [] }, 'filter.and', /at least one/],
    [{ or: {} }, 'filter.or', /must be a list/],
    [{ not: [] }, 'filter.not', /must be an object/],
    [{ not: {} }, 'filter.not', /is empty/],
    [{ and: [condition], or: [condition] }, 'filter.or', /cannot stand beside `and`/],
    [{ and: [condition], field: 'a' }, 'filter.field', /cannot stand beside `and`/],
    [nested(filterLimits.depth + 1), `filter${'.not'.repeat(filterLimits.depth)}`, /deeper than 8 levels/],
    [{ and: Array.from({ length: 51 }, () => condition) }, 'filter', /at most 50 conditions/],
    [
      { ...condition, op: 'in', value: Array.from({ length: 101 }, () => 'a') },
      'filter.value',
      /at most 100/,
    ],
    [{ ...condition, op: 'in', value: [] }, 'filter.value', /at least one/],
    [{ ...condition, op: 'in' }, 'filter.value', /must be a list/],
    [{ ...condition, value: 'x'.repeat(2_001) }, 'filter.value', /at most 2000 characters/],
    [{ ...condition, field: 'x'.repeat(101) }, 'filter.field', /at most 100 characters/],
    [{ ...condition, value: 'a\0b' }, 'filter.value', /NUL/],
    [{ ...condition, field: 'a\ud800' }, 'filter.field', /well-formed/],
    [{ ...condition, value: ['people'] }, 'filter.value', /must be a string, a number/],
    [{ ...condition, value: Number.POSITIVE_INFINITY }, 'filter.value', /too large/],
    [{ field: 'a', op: 'eq' }, 'filter.value', /is required/],
    [{ field: 'a', op: '>=', value: 1 }, 'filter.op', /did you mean `gte`/],
    [{ field: 'a', op: '__proto__', value: 1 }, 'filter.op', /must be one of/],
    [{ field: 'a', op: 'constructor', value: 1 }, 'filter.op', /must be one of/],
    [{ field: 'a', op: 'exists', value: 'yes' }, 'filter.value', /true or false/],
    [{ field: 'a', op: 'contains', value: '' }, 'filter.value', /must not be empty/],
  ]
  for (const [filter, place, message] of cases) {
    const faults = faultsOf(filter)
    assert.match(faults[place] ?? `nothing at ${place}: ${JSON.stringify(faults)}`, message)
  }
  assert.throws(() => parseFilterText('{"field":'), { code: 'validation_failed' })
})

test('a filter of very many conditions is not read to its end', () => {
  let read = 0
  const counted = new Proxy(
    {},
    {
      ownKeys: () => {
        read += 1
        return []
      },
    },
  )
  const faults = faultsOf({ and: Array.from({ length: 10_000 }, () => ({ or: [counted, counted] })) })
  assert.match(faults.filter ?? '', /at most 50 conditions/)
  assert.ok(read < 200, `${read} reads`)
})
