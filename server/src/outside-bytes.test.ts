/**
 * The entries of bytes from outside: every place that takes bytes or parses them stands in a list with its reason, and
 * the entries behind the gate are sent the shapes that make parsers slow.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { gated, jsonIn, readForm } from '../../connectors/src/gate/gate.ts'
import { readReply } from '../../connectors/src/gate/parse-json.ts'
import { reducedReply } from '../../connectors/src/mcp/messages.ts'
import { withoutOuter, withoutTrailing } from '../../connectors/src/trim.ts'
import { ArchivedChunk, ArchivedDocument, maxJsonBytes } from './features/knowledge/archive/format.ts'
import { openArchive, readJson, readLines } from './features/knowledge/archive/read-archive.ts'
import { createSend } from './features/webhooks/deliveries/send.ts'
import { createChatCompletions } from './platform/models/chat-completions/chat-completions.ts'
import { modelTextLimits } from './platform/text/model-text.ts'
import { mebibyte, outsideShapes } from './testing/costs/outside-shapes.ts'
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

const forms = new Map(Object.values(outsideShapes).map(shape => [shape, shape.replaceAll(',', '&')]))

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
const entryOf = (text: string) => {
  const bytes = Buffer.from(text)
  return { name: 'document.json', sizeBytes: bytes.length, bytes: Readable.from([bytes]) }
}
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
  'an embedding model’s reply': async shape =>
    await createChatCompletions({
      baseUrl: 'https://a.example',
      apiKey: null,
      fetch: async () => replied(shape),
    })
      .embeddingModel('m')
      .doEmbed({ values: ['a'] }),
  'a chat model’s reply in one piece': async shape => {
    const model = createChatCompletions({
      baseUrl: 'https://a.example',
      apiKey: null,
      fetch: async () => replied(`{"choices":${shape}}`),
    }).languageModel('m')
    const { stream } = await model.doStream({ prompt: [] })
    for await (const _ of stream);
  },
  'an entry of an archive': shape => readJson(entryOf(shape), ArchivedDocument),
  'lines of an archive': shape => readLines(entryOf(shape), ArchivedChunk),
  'a whole archive': async shape => {
    const entries = pack()
    entries.entry({ name: 'manifest.json' }, shape)
    entries.finalize()
    await openArchive(Readable.from([gzipSync(await buffer(entries), { level: 1 })]), () => undefined)
  },
  'a reply to a webhook or a callback': shape =>
    createSend({ safeFetch: async () => replied(shape), clock: Date.now, timeoutMs: 1_000 })({
      owner: 'a',
      url: 'https://a.example',
      headersAt: () => ({}),
      body: '',
      signal: new AbortController().signal,
    }),
}

for (const [entry, read] of Object.entries(behindTheGate))
  test(`${entry} takes 50 ms of the main thread at most, whatever its shape`, async t => {
    const slow: string[] = []
    for (const [shape, text] of Object.entries(outsideShapes)) {
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

test('a text as long as an entry of an archive may be gives others their turn', async () => {
  const text = JSON.stringify({ title: 'x'.repeat(maxJsonBytes - 100) })
  assert.ok((await cheapestTurnMs(50, () => readJson(entryOf(text), ArchivedDocument).catch(String))) <= 50)
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
