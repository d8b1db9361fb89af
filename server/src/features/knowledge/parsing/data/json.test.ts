import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDocument } from '../../../../testing/knowledge/read-document.ts'

const textOf = async (json: string, name = 'a.json'): Promise<string> => (await readDocument(json, name)).text

test('minified JSON is laid out in lines of keys and values', async () => {
  const json =
    '{"name":"Köln","rates":[120,130.50],"manager":{"name":"Ann","mail":null},"items":[{"sku":1,"tags":["a","b"]},{"sku":2}],"none":[]}'
  assert.equal(
    await textOf(json),
    'name: Köln\nrates: 120, 130.50\nmanager:\n  name: Ann\n  mail: null\nitems:\n  - sku: 1\n    tags: a, b\n  - sku: 2\nnone:',
  )
})

test('numbers keep all their digits, repeated keys are kept', async () => {
  assert.equal(
    await textOf('{"id":12345678901234567890,"id":1.10,"text":"a\\"b\\u00e9\\\\"}'),
    'id: 12345678901234567890\nid: 1.10\ntext: a"bé\\',
  )
})

test('JSON lines and the elements of a list are records of their own', async () => {
  assert.equal(
    await textOf('{"a":1}\n{"a":2,"b":[[1,2],[3]]}\n', 'a.jsonl'),
    'a: 1\n\na: 2\nb:\n  - 1, 2\n  - 3',
  )
  assert.equal(await textOf('[{"a":1},"two",3]'), 'a: 1\n\ntwo, 3')
})

test('what is no JSON is kept as it stands there', async () => {
  for (const text of [
    '{"a": 1,}',
    '// a comment\n{"a": 1}',
    '{"a": "cut o',
    '[1, 2',
    '{"a": tru}',
    '{"a": "\\x"}',
  ]) {
    assert.equal(await textOf(text), text)
  }
})

test('JSON nested without end, and a string of five megabytes, lose nothing', async () => {
  const deep = `${'['.repeat(200_000)}1${']'.repeat(200_000)}`
  assert.equal((await textOf(deep)).length, deep.length)
  const long = 'w\\n'.repeat(100_000) + 'x'.repeat(5_000_000)
  assert.match((await textOf(`{"text":"${long}"}`)).slice(-10), /^x+$/)
  const escapes = '\\\\'.repeat(1_000_000)
  assert.equal((await textOf(`{"t":"${escapes}"}`)).length, 1_000_003)
})
