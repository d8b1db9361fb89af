import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readyFilter } from '../../../platform/filter/meets.ts'
import type { Condition, Filter, Scalar } from '../../../platform/narrowing.ts'
import { createTestDatabase } from '../../../testing/database.ts'
import { createLibrary } from '../../../testing/knowledge/indexed-documents.ts'
import { writeFields } from './fields-store.ts'
import { type Metadata, type MetadataValue, parseFilter } from './filter.ts'
import { documentMatches } from './matches.ts'

type Known = { id: string; name: string; title: string | null; metadata: Metadata }

test('whatever a filter is, the database and the server find the documents that a plain reading of the guide finds', async t => {
  const { database, close } = await createTestDatabase()
  t.after(close)
  const library = createLibrary(database)
  const scope = await library.createScope()
  const collectionId = await library.createCollection(scope)
  const documents: Known[] = []
  for (const metadata of fc.sample(anyMetadata, { numRuns: 60, seed: 4 })) {
    const title = documents.length % 3 === 0 ? null : `Title ${documents.length % 5}`
    const name = documents.length % 2 === 0 ? 'note.md' : 'Ärger.txt'
    const { id } = await library.add(scope, {
      collectionId,
      name,
      title: title ?? undefined,
      chunks: [],
    })
    await database.write(tx => writeFields(scope, tx, id, metadata))
    documents.push({ id, name, title, metadata })
  }
  let found = 0
  await fc.assert(
    fc.asyncProperty(anyFilter, async filter => {
      const rows = await database.read
        .selectFrom('documents')
        .select('id')
        .where(documentMatches(database.engine, parseFilter(filter)))
        .orderBy('id')
        .execute()
      const expected = documents.filter(document => holds(document, filter)).map(({ id }) => id)
      if (!JSON.stringify(filter).includes('"$')) {
        const meets = readyFilter(filter)
        const met = documents.filter(({ metadata }) => meets(metadata))
        assert.deepEqual(
          met.map(({ id }) => id),
          expected,
        )
      }
      assert.deepEqual(
        rows.map(({ id }) => id),
        expected,
      )
      if (expected.length > 0 && expected.length < documents.length) found += 1
    }),
    { numRuns: 400, seed: 11 },
  )
  assert.ok(found > 100, `the filters tell documents apart: ${found} of 400 did`)
})

/** Values that meet: equal instants, beginnings of each other, letters of all planes, what SQL would stumble over. */
const texts = [
  ...[
    '',
    'a',
    'A',
    'ab',
    'abc',
    'ä',
    'a\u0308',
    '日本',
    '\uffff',
    '😀',
    '%',
    '_',
    '\\',
    "' OR '1'='1",
    '"]}',
  ],
  ...[
    '2026-01-01',
    '2026-01-01T00:00:00Z',
    '2026-01-01T01:00+01:00',
    '2025-12-31T23:59:59.999Z',
    '2026-02-30',
  ],
  ...['2026-01-01T00:00:00', '1', 'true', `${'x'.repeat(63)}😀a`, `${'x'.repeat(63)}😀b`, 'x'.repeat(80)],
]
const names = [
  'department',
  'Department',
  'größe',
  '日付',
  "a'b",
  'a"b',
  'a.b',
  '__proto__',
  'constructor',
  ' ',
]
const numbers = [0, -1, 1, 1.5, 2, 1e300, 1767225600000, 0.1 + 0.2]

const anyText = fc.constantFrom(...texts)
const anyNumber = fc.constantFrom(...numbers)
const anyName = fc.constantFrom(...names)
const anyScalar: fc.Arbitrary<Scalar> = fc.oneof(anyText, anyNumber, fc.boolean())
const anyValue: fc.Arbitrary<MetadataValue> = fc.oneof(anyScalar, fc.array(anyText, { maxLength: 3 }))
const anyMetadata: fc.Arbitrary<Metadata> = fc
  .array(fc.tuple(anyName, anyValue), { maxLength: 6 })
  .map(entries => Object.fromEntries(entries))

