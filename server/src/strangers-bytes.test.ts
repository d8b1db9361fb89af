/**
 * What the server's own thread does with strangers' bytes, against texts that repeat one or two tokens: that is where parsers
 * and expressions turn out to take the square of the length. No task may take more than 50 ms of processor time.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { citationsOf } from './features/agents/execution/citations.ts'
import { readOutput } from './features/agents/inputs/structured-output.ts'
import { evaluate } from './features/agents/tools/expression.ts'
import { parseFilterText } from './features/knowledge/filter/filter.ts'
import { chunksOf, maxChunkLength } from './features/knowledge/parsing/chunking.ts'
import { type Format, formats } from './features/knowledge/parsing/formats.ts'
import { parseSmallText } from './features/knowledge/parsing/parse-file.ts'
import { sniffBytes } from './features/knowledge/parsing/sniff.ts'
import { analyse } from './features/knowledge/search/analyse.ts'
import { parseQuery } from './features/knowledge/search/query.ts'
import { findAnswer } from './platform/models/extractive/answer.ts'
import { sentencesOf } from './platform/models/extractive/sentences.ts'
import { readScript } from './platform/models/sandbox/script.ts'

const mostMs = 50
/** What readers of the formats and expressions give a meaning to. */
const marks = [
  ...[' ', '\n', '\r', '\t', '"', "'", ',', ';', '<', '>', '&', '{', '[', ']', '(', ')', '\\', '/', '-'],
  ...[
    '#',
    '*',
    '`',
    ':',
    '.',
    '!',
    '^',
    'a',
    '1',
    'Z.',
    'ก',
    '中',
    'ا',
    '\u2028',
    '[1]',
    '```',
    '{"a":',
    'sim:',
    '9!',
  ],
]
const tokens = marks.flatMap(first => [first, ...marks.map(second => first + second)])

const namesOf: Partial<Record<Format, string>> = {
  text: 'a.txt',
  lines: 'a.ts',
  csv: 'a.csv',
  json: 'a.json',
  xml: 'a.xml',
}
const readInServer = Object.entries(formats).flatMap(([format, { serverBytes }]) =>
  serverBytes === undefined ? [] : [{ format: format as Format, serverBytes }],
)

type Task = { name: string; length: number; prefix?: string; work: (text: string) => unknown }

const passage = (text: string) => ({
  ...{ documentId: 'doc', documentVersion: 1, chunkId: 'chunk', title: 'A title', page: null },
  ...{ text, startOffset: 0, endOffset: text.length, cite: '[1]' },
})
const everyLanguage = ['en', 'de', 'fr'] as const

const tasks: Task[] = [
  ...readInServer.map(({ format, serverBytes }) => ({
    name: `reading ${format}`,
    length: serverBytes,
    prefix: format === 'xml' ? '<?xml version="1.0"?><a>' : format === 'csv' ? 'a,b\n1,2\n' : '',
    work: async (text: string) => {
      const document = await parseSmallText(Buffer.from(text), namesOf[format] ?? 'unnamed')
      if (document !== null) for (const _ of chunksOf(document));
    },
  })),
  { name: 'finding out a format', length: 65_536, work: text => sniffBytes(Buffer.from(text), 'a.eml') },
  { name: 'a query', length: 4_000, work: text => parseQuery(text, everyLanguage) },
  { name: 'a filter', length: 16_000, work: text => parseFilterText(text) },
  { name: 'a calculation', length: 2_000, work: text => evaluate(text) },
  { name: 'a script of the sandbox', length: 65_536, prefix: 'sim:slow=1ms ', work: readScript },
  { name: 'an answer in JSON', length: 65_536, work: text => readOutput(text, async () => []) },
  { name: 'the terms of a chunk', length: maxChunkLength, work: text => analyse(text, 'en') },
  { name: 'the sentences of a chunk', length: maxChunkLength, work: sentencesOf },
  { name: 'an answer from a chunk', length: maxChunkLength, work: text => findAnswer(text, [passage(text)]) },
  {
    name: 'citations',
    length: 16_384,
    work: text =>
      citationsOf(`${text} [1]`, [{ number: 1, passage: passage(text.slice(0, maxChunkLength)) }]),
  },
]

for (const { name, length, prefix = '', work } of tasks)
  test(`${name} takes 50 ms at most, whatever the text repeats`, async () => {
    const slow: string[] = []
    for (const token of tokens) {
      const text = (prefix + token.repeat(Math.ceil(length / Buffer.byteLength(token)))).slice(0, length)
      // The first time includes compiling, and a busy machine may interrupt: a text that is slow is slow each time.
      for (let tries = 1; (await processorMs(work, text)) > mostMs; tries++)
        if (tries === 3) {
          slow.push(JSON.stringify(token))
          break
        }
    }
    assert.deepEqual(slow, [])
  })

/** Throwing is an answer too. */
async function processorMs(work: Task['work'], text: string): Promise<number> {
  const before = process.threadCpuUsage()
  try {
    await work(text)
  } catch {
    // A fault of the text, which is told to its author.
  }
  const used = process.threadCpuUsage(before)
  return (used.user + used.system) / 1_000
}
