/** That text in pictures is read on this machine, by Tesseract in a child. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { mixedPdfOf, pdfOf, scanOf } from '../../../../testing/knowledge/sample-files.ts'
import { scanned, tiffOf, turned } from '../../../../testing/knowledge/scans.ts'
import type { Chunk } from '../chunking.ts'
import { createParser, HasPictures } from '../parser.ts'
import { languageFile } from './tesseract.ts'
import { tiffAt } from './tiff.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-tesseract-test-'))
const parser = createParser({
  folder: join(folder, 'children'),
  recognition: { languages: ['eng'], timeoutMs: 120_000 },
})
after(() => {
  parser.close()
  rmSync(folder, { recursive: true, force: true })
})

type Read = { text: string; chunks: Chunk[]; pageCount: number | null; unreadPages: number }

async function read(content: Buffer, mayRecognise = true): Promise<Read> {
  const path = join(folder, 'file')
  writeFileSync(path, content)
  return parser.parse({
    path,
    name: 'file',
    environment: 'live',
    owner: 'workspace',
    signal: new AbortController().signal,
    onProgress: () => undefined,
    mayRecognise,
    use: async ({ chunks, pageCount, unreadPages }) => {
      const all = (await Array.fromAsync(chunks)).flat()
      return { pageCount, unreadPages, chunks: all, text: all.map(({ text, gap }) => text + gap).join('') }
    },
  })
}

const [kingfisher, heron] = await Promise.all([
  scanned('The kingfisher dives into the river.\nIt eats small fish every day.'),
  scanned('A heron stands in the shallows at dusk.'),
])

test('the text of a picture is read', async () => {
  const { text } = await read(kingfisher.png)
  assert.equal(text, 'The kingfisher dives into the river.\nIt eats small fish every day.')
})

test('scanned pages of a PDF are read at their place beside its text', async () => {
  const { text, chunks, pageCount, unreadPages } = await read(
    mixedPdfOf('Birds of the lake', [heron, kingfisher]),
  )
  assert.deepEqual([pageCount, unreadPages], [3, 0])
  assert.match(text, /^Birds of the lake\s+A heron stands in the shallows at dusk\.\s+The kingfisher dives/)
  assert.deepEqual([...new Set(chunks.map(({ page }) => page))], [1, 2, 3])
})

test('a picture that lies on its side or on its head is read', async () => {
  for (const quarters of [1, 2]) {
    const { text } = await read(tiffOf([turned(heron, quarters)]))
    assert.equal(text.trim(), 'A heron stands in the shallows at dusk.', `${quarters}`)
  }
})

test('a picture without letters has no text', async () => {
  const width = 300
  const noise = Buffer.alloc(width * width)
  let state = 1
  for (let at = 0; at < noise.length; at++) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    noise[at] = state >> 16
  }
  await assert.rejects(read(tiffOf([{ ...heron, width, height: width, grey: noise }])), { code: 'no_text' })
})

test('each page of a TIFF is read', async () => {
  const { text, pageCount } = await read(tiffOf([heron, kingfisher]))
  assert.equal(pageCount, 2)
  assert.match(text, /heron stands in the shallows.*\s+The kingfisher dives/)
})

test('without recognition such a file asks for it, and a PDF with text does not', async () => {
  await assert.rejects(read(kingfisher.png, false), HasPictures)
  await assert.rejects(read(mixedPdfOf('Birds', [heron]), false), HasPictures)
  assert.equal((await read(pdfOf('Letters'), false)).text, 'Letters')
})

test('a scan without any letter fails as no_text', async () => {
  await assert.rejects(read(scanOf({ widthPoints: 300 })), { code: 'no_text' })
})

test('a damaged picture is no text, and costs the pages beside it nothing', async () => {
  await assert.rejects(read(heron.png.subarray(0, 60)), { code: 'corrupt' })
  const damaged = mixedPdfOf('Birds of the lake', [heron, { ...heron, grey: heron.grey.subarray(0, 9) }])
  assert.match((await read(damaged)).text, /^Birds of the lake\s+A heron stands/)
})

test('how a camera was held is read from either order of bytes, and directories that form a ring end', () => {
  assert.equal(tiffAt(tiffOf([heron], 6), 0, 10)?.orientation, 6)
  const exif = Buffer.from(
    'Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x08\0\0\0\0\0\0',
    'latin1',
  )
  assert.equal(tiffAt(exif, 6, 1)?.orientation, 8)
  const ring = tiffOf([heron, kingfisher])
  const [first = 0] = tiffAt(ring, 0, 10)?.pages ?? []
  ring.writeUInt32LE(first, ring.length - 4)
  assert.equal(tiffAt(ring, 0, 10)?.pages.length, 2)
})

test('the data of English comes along; a language that is not installed is known to be absent', () => {
  assert.notEqual(languageFile('eng'), null)
  assert.equal(languageFile('xyz'), null)
})
