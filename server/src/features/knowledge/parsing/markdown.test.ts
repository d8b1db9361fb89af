import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blocksOf, readDocument } from '../../../testing/knowledge/read-document.ts'
import { writeMarkdown } from './markdown.ts'

const read = async (text: string) => blocksOf(await readDocument(text, 'a.md'))

test('tags of HTML are read as in a page, and break words as they do there', async () => {
  assert.deepEqual(
    await read(
      '| Service | Ports |\n|---|---|\n| Broker | 5672<br>15672 |\n\n<table><tr><th>Plan</th><th>Seats</th></tr><tr><td>Basic</td><td>5</td></tr></table>\n\n10<sup>5</sup> <!-- not this -->',
    ),
    ['table: Service | Ports\nBroker | 5672 15672', 'table: Plan | Seats\nBasic | 5', 'paragraph: 10^5'],
  )
})

test('the settings above a text are its title and lines of it', async () => {
  const settings =
    '---\ntitle: "A list for new staff"\ntags: [forklift, safety]\nauthors:\n  - Mira Voss\n  - Jo Hahn\n---\n\nThe text.\n'
  assert.deepEqual(await read(settings), [
    'heading1: A list for new staff',
    'paragraph: tags: forklift, safety\nauthors: Mira Voss, Jo Hahn',
    'paragraph: The text.',
  ])
  assert.deepEqual(await read('---\n\nA rule above\n\n---\n'), ['paragraph: A rule above'])
})

test('a long table is one table, however many parts the parser needs', async () => {
  const rows = Array.from({ length: 300 }, (_, index) => [
    `K${index}`,
    `value of item number ${index}`,
    String(index),
  ])
  const shown = (row: readonly string[]) => `| ${row.join(' | ')} |`
  const text = [
    shown(['Article', 'Text', 'Cost']),
    '|---|---|---|',
    ...rows.map(shown),
    '',
    'Behind it.',
  ].join('\n')
  const blocks = await read(text)
  assert.deepEqual(blocks, [
    `table: ${[['Article', 'Text', 'Cost'], ...rows].map(row => row.join(' | ')).join('\n')}`,
    'paragraph: Behind it.',
  ])
})

test('rows with marks are read like those without, in their order, and 50,000 rows take under two seconds', async () => {
  const kinds = [
    ['plain', 'plain'],
    ['**bold** `a\\|b`', 'bold a|b'],
    ['', ''],
    ['[portal](https://a.example/x)', 'portal (https://a.example/x)'],
    ['&amp; a\\\\', '& a\\'],
    ['a<br>b ![a picture](x.png)', 'a b a picture'],
  ] as const
  const cells = Array.from({ length: 50_000 }, (_, index) => kinds[index % kinds.length] ?? kinds[0])
  const text = `| No. | Cell |\n|---|---|\n${cells.map(([cell], index) => `| ${index} | ${cell} |\n`).join('')}\nBehind it.\n`
  const begun = process.cpuUsage()
  const found: [string, string][] = []
  let pictures = 0
  writeMarkdown(
    text,
    { add: (kind, block) => void (block !== '' && found.push([kind, block])) },
    (_, { count = 0 } = {}) => (pictures += count),
  )
  const { user } = process.cpuUsage(begun)
  const rows = cells.map(([, shown], index) => `${index} | ${shown}`)
  assert.deepEqual(found, [
    ['table', `No. | Cell\n${rows.join('\n')}`],
    ['paragraph', 'Behind it.'],
  ])
  assert.equal(pictures, cells.filter(([cell]) => cell.includes('![')).length)
  // The parser took over three for all of them.
  assert.ok(user < 2_000_000, `${user} µs`)
})

test('a mark in a row that is explained behind the table is found there', async () => {
  const rows = Array.from({ length: 400 }, (_, index) => `| ${index} | the [portal] |`)
  const blocks = await read(
    `| No. | Place |\n|---|---|\n${rows.join('\n')}\n\n[portal]: https://a.example/x\n`,
  )
  assert.match(blocks[0] ?? '', /\n399 \| the portal$/)
})

test('addresses, struck words and boxes are kept', async () => {
  assert.deepEqual(
    await read(
      'See [the portal](https://a.example/x) or <https://b.example>. ~~30~~ 20 days.\n\n- [x] signed\n- [ ] sent\n',
    ),
    [
      'paragraph: See the portal (https://a.example/x) or https://b.example. ~~30~~ 20 days.',
      'list: - [x] signed',
      'list: - [ ] sent',
    ],
  )
})
