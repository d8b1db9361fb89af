import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { createStrangersSchemas, type JsonSchema, startThread } from './strangers-schemas.ts'

const schemas = createStrangersSchemas()
after(() => schemas.close())

/** The processor time that this thread takes beside the thread for schemas: the longest task of its event loop, in ms. */
async function longestTask(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = process.threadCpuUsage()
  const look = () => {
    const used = process.threadCpuUsage(last)
    longest = Math.max(longest, (used.user + used.system) / 1_000)
    last = process.threadCpuUsage()
  }
  const timer = setInterval(look, 1)
  await work()
  clearInterval(timer)
  look()
  return longest
}

const runaway = '^(?:a{60}b^|(a+)+$)'
const manyProperties = (count: number): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`field${i}`, { type: 'string', minLength: 1 }]),
  ),
})
const deepAlternatives = (depth: number): JsonSchema =>
  depth === 0 ? { type: 'string' } : { anyOf: [deepAlternatives(depth - 1), deepAlternatives(depth - 1)] }
const references = (count: number): JsonSchema => ({
  $defs: Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `d${i}`,
      { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
    ]),
  ),
  $ref: '#/$defs/d0',
})
const hostile: Record<string, JsonSchema> = {
  'a pattern that never ends': { type: 'string', pattern: runaway },
  'an example beside it': { type: 'string', pattern: '^(a+)+$', examples: [`${'a'.repeat(40)}!`] },
  'a class that is none': { type: 'string', pattern: '[z-a]' },
  'many properties': manyProperties(500),
  'too many properties': manyProperties(1_100),
  'alternatives in alternatives': deepAlternatives(9),
  'references that double': references(40),
  'itself without end': { $ref: '#' },
  'a long enumeration': { enum: Array.from({ length: 2_400 }, (_, i) => `value ${i}`) },
  'a prefix of many': { type: 'array', minItems: 5_000, items: { type: 'array', minItems: 5_000 } },
}

for (const [name, schema] of Object.entries(hostile))
  test(`no schema holds up the server: ${name}`, async () => {
    const work = async () => {
      await schemas.faultOf(schema, 'workspace')
      await schemas.check(schema, 'a'.repeat(60_000), 'workspace', 'output')
      // Some of them are refused, each in a thread of its own.
      await Promise.allSettled([schemas.sample(schema, 'any text', 'workspace')])
    }
    let task = await longestTask(work)
    // Schemas cost the same every time. Compiling this process's code and collecting its garbage do not.
    for (let again = 0; again < 2 && task >= 50; again++) task = Math.min(task, await longestTask(work))
    assert.ok(task < 50, `one task took ${task} ms of the main thread`)
  })

test('a thread that had to be ended leaves the next schema unharmed', async () => {
  const spin = { type: 'string', pattern: runaway }
  const [slow, quick] = await Promise.all([
    schemas.check(spin, `${'a'.repeat(61)}!`, 'one', 'output'),
    schemas.check({ type: 'number' }, 7, 'other', 'output'),
  ])
  assert.deepEqual(slow, [{ field: 'output', message: 'could not be checked in time' }])
  assert.deepEqual(quick, [])
})

test('a thread that ends while it has nothing to do is replaced by the next question', async context => {
  const threads: Worker[] = []
  const own = createStrangersSchemas(async () => {
    const thread = await startThread()
    threads.push(thread)
    return thread
  })
  context.after(own.close)
  assert.deepEqual(await own.check({ type: 'number' }, 7, 'one', 'output'), [])
  await threads[0]?.terminate()
  assert.deepEqual(await own.check({ type: 'number' }, 7, 'one', 'output'), [])
  assert.equal(threads.length, 2)
})

test('a faulty schema is remembered as well as a sound one: asked again, it costs no time of the thread', async () => {
  const faulty = { type: 'strange' }
  const first = await schemas.faultOf(faulty, 'one')
  assert.match(first?.message ?? '', /is no JSON Schema/)
  let isAnswered = false
  void schemas.faultOf({ ...faulty }, 'one').then(fault => {
    isAnswered = true
    assert.deepEqual(fault, first)
  })
  // What is remembered needs no turn of the event loop, which an answer of the thread does.
  for (let i = 0; i < 5; i++) await Promise.resolve()
  assert.ok(isAnswered)
})

test('the limits of a schema are told with the place and what to do', async () => {
  const faultOf = async (schema: JsonSchema) => await schemas.faultOf(schema, 'one')
  assert.match((await faultOf(manyProperties(1_100)))?.message ?? '', /at most 2500 keywords/)
  assert.match((await faultOf({ description: 'x'.repeat(70_000) }))?.message ?? '', /65536 bytes/)
  assert.deepEqual(await faultOf({ properties: { a: { pattern: 'x'.repeat(1_001) } } }), {
    field: 'properties.a.pattern',
    message: 'must have at most 1000 characters',
  })
  assert.equal((await faultOf({ $ref: 'https://example.com/schema' }))?.field, '$ref')
})

test('a workspace with two hundred schemas in the queue delays another by one of them, whatever is asked', async () => {
  const asked = {
    sample: (owner: string) => schemas.sample({ type: 'string' }, 'any text', owner),
    check: (owner: string) => schemas.check({ type: 'string' }, 'any text', owner, 'output'),
  }
  for (const [name, ask] of Object.entries(asked)) {
    const done: string[] = []
    const work = async (owner: string) => {
      await ask(owner)
      done.push(owner)
    }
    await Promise.all([...Array.from({ length: 200 }, () => work('busy')), work('other')])
    assert.ok(done.indexOf('other') <= 2, `${name}: ${done.indexOf('other')} were done before`)
  }
})
