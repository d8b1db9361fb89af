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
/** A text of a quarter is tried first: one that takes the square needs a sixteenth of the time for it. */
const quarter = bytes / 4
const mostMsOfQuarter = mostMs / 16 / 2
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

function textsFor(source: string, bytes: number): string[] {
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
  const cpuMs = (): number => process.cpuUsage().user / 1_000
  const sandbox = createContext({ cpuMs })
  const script = new Script(`{
    const expression = new RegExp(source, flags)
    texts.map(text => {
      const begun = cpuMs()
      expression.test(text)
      return cpuMs() - begun
    })
  }`)
  const slow: string[] = []
  let [worstMs, worst] = [0, '']
  for (const [expression, path] of found) {
    const end = expression.lastIndexOf('/')
    const source = expression.slice(1, end)
    const timesOf = (texts: string[]): number[] => {
      Object.assign(sandbox, { source, flags: expression.slice(end + 1), texts })
      try {
        return script.runInContext(sandbox, { timeout: 60_000 })
      } catch {
        return texts.map(() => Number.POSITIVE_INFINITY)
      }
    }
    const suspects = timesOf(textsFor(source, quarter)).map(ms => ms > mostMsOfQuarter)
    for (const [index, text] of suspects.includes(true) ? textsFor(source, bytes).entries() : []) {
      if (!suspects[index]) continue
      // The cheapest of five: a busy machine may interrupt.
      let cheapest = Math.min(...timesOf([text]))
      for (let again = 0; again < 4 && cheapest > mostMs / 2; again++)
        cheapest = Math.min(cheapest, ...timesOf([text]))
      if (cheapest > worstMs) [worstMs, worst] = [cheapest, `${path} ${expression}`]
      if (cheapest <= mostMs) continue
      slow.push(`${path}: ${expression}, ${JSON.stringify(text.slice(0, 20))}: ${Math.round(cheapest)} ms`)
      break
    }
  }
  t.diagnostic(`${found.size} expressions; the slowest took ${worstMs.toFixed(1)} ms: ${worst}`)
  assert.deepEqual(slow, [])
})
