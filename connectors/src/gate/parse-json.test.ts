import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cheapestTurnMs } from '../../../server/src/testing/costs/processor-time.ts'
import { parseJson } from './parse-json.ts'

const mostMs = 50
const tree = Array.from({ length: 5_000 }, (_, i) => ({
  path: `a "folder"\\${i}, [b]/{c}: é😀`,
  size: i,
  isFile: i % 2 === 0,
  tags: [null, [], {}, 'x,y'],
}))

test('a long text becomes the very values that JSON.parse makes of it', async () => {
  const long = 'a\\"'.repeat(100_000)
  for (const value of [
    tree,
    { truncated: false, tree, nested: { deeper: { tree: [tree, []] } }, last: 1 },
    { tree: { tree }, long, short: 'x' },
    Object.fromEntries(tree.map(({ path }, i) => [`${path}${i}`, i])),
    [[long, long], long],
    long,
  ])
    for (const text of [JSON.stringify(value), ` ${JSON.stringify(value, null, 2)}\n`])
      assert.deepEqual(await parseJson(text), value)
})

test('a field that is named like a prototype stays a field', async () => {
  const text = `{"__proto__": ${JSON.stringify(tree)}, "a": 1}`
  const parsed = (await parseJson(text)) as object
  assert.equal(Object.getPrototypeOf(parsed), Object.prototype)
  assert.deepEqual(Object.keys(parsed), ['__proto__', 'a'])
})

test('a long text that is no JSON is refused as a short one', async () => {
  const items = JSON.stringify(tree).slice(1, -1)
  for (const text of [
    `[${items}`,
    `${items}]`,
    `[${items},]`,
    `[,${items}]`,
    `[${items},,1]`,
    `[${items}}`,
    `[${items}]]`,
    `[${items}] x`,
    `{"a" ${JSON.stringify(tree)}}`,
    `{"a": ${JSON.stringify(tree)},}`,
    `{a: ${JSON.stringify(tree)}}`,
    `{"a":: ${JSON.stringify(tree)}}`,
    `{"a"x: ${JSON.stringify(tree)}}`,
    `{${JSON.stringify(tree)}: 1}`,
    `["${'a'.repeat(200_000)}]`,
  ]) {
    assert.throws(() => JSON.parse(text), SyntaxError)
    await assert.rejects(parseJson(text), SyntaxError, `${text.slice(0, 20)}…${text.slice(-20)}`)
  }
})

const mebibytes10 = 10 * 1024 * 1024
const shapes: Record<string, string> = {
  'small numbers': `[${'1,'.repeat(mebibytes10 / 2 - 2)}1]`,
  'empty objects': `{"a":[${'{},'.repeat(mebibytes10 / 3 - 4)}{}]}`,
  'many fields': `{${Array.from({ length: 500_000 }, (_, i) => `"field ${i}":${i}`).join()}}`,
  'lists in lists': `[${`[${'[],'.repeat(1_000)}[]],`.repeat(3_000)}1]`,
  'endless nesting': `${'['.repeat(mebibytes10 / 2)}${']'.repeat(mebibytes10 / 2)}`,
  'an opening without an end': '['.repeat(mebibytes10),
  'a text of escapes': `["${'\\n'.repeat(mebibytes10 / 2 - 2)}"]`,
  commas: `[${','.repeat(mebibytes10 - 2)}]`,
}

for (const [name, text] of Object.entries(shapes))
  test(`a reply of 10 MB holds others up for 50 ms at most: ${name}`, async () => {
    const ms = await cheapestTurnMs(mostMs, () => parseJson(text).catch(() => undefined))
    assert.ok(ms <= mostMs, `${ms} ms`)
  })
