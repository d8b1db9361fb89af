/**
 * Every expression of the server and its connectors, against long texts that repeat what it looks for: one that tries
 * each place to the end takes the square of the length.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { createContext, Script } from 'node:vm'

const root = resolve(import.meta.dirname, '../..')
const files = globSync(['server/src/**/*.ts', 'connectors/src/**/*.ts'], { cwd: root })
  .filter(path => !/\.test\.ts$|\/testing\/|\/reference\//.test(path))
  .sort()

/** A literal expression; what stands before it tells it from a division. */
const literal =
  /(?:^|[=(,:[!&|?{};]|=>|return)\s*\/((?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)/gm
/** One that repeats something without a limit, or nearly so. */
const repeats = /[+*]|\{\d+,\d*\}/

const bytes = 65_536
/** Twenty times what the slowest honest expression takes, and a hundredth of what the square takes. */
const mostMs = 50
const usualSigns = [
  ' ',
  '\t',
  '\n',
  '\r',
  'a',
  'A',
  '0',
  '_',
  '-',
  '.',
  '/',
  '"',
  '\\',
  'é',
  '中',
  '<',
  '{',
  '[',
  '(',
]

function textsFor(source: string): string[] {
  const plain = source.replaceAll(/\\[a-zA-Z]|[\\^$()[\]{}?*+|]/g, ' ')
  const words = [...new Set(plain.split(' ').filter(word => word.length > 1))].slice(0, 8)
  const signs = [...new Set([...usualSigns, ...plain])].slice(0, 40)
  const tokens = [...signs, ...words]
  const pairs = words.flatMap(word => signs.map(sign => word + sign))
  const few = signs.slice(0, 12)
  const twos = [...few.flatMap(one => few.map(other => one + other)), ...pairs]
  const long = (token: string, length: number): string => token.repeat(Math.ceil(length / token.length))
  return [
    ...[...tokens, ...twos].flatMap(token => [long(token, bytes), `${long(token, bytes)}\0`]),
    ...words.flatMap(word => signs.map(sign => `${word}${long(sign, bytes)}\0`)),
  ]
}

test('no expression takes more than 50 ms for a text of 64 KB, whatever the text repeats', t => {
  const found = new Map<string, string>()
  for (const path of files)
    for (const [, source = '', flags = ''] of readFileSync(resolve(root, path), 'utf8').matchAll(literal))
      if (repeats.test(source)) found.set(`/${source}/${flags.replace('g', '')}`, path)
  assert.ok(found.size > 100)
  const sandbox = createContext({ text: '' })
  const slow: string[] = []
  let [worstMs, worst] = [0, '']
  for (const [expression, path] of found) {
    const end = expression.lastIndexOf('/')
    const script = new Script(`new RegExp(source, flags).test(text)`)
    Object.assign(sandbox, { source: expression.slice(1, end), flags: expression.slice(end + 1) })
    const ms = (text: string): number => {
      sandbox.text = text
      const begun = process.cpuUsage().user
      try {
        script.runInContext(sandbox, { timeout: 30_000 })
      } catch {
        return Number.POSITIVE_INFINITY
      }
      return (process.cpuUsage().user - begun) / 1_000
    }
    for (const text of textsFor(expression.slice(1, end))) {
      // The cheapest of five: a busy machine may interrupt.
      let cheapest = ms(text)
      for (let again = 0; again < 4 && cheapest > mostMs / 2; again++) cheapest = Math.min(cheapest, ms(text))
      if (cheapest > worstMs) [worstMs, worst] = [cheapest, `${path} ${expression}`]
      if (cheapest <= mostMs) continue
      slow.push(`${path}: ${expression}, ${JSON.stringify(text.slice(0, 20))}: ${Math.round(cheapest)} ms`)
      break
    }
  }
  t.diagnostic(`${found.size} expressions; the slowest took ${worstMs.toFixed(1)} ms: ${worst}`)
  assert.deepEqual(slow, [])
})
