/**
 * The entries of bytes from outside: every place that takes bytes or parses them stands in a list with its reason, and
 * the entries behind the gate are sent the shapes that make parsers slow.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { gated, jsonIn, readForm } from '../../connectors/src/gate/gate.ts'
import { readReply } from '../../connectors/src/gate/parse-json.ts'
import { reducedReply } from '../../connectors/src/mcp/messages.ts'
import { withoutOuter, withoutTrailing } from '../../connectors/src/trim.ts'
import { modelTextLimits } from './platform/text/model-text.ts'
import { cheapestTurnMs } from './testing/costs/processor-time.ts'
import { type Entry, entries, reasons } from './testing/outside-entries.ts'

const root = resolve(import.meta.dirname, '../..')
const files = globSync(['server/src/**/*.{ts,js}', 'connectors/src/**/*.ts'], { cwd: root })
  .filter(path => !/\.test\.ts$|\/testing\/|\/reference\/assets\//.test(path))
  .sort()
const sources = new Map(files.map(path => [path, readFileSync(resolve(root, path), 'utf8')]))

/** What takes bytes that this process may not have made, or parses them. */
const takes =
  /\bJSON\.parse\(|\.json\(\)|\breadFile(?:Sync)?\(|\bcreateReadStream\(|\.getReader\(|\bnew URLSearchParams\(\w|import\('undici'\)|\bfetch\((?!caller)|\bnet\.connect\(/g

/** Comments and texts name such calls too. */
const codeOf = (source: string): string =>
  source
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .split('\n')
    .filter(line => !/^\s*\/\//.test(line))
    .join('\n')

test('each place that takes or parses bytes is listed with its reason, and the list names no other', () => {
  const found = Object.fromEntries(
    [...sources].flatMap(([path, source]): [string, number][] => {
      const count = [...codeOf(source).matchAll(takes)].length
      return count === 0 ? [] : [[path, count]]
    }),
  )
  const listed = Object.fromEntries(
    Object.entries(entries).map(([path, { calls }]: [string, Entry]) => [path, calls]),
  )
  assert.deepEqual(found, listed)
  for (const { why } of Object.values(entries)) assert.ok(why in reasons, why)
})

/** A literal expression; what stands before it tells it from a division. */
const literal =
  /(?:^|[=(,:[!&|?{};]|=>|return)\s*\/((?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/[dgimsuvy]*/gm
/** A sign or class, as often as it likes, at the end, with nothing before it: `/\s+$/`. Each place is tried to the end. */
const trailing = /(?:^|\|)(?:\\[pP]\{[^}]*\}|\\.|\[(?:[^\]\\]|\\.)*\]|[^\\[\]()|^$.*+?{}])[+*]\$/
/** The first branch takes every run that does not stand at the end. */
const harmless = ['\\s*\\S+|\\s+$']

test('no expression takes off a run of signs at the end', () => {
  const faults = [...sources].flatMap(([path, source]) =>
    [...source.matchAll(literal)]
      .map(([, expression = '']) => expression)
      .filter(expression => trailing.test(expression) && !harmless.includes(expression))
      .map(expression => `${path}: /${expression}/ — use withoutTrailing of connectors/src/trim.ts`),
  )
  assert.deepEqual(faults, [])
  for (const faulty of ['\\/+$', '^_+|_+$', '0+$', '[ /]+$', '\\s*$'])
    assert.ok(trailing.test(faulty), faulty)
  for (const fine of ['^\\d+$', '\\.\\d+$', '^[a-z]+$']) assert.ok(!trailing.test(fine), fine)
})

const mebibyte = 1024 * 1024
const shapes: Record<string, string> = {
  '400,000 empty objects': `[${'{},'.repeat(399_999)}{}]`,
  '330,000 keys': `{${Array.from({ length: 330_000 }, (_, at) => `"k${at}":1`).join()}}`,
  '1.9 M brackets': '['.repeat(950_000) + ']'.repeat(950_000),
  'one text': JSON.stringify('x'.repeat(4 * mebibyte - 100)),
  'numbers at both ends': `[${'1e308,-1e308,5e-324,1e999,9007199254740993,'.repeat(40_000)}-1e999]`,
}

const forms = new Map(Object.values(shapes).map(shape => [shape, shape.replaceAll(',', '&')]))

const replied = (text: string, type = 'application/json'): Response =>
  new Response(text, { headers: { 'content-type': type } })
const mcpMessage = (result: string): string => `{"jsonrpc":"2.0","id":1,"result":${result}}`
const readMcp = (reply: Response): Promise<unknown> =>
  reducedReply(reply, {
    maxBytes: 4 * mebibyte,
    onResult: () => undefined,
    onEnd: () => undefined,
    failed: error => error,
  }).text()
const limits = { maxBytes: mebibyte, maxValues: 5_000, maxDepth: 50, maxTextBytes: 65_536 }

/** Reads the shape as the entry does; the entry may refuse it. */
const behindTheGate: Record<string, (shape: string) => Promise<unknown>> = {
  'a service’s reply': shape => readReply(replied(shape)),
  'an OAuth or OIDC reply': shape => gated(replied(shape), limits).json(),
  'metadata of a client or an authorization server': async shape => jsonIn(shape),
  'an answer or a call’s arguments in JSON': async shape => jsonIn(shape, modelTextLimits),
  'a form': async shape => readForm(forms.get(shape) ?? ''),
  'an MCP reply in JSON': shape => readMcp(replied(mcpMessage(`{"tools":${shape}}`))),
  'an MCP reply of events': shape =>
    readMcp(replied(`data: ${mcpMessage(`{"content":${shape}}`)}\n\n`, 'text/event-stream')),
}

for (const [entry, read] of Object.entries(behindTheGate))
  test(`${entry} takes 50 ms of the main thread at most, whatever its shape`, async t => {
    const slow: string[] = []
    for (const [shape, text] of Object.entries(shapes)) {
      let outcome = 'read'
      const ms = await cheapestTurnMs(50, async () => {
        await read(text).catch((error: unknown) => {
          outcome = error instanceof Error ? error.message.slice(0, 60) : 'refused'
        })
      })
      t.diagnostic(`${entry} × ${shape}: ${Math.round(ms)} ms, ${outcome}`)
      if (ms > 50) slow.push(`${shape}: ${Math.round(ms)} ms`)
    }
    assert.deepEqual(slow, [])
  })

test('four hundred thousand small events give others their turn', async () => {
  const text = 'data: 1\n\n'.repeat(400_000)
  assert.ok((await cheapestTurnMs(50, () => readMcp(replied(text, 'text/event-stream')))) <= 50)
})

test('a sign is taken off the ends of a text of any length in a turn', async () => {
  assert.equal(withoutTrailing('a//b///', '/'), 'a//b')
  assert.equal(withoutOuter('__a_b__', '_'), 'a_b')
  assert.equal(withoutTrailing('///', '/'), '')
  const long = `${'/'.repeat(1_000_000)}x`
  assert.ok((await cheapestTurnMs(50, async () => withoutTrailing(long, '/'))) <= 50)
})
