import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Chunk, chunksOf, codePointLength, maxChunkLength } from './chunking.ts'
import { type BlockKind, createTextWriter, type ExtractedText } from './text-writer.ts'

const kinds: readonly BlockKind[] = ['heading', 'paragraph', 'list', 'table', 'code']

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
      ...(kind === 'heading' && { level }),
      ...(page !== undefined && { page }),
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
