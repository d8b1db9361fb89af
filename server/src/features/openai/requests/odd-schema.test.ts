/** Schemas of other programs: what is no JSON Schema of ours is lost alone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStrangersSchemas } from '../../../platform/json-schema/strangers-schemas.ts'
import { withoutOddParts } from './odd-schema.ts'

test('a part that is odd is lost, what stands beside it stays, and the schema can be used', async t => {
  const schemas = createStrangersSchemas()
  t.after(() => schemas.close())
  const good = { type: 'string', description: 'Kept' }
  for (const odd of [
    { type: 'string', pattern: '(?i)x' },
    { type: 'string', pattern: '(?P<year>\\d{4})' },
    { type: 'string', pattern: '\\A\\w+\\z' },
    { type: 'any' },
    { type: 'str' },
    { type: 'string', required: true },
    { type: 'number', minimum: 1, exclusiveMinimum: true },
    { type: 'object', patternProperties: { '(?i)x': { type: 'string' } } },
    { $ref: 'https://example.com/schema.json' },
    { type: 'string', enum: [] },
    { type: 'object', properties: null },
    { type: 'string', $id: 'inner' },
    { type: 'array', items: { type: 'string', pattern: '[' } },
    null,
    'text',
  ]) {
    const read = withoutOddParts({ type: 'object', properties: { good, odd }, required: ['good'] })
    assert.equal(await schemas.faultOf(read, 'w'), null, JSON.stringify(odd))
    assert.deepEqual((read.properties as Record<string, unknown>).good, good)
    assert.deepEqual(read.required, ['good'])
  }
})

test('a property may have the name of a keyword, and a whole schema stays as it is', () => {
  const schema = {
    type: 'object',
    properties: {
      pattern: { type: 'string' },
      type: { enum: ['a'] },
      required: { type: 'boolean' },
      id: { type: 'string' },
    },
    required: ['pattern'],
    additionalProperties: false,
  }
  assert.deepEqual(withoutOddParts(schema), schema)
})