const anyCondition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ field: anyName, op: fc.constantFrom('eq' as const, 'ne' as const), value: anyScalar }),
  fc.record({
    field: anyName,
    op: fc.constant('in' as const),
    value: fc.array(anyScalar, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({
    field: anyName,
    op: fc.constantFrom('gt' as const, 'gte' as const, 'lt' as const, 'lte' as const),
    value: fc.oneof(anyText, anyNumber),
  }),
  fc.record({ field: anyName, op: fc.constant('exists' as const), value: fc.boolean() }),
  fc.record({
    field: fc.oneof(anyName, fc.constant('$name'), fc.constant('$title')),
    op: fc.constant('contains' as const),
    value: anyText.filter(text => text !== ''),
  }),
  fc.record({
    field: fc.constantFrom('$name', '$title'),
    op: fc.constantFrom('eq' as const, 'ne' as const),
    value: fc.constantFrom('note.md', 'Ärger.txt', 'Title 1', 'Title 2'),
  }),
  fc.record({
    field: fc.constantFrom('$name', '$title'),
    op: fc.constantFrom('gt' as const, 'lte' as const),
    value: fc.constantFrom('note.md', 'Title 2', 'z', 'Z', 'ä'),
  }),
)

const anyFilter = fc.letrec<{ filter: Filter }>(tie => ({
  filter: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    anyCondition,
    fc.record({ and: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ or: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('filter') }),
  ),
})).filter

/** The reference: docs/guides/filters.md, sentence by sentence. */
function holds(document: Known, filter: Filter): boolean {
  if ('and' in filter) return filter.and.every(inner => holds(document, inner))
  if ('or' in filter) return filter.or.some(inner => holds(document, inner))
  if ('not' in filter) return !holds(document, filter.not)
  const { value, isList, isPlain } = fieldOf(document, filter.field)
  const values = (isList ? value : [value]) as Scalar[]
  const isThere = value !== undefined
  switch (filter.op) {
    case 'exists':
      return isThere === filter.value
    case 'eq':
      return isThere && values.some(one => isEqual(one, filter.value, isPlain))
    case 'ne':
      return !(isThere && values.some(one => isEqual(one, filter.value, isPlain)))
    case 'in':
      return isThere && values.some(one => filter.value.some(wanted => isEqual(one, wanted, isPlain)))
    case 'contains':
      if (isList) return values.some(one => one === filter.value || isEqual(one, filter.value, true))
      return typeof value === 'string' && value.includes(filter.value)
    default: {
      const { op } = filter
      return (
        isThere &&
        values.some(one => {
          const order = compare(one, filter.value, isPlain)
          if (order === null) return false
          return { gt: order > 0, gte: order >= 0, lt: order < 0, lte: order <= 0 }[op]
        })
      )
    }
  }
}

/** Fields of the document itself are plain text, be it a date or not. */
function fieldOf({ name, title, metadata }: Known, field: string) {
  if (field === '$name') return { value: name, isList: false, isPlain: true }
  if (field === '$title') return { value: title ?? undefined, isList: false, isPlain: true }
  const value = Object.hasOwn(metadata, field) ? metadata[field] : undefined
  return { value, isList: Array.isArray(value), isPlain: false }
}

const isDate = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text) && text !== '2026-02-30'

const isEqual = (one: Scalar, other: Scalar, isPlain: boolean): boolean =>
  one === other ||
  (typeof one === 'string' && typeof other === 'string' && compare(one, other, isPlain) === 0)

/** Null if they are not alike. */
function compare(one: Scalar, other: Scalar, isPlain: boolean): number | null {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  if (typeof one !== 'string' || typeof other !== 'string') return null
  if (isPlain || (!isDate(one) && !isDate(other))) return Buffer.compare(Buffer.from(one), Buffer.from(other))
  return isDate(one) && isDate(other) ? Date.parse(one) - Date.parse(other) : null
}
