/**
 * What the server's own thread does with strangers' bytes, against texts that repeat one or two tokens, or one behind another:
 * that is where parsers and expressions turn out to take the square of the length. No task may take more than 50 ms of
 * processor time; work that gives others their turn is several tasks.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markdownOf } from '../../connectors/src/notion/notion-api.ts'
import { plainText } from '../../connectors/src/slack/messages.ts'
import { createSite } from '../../connectors/src/website/site.ts'
import { readOutput } from './features/agents/inputs/structured-output.ts'
import { fillVariables } from './features/agents/inputs/variables.ts'
import { citationsOf } from './features/agents/records/citations.ts'
import { checkedTimetable } from './features/agents/starters/schedule-round.ts'
import { parseTemplate, runInputs } from './features/agents/starters/template.ts'
import { evaluate } from './features/agents/tools/calculator.ts'
import { createRedaction } from './features/agents/traces/run-traces.ts'
import { parseFilterText } from './features/knowledge/filter/filter.ts'
import { chunksOf, maxChunkLength } from './features/knowledge/parsing/chunking.ts'
import { type Format, formats } from './features/knowledge/parsing/formats.ts'
import { parseSmallText } from './features/knowledge/parsing/parse-file.ts'
import { sniffBytes } from './features/knowledge/parsing/sniff.ts'
import { parseQuery } from './features/knowledge/search/ranking/query.ts'
import { analyse } from './platform/analysis/analyse.ts'
import { languages } from './platform/analysis/languages.ts'
import { ServiceError } from './platform/errors.ts'
import { createLog } from './platform/log.ts'
import { findAnswer } from './platform/models/extractive/answer.ts'
import { sentencesOf } from './platform/models/extractive/sentences.ts'
import { readScript } from './platform/models/sandbox/script.ts'
import { cheapestTurnMs } from './testing/costs/processor-time.ts'

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
    '«',
    '|',
    '{{',
    'ct_',
    '<#A',
  ],
]

/** A text of at least so many bytes. */
type Shape = { name: string; write(bytes: number): string }

const repeated = (token: string, bytes: number) => token.repeat(Math.ceil(bytes / Buffer.byteLength(token)))
const shapes: Shape[] = marks.flatMap((first, at) => [
  { name: JSON.stringify(first), write: bytes => repeated(first, bytes) },
  // A pair the other way round is the same text, without its first token.
  ...marks.slice(at + 1).map(
    (second): Shape => ({
      name: JSON.stringify(first + second),
      write: bytes => repeated(first + second, bytes),
    }),
  ),
  ...marks
    .filter(second => second !== first)
    .map(
      (second): Shape => ({
        name: `${JSON.stringify(second)} behind ${JSON.stringify(first)}`,
        write: bytes => first + repeated(second, bytes),
      }),
    ),
])
/**
 * Parts of the length: a short text shows what takes the cube of the length, and a long one would take hours. After a third
 * or a half, the time of most tasks cannot reach the limit any more.
 */
const parts = [1 / 64, 1 / 3, 1 / 2, 1]

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
  documentId: 'doc',
  documentVersion: 1,
  chunkId: 'chunk',
  title: 'A title',
  page: null,
  text,
  startOffset: 0,
  endOffset: text.length,
  cite: '[1]',
})

const log = createLog({ level: 'debug', write: () => undefined })
const website = (path: string) =>
  createSite(
    {
      url: `https://example.com/${path}`,
      discover: 'links',
      maxPages: 1,
      maxDepth: 1,
      documents: false,
      exclude: [],
    },
    'https://example.com',
  )

/** What refuses the text has read it as well. */
const failing = (work: (text: string) => unknown) => (text: string) => {
  try {
    work(text)
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error))
  }
}

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
  { name: 'a query', length: 4_000, work: text => parseQuery(text, languages) },
  { name: 'a filter', length: 16_000, work: text => parseFilterText(text) },
  { name: 'a calculation', length: 2_000, work: text => evaluate(text) },
  { name: 'a cron', length: 100, work: failing(text => checkedTimetable(text, 'UTC', 0)) },
  { name: 'a template', length: 20_000, work: failing(text => parseTemplate(text, 'field')) },
  {
    name: 'a payload in a prompt',
    length: 262_144,
    work: failing(text => runInputs({ promptTemplate: '{{body.text}}', variables: {} }, { text })),
  },
  { name: 'a script of the sandbox', length: 65_536, prefix: 'sim:slow=1ms ', work: readScript },
  { name: 'an answer in JSON', length: 65_536, work: text => readOutput(text, async () => []) },
  { name: 'the terms of a chunk', length: maxChunkLength, work: text => analyse(text, 'en') },
  { name: 'the sentences of a chunk', length: maxChunkLength, work: sentencesOf },
  {
    name: 'an answer from chunks',
    length: 5_000,
    work: text =>
      findAnswer(
        text,
        Array.from({ length: 4 }, (_, n) => passage(n + text.slice(0, maxChunkLength))),
      ),
  },
  {
    name: 'citations',
    length: 16_384,
    work: text =>
      citationsOf(`${text} [1]`, [{ number: 1, passage: passage(text.slice(0, maxChunkLength)) }]),
  },
  {
    name: 'many citations of one claim',
    length: 4_000,
    work: text =>
      citationsOf(`${text}${'[1][2]'.repeat(500)}`, [
        { number: 1, passage: passage(text.slice(0, maxChunkLength)) },
        { number: 2, passage: passage(text.slice(1, maxChunkLength)) },
      ]),
  },
  { name: 'variables in instructions', length: 50_000, work: text => fillVariables(text, { a: 'b' }, {}) },
  {
    name: 'taking out the words of a document',
    length: 32_768,
    work: text => createRedaction([text.slice(0, maxChunkLength)]).redact(text),
  },
  { name: 'a line of the log', length: 65_536, work: text => log.error('x', { error: new Error(text) }) },
  { name: 'a message of Slack', length: 40_000, work: text => plainText(text, async id => id) },
  {
    name: 'a text of Notion',
    length: 65_536,
    work: text => markdownOf([{ type: 'text', plain_text: `a${text}b`, annotations: { bold: true } }]),
  },
  { name: 'an address of a website', length: 65_536, work: text => website(`${text}/`).known(text) },
]

for (const { name, length, prefix = '', work } of tasks)
  test(`${name} takes 50 ms at most, whatever the text repeats`, async () => {
    const slow: string[] = []
    for (const { name: shape, write } of shapes)
      for (const part of parts) {
        const bytes = Math.ceil(length * part)
        const text = (prefix + write(bytes)).slice(0, bytes)
        const turnMs = await cheapestTurnMs(mostMs, () => settled(work, text))
        if (turnMs > mostMs) slow.push(`${shape}, ${bytes} bytes`)
        // A longer text cannot be slow either, even where the time grows with the cube of the length.
        const longestMs = turnMs / part ** 3
        if (turnMs > mostMs || longestMs <= mostMs) break
      }
    assert.deepEqual(slow, [])
  })

/** Throwing is an answer too. */
async function settled(work: Task['work'], text: string): Promise<void> {
  try {
    await work(text)
  } catch {
    // A fault of the text, which is told to its author.
  }
}
