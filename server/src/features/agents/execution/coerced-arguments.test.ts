/** Arguments in another type than the schema names become that type, and no other. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coerced } from './coerced-arguments.ts'

const fields = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })

test('a value becomes the type that the schema names, at any depth', () => {
  const cases: [schema: object, given: unknown, made: unknown][] = [
    [fields({ n: { type: 'integer' } }), { n: '5' }, { n: 5 }],
    [fields({ n: { type: 'number' } }), { n: ' 5.5 ' }, { n: 5.5 }],
    [fields({ b: { type: 'boolean' } }), { b: 'True' }, { b: true }],
    [fields({ s: { type: 'string' } }), { s: 5 }, { s: '5' }],
    [fields({ l: { type: 'array', items: { type: 'integer' } } }), { l: '["1", 2]' }, { l: [1, 2] }],
    [fields({ l: { type: 'array', items: { type: 'string' } } }), { l: 'one' }, { l: ['one'] }],
    [fields({ o: fields({ n: { type: 'integer' } }) }), { o: '{"n": "5"}' }, { o: { n: 5 } }],
    [fields({ n: { anyOf: [{ type: 'integer' }, { type: 'null' }] } }), { n: '5' }, { n: 5 }],
    [fields({ n: { type: ['integer', 'null'] } }), { n: 'null' }, { n: null }],
    [fields({ n: { $ref: '#/$defs/n' } }, { $defs: { n: { type: 'integer' } } }), { n: '5' }, { n: 5 }],
    [fields({ n: { enum: [1, 2] } }), { n: '2' }, { n: 2 }],
    [fields({ s: { type: 'string' } }), { s: null }, {}],
    [fields({ n: { type: 'integer' } }), '{"n": 5}', { n: 5 }],
  ]
  for (const [schema, given, made] of cases)
    assert.deepEqual(coerced(schema, given), made, JSON.stringify(given))
})

test('a value that fits, or that is no value of the type, stays as it is', () => {
  const cases: [schema: object, given: unknown][] = [
    [fields({ s: { type: 'string' } }), { s: '5' }],
    [fields({ s: { type: ['string', 'integer'] } }), { s: '5' }],
    [fields({ n: { type: 'integer' } }), { n: 'five' }],
    [fields({ n: { type: 'integer' } }), { n: '5.5' }],
    [fields({ any: {} }), { any: '5' }],
    [fields({ n: { type: ['integer', 'null'] } }), { n: null }],
    [fields({ s: { type: 'string' } }, { required: ['s'] }), { s: null }],
    [{ $ref: '#' }, { n: '5' }],
  ]
  for (const [schema, given] of cases) assert.deepEqual(coerced(schema, given), given, JSON.stringify(given))
})
