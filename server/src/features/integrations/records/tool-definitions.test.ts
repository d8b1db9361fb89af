/** What models are shown of a server's schema, and by which names. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTools, schemaForModels, toolNameFor } from './tool-definitions.ts'

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const shownOf = (property: unknown): unknown =>
  (schemaForModels(object({ a: property }))?.properties as Record<string, unknown> | undefined)?.a

test('models are shown only what every provider takes', () => {
  const cases: [unknown, unknown][] = [
    [{ type: 'array' }, { type: 'array', items: { type: 'string' } }],
    [{ type: ['string', 'null'] }, { anyOf: [{ type: 'string' }, { type: 'null' }] }],
    [{ enum: ['x', 'y'] }, { type: 'string', enum: ['x', 'y'] }],
    [{ const: 'x' }, { type: 'string', enum: ['x'] }],
    [
      { type: 'integer', minimum: 1, exclusiveMaximum: 5 },
      { type: 'integer', minimum: 1 },
    ],
    [{ type: 'string', format: 'uri', default: 'x', 'x-own': 1 }, { type: 'string' }],
    [{ type: 'string', properties: { b: {} } }, { type: 'string' }],
    [object({}, { additionalProperties: false }), object({})],
    [
      { oneOf: [{ type: 'string' }, { type: 'number' }] },
      { anyOf: [{ type: 'string' }, { type: 'number' }] },
    ],
    [
      { allOf: [object({ b: { type: 'number' } }, { required: ['b'] })] },
      object({ b: { type: 'number' } }, { required: ['b'] }),
    ],
    [true, { type: 'string' }],
    [
      { properties: { b: { type: 'boolean' } }, required: ['b', 'c'] },
      object({ b: { type: 'boolean' } }, { required: ['b'] }),
    ],
  ]
  for (const [given, expected] of cases) assert.deepEqual(shownOf(given), expected, JSON.stringify(given))
})

test('choices that are no texts and patterns are shown in words', () => {
  assert.deepEqual(shownOf({ type: 'integer', enum: [1, 2], description: 'The level.' }), {
    type: 'integer',
    description: 'The level. One of 1, 2.',
  })
  assert.deepEqual(shownOf({ type: ['string', 'null'], pattern: '^a+$' }), {
    anyOf: [{ type: 'string', description: 'Matches ^a+$' }, { type: 'null' }],
  })
})

test('references are followed within the schema, and a circle comes to an end', () => {
  const schema = {
    ...object({ a: { $ref: '#/$defs/node' }, far: { $ref: 'https://example.com/schema' } }),
    $defs: { node: object({ next: { $ref: '#/$defs/node' }, name: { type: 'string' } }) },
  }
  const shown = JSON.stringify(schemaForModels(schema))
  assert.ok(!shown.includes('$ref') && shown.length < 2_000, shown)
  assert.match(shown, /"name":\{"type":"string"\}/)
  const wild = object({}, { $ref: '#', allOf: [{ $ref: '#' }, { $ref: '#' }, { $ref: '#' }] })
  assert.doesNotThrow(() => schemaForModels(wild))
  const wide = object(Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`p${at}`, {}])))
  assert.equal(schemaForModels(wide), null)
  // Put together once for each place that names it, this would take a second of the server.
  const required = Array.from({ length: 5_000 }, (_, at) => `p${at}`)
  const refsTo = (name: string) => ({
    allOf: Array.from({ length: 13 }, () => ({ $ref: `#/$defs/${name}` })),
  })
  const heavy = object({}, { ...refsTo('b'), $defs: { b: refsTo('c'), c: { required } } })
  assert.equal(schemaForModels(heavy), null)
})

test('names fit every provider, and differ by connection and tool', () => {
  const names = ['search', 'a.b/c d', 'ß'.repeat(300), '__', 'n'.repeat(300)].map(name =>
    toolNameFor('con_1', name),
  )
  for (const name of names) assert.match(name, /^mcp_[A-Za-z0-9_-]{1,60}$/)
  assert.ok(names.every(({ length }) => length <= 64))
  assert.equal(new Set([...names, toolNameFor('con_2', 'search')]).size, 6)
})

test('the hash is of what is pinned, in whatever order it comes', async () => {
  const hashOf = async (tool: object) => {
    const { tools } = await readTools('con_1', [tool], async () => null)
    return tools[0]?.hash
  }
  const inputSchema = { type: 'object', properties: { b: { type: 'string' }, a: { type: 'string' } } }
  const tool = { name: 'search', description: 'Searches.', inputSchema, annotations: { readOnlyHint: true } }
  const turned = {
    annotations: { readOnlyHint: true },
    inputSchema: { properties: { a: { type: 'string' }, b: { type: 'string' } }, type: 'object' },
    description: 'Searches.',
    name: 'search',
    title: 'Another title',
  }
  const hash = await hashOf(tool)
  assert.equal(await hashOf(turned), hash)
  for (const other of [
    { ...tool, description: 'Searches. ' },
    { ...tool, annotations: { readOnlyHint: false } },
    { ...tool, inputSchema: { ...inputSchema, required: ['a'] } },
  ]) {
    assert.notEqual(await hashOf(other), hash)
  }
})
