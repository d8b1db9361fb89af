/** The position that is told of a text that is not JSON. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonFault } from './json-text.ts'

test('the first sign that cannot stand where it does is named with its line and column', () => {
  const faults: [string, string][] = [
    ['{"name": x}', 'unexpected "x" in line 1, column 10'],
    ['{"name": "a",}', 'unexpected "}" in line 1, column 14: no comma may stand before it'],
    ['{\n  "a": 1\n  "b": 2\n}', 'unexpected "\\"" in line 3, column 3: a comma is missing before it'],
    ["{'a': 1}", 'unexpected "\'" in line 1, column 2: use straight double quotation marks'],
    ['{a: 1}', 'unexpected "a" in line 1, column 2: put each name in double quotation marks'],
    ['{"a": True}', 'unexpected "T" in line 1, column 7: write true, false or null in lower case'],
    ['{"a": NaN}', 'unexpected "N" in line 1, column 7: write null, or a number'],
    ['{"a": 1} // one', 'unexpected "/" in line 1, column 10: JSON has no comments'],
    ['{“a”: 1}', 'unexpected "“" in line 1, column 2: use straight double quotation marks'],
    ['{"a": 01}', 'unexpected "1" in line 1, column 8'],
    ['{"a": "\\x"}', 'unexpected "\\\\" in line 1, column 8'],
    ['{"a": "b\nc"}', 'unexpected "\\n" in line 1, column 9'],
    ['{"a": [1, 2}', 'unexpected "}" in line 1, column 12'],
    ['{"a": 1} more', 'unexpected "m" in line 1, column 10'],
    ['{"a": 🙂}', 'unexpected "🙂" in line 1, column 7'],
    ['{"a": "', 'it ends too early, in line 1, column 8'],
    ['[', 'it ends too early, in line 1, column 2'],
    ['', 'it ends too early, in line 1, column 1'],
  ]
  for (const [text, fault] of faults) assert.equal(jsonFault(text), fault, text)
})

test('a fault is told of exactly those texts that the engine does not parse', () => {
  const signs = ['{', '}', '[', ']', '"', ':', ',', '1', '-', '.', 'e', 'null', ' ', '\\', 'u00e9', 'a']
  let state = 7
  const next = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
  const wholes = ['{"a":[1,{"b":null}],"c":"\\u00e9"}', '[-1.5e3,"x",{},[]]', ' "s" ', '0']
  const texts = Array.from({ length: 4_000 }, () => {
    const whole = wholes[next(wholes.length)] ?? ''
    const at = next(whole.length)
    return whole.slice(0, at) + signs[next(signs.length)] + whole.slice(at + next(2))
  })
  for (const text of [...wholes, ...texts]) assert.equal(jsonFault(text) === null, isJson(text), text)
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
