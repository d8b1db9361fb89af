import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Chunk, chunksOf, codePointLength, maxChunkLength } from './chunking.ts'
import { type BlockKind, createTextWriter, type ExtractedText } from './text-writer.ts'

const kinds: readonly BlockKind[] = ['heading', 'paragraph', 'list', 'table', 'code']

test('later chunks of a table have its column names above them, also where titles stand above the names', () => {
  const rows = Array.from({ length: 200 }, (_, index) => `QX-${index} | Part number ${index} | ${index}.50`)
  const writer = createTextWriter()
  writer.add('table', ['Stock of the mill', 'Article | Text | Price', ...rows].join('\n'))
  const [, ...later] = [...chunksOf(writer.finish())]
  assert.ok(later.length > 1)
  for (const { headings } of later) assert.deepEqual(headings, ['Article | Text | Price'])
})

/** Letters of one and of two units, marks, joiners, spaces and line ends: all that can be cut wrongly. */
const anyText = fc
  .array(
    fc.constantFrom(
      'a',
      'Wort ',
      'e\u0301',
      '😀',
      '👩‍👩‍👧',
      '漢字。',
      '\n',
      '\n\n',
      '  ',
      '\t',
      'End. ',
      '𝒳',
      '\ud800',
      '\0',
      '…',
    ),
    { minLength: 1, maxLength: 400 },
  )
  .map(parts => parts.join(''))

const anyDocument = fc
  .array(
    fc.record({
      kind: fc.constantFrom(...kinds),
      level: fc.integer({ min: 1, max: 6 }),
      text: anyText,
      repeat: fc.constantFrom(1, 1, 1, 20),
      page: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map(written)

function written(
  parts: { kind: BlockKind; level: number; text: string; repeat: number; page: number | undefined }[],
): ExtractedText {
  const writer = createTextWriter()
  // Without it, a document of white space alone would have no text.
  writer.add('paragraph', 'Begin')
  for (const { kind, level, text, repeat, page } of parts) {
    writer.add(kind, text.repeat(repeat), {
      level: kind === 'heading' ? level : undefined,
      page,
    })
  }
  return writer.finish()
}

const chunksIn = (document: ExtractedText): Chunk[] => [...chunksOf(document)]

test('the text between the code-point offsets of a chunk is the text of the chunk', () => {
  fc.assert(
    fc.property(anyDocument, document => {
      const codePoints = Array.from(document.text)
      for (const chunk of chunksIn(document)) {
        assert.equal(codePoints.slice(chunk.startOffset, chunk.endOffset).join(''), chunk.text)
      }
    }),
    { numRuns: 300 },
  )
})

test('the chunks with their gaps are the whole text, and a gap is nothing but white space', () => {
  fc.assert(
    fc.property(anyDocument, document => {
      const chunks = chunksIn(document)
      assert.equal(chunks.map(({ text, gap }) => text + gap).join(''), document.text)
      for (const { text, gap } of chunks) {
        assert.equal(gap.trim(), '')
        assert.ok(text.length > 0 && text.length <= maxChunkLength && text.isWellFormed())
      }
    }),
    { numRuns: 300 },
  )
})

test('a chunk lies on one page', () => {
  fc.assert(
    fc.property(anyDocument, document => {
      let at = 0
      for (const { text, gap, page } of chunksIn(document)) {
        const pages = document.blocks
          .filter(block => block.start < at + text.length && block.end > at)
          .map(block => block.page)
        assert.deepEqual([...new Set(pages)], [page])
        at += text.length + gap.length
      }
    }),
  )
})

test('a heading stays with what follows it, and names the path of its section', () => {
  const writer = createTextWriter()
  writer.add('heading', 'Handbook', { level: 1 })
  writer.add('paragraph', 'First sentence of the section. '.repeat(40))
  writer.add('heading', 'Leave', { level: 2 })
  writer.add('heading', 'Parental leave', { level: 3 })
  writer.add('paragraph', 'Twelve weeks are paid.')
  const chunks = chunksIn(writer.finish())
  assert.equal(chunks.length, 2)
  assert.deepEqual(chunks[0]?.headings, ['Handbook'])
  assert.deepEqual(chunks[1]?.headings, ['Handbook', 'Leave', 'Parental leave'])
  assert.equal(chunks[1]?.text, 'Leave\n\nParental leave\n\nTwelve weeks are paid.')
})

test('a long paragraph is cut behind a sentence, a long table behind a row', () => {
  const writer = createTextWriter()
  writer.add('paragraph', 'A sentence that says something. '.repeat(200))
  writer.add('table', 'name | amount\n'.repeat(300))
  for (const { text } of chunksIn(writer.finish())) assert.match(text, /(something\.|amount)$/)
})

test('the later chunks of a long table stand under its header row, and one of numbers is no header', () => {
  const chunksUnder = (header: string): Chunk[] => {
    const writer = createTextWriter()
    writer.add('heading', 'Rates', { level: 1 })
    writer.add('table', `${header}\n${'Köln | 120\n'.repeat(400)}`)
    return chunksIn(writer.finish())
  }
  const [first, ...later] = chunksUnder('City | Rate')
  assert.deepEqual(first?.headings, ['Rates'])
  assert.match(first?.text ?? '', /^Rates\n\nCity \| Rate\n[\s\S]*120$/)
  assert.ok(later.length > 1)
  for (const { headings, text } of later) {
    assert.deepEqual(headings, ['Rates', 'City | Rate'])
    assert.match(text, /^Köln \| 120\n[\s\S]*120$/)
  }
  assert.ok(chunksUnder('2023 | 119').every(({ headings }) => headings.length === 1))
})

test('the title of a slide is no heading of the next one', () => {
  const writer = createTextWriter()
  writer.add('heading', 'First slide', { level: 1, page: 1, opensPart: true })
  writer.add('paragraph', 'Words.', { page: 1 })
  writer.add('paragraph', 'A slide without a title.', { page: 2, opensPart: true })
  assert.deepEqual(
    chunksIn(writer.finish()).map(({ headings, page }) => [page, headings]),
    [
      [1, ['First slide']],
      [2, []],
    ],
  )
})

test('items within items keep their indentation, also where a chunk begins with one', () => {
  const writer = createTextWriter()
  for (let i = 0; i < 200; i++) writer.add('list', `${i % 2 === 0 ? '' : '  '}- item ${i} of the list`)
  const document = writer.finish()
  assert.ok(document.text.includes('\n  - item 1 '))
  assert.equal(
    chunksIn(document)
      .map(({ text, gap }) => text + gap)
      .join(''),
    document.text,
  )
})

test('a table and code that fit into a chunk are not cut', () => {
  const writer = createTextWriter()
  writer.add('paragraph', 'Words before it. '.repeat(50))
  const code = 'const x = 1\n'.repeat(100).trimEnd()
  writer.add('code', code)
  assert.ok(chunksIn(writer.finish()).some(({ text }) => text.includes(code)))
})

test('five million letters without a space lose none of them', () => {
  const writer = createTextWriter()
  writer.add('paragraph', 'ab😀'.repeat(1_250_000))
  const chunks = chunksIn(writer.finish())
  assert.equal(
    chunks.reduce((sum, { text }) => sum + codePointLength(text), 0),
    3_750_000,
  )
})
