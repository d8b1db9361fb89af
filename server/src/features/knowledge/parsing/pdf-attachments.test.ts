import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { readDocument } from '../../../testing/knowledge/read-document.ts'
import {
  docxOf,
  docxParagraph,
  pdfOf,
  pdfWithFilesOf,
  scanOf,
} from '../../../testing/knowledge/sample-files.ts'
import { ParseFailure } from './failure.ts'

const sheet = Buffer.from('City;Rate\nBonn;120\n')

test('files attached to a PDF are read behind its pages, those of a page with its number', async () => {
  const { text, blocks, title } = await readDocument(
    pdfWithFilesOf('The page.', [
      { name: '(rates.csv)', content: deflateSync(sheet), filter: '/FlateDecode' },
      { name: '<FEFF00DC00620065007200730069006300680074>', content: docxOf(docxParagraph('Inside')) },
      { name: '(C:\\\\x\\\\a \\(1\\)\\056txt)', content: Buffer.from('On the page'), isOnPage: true },
      { name: '(photo.png)', content: Buffer.from('89504e470d0a1a0a', 'hex') },
    ]),
  )
  assert.equal(
    text,
    'The page.\n\nAttachment: a (1).txt\n\nOn the page\n\nAttachment: rates.csv\n\nCity | Rate\nBonn | 120\n\nAttachment: Übersicht\n\nInside\n\nAttachment: photo.png',
  )
  assert.deepEqual(
    blocks.map(({ page }) => page),
    [1, 1, 1, null, null, null, null, null],
  )
  assert.equal(title, null)
})

test('a PDF within a PDF is read with what is attached to it, to a depth', async () => {
  let nested = pdfOf('The innermost')
  for (let depth = 0; depth < 10; depth++) {
    nested = pdfWithFilesOf(`Depth ${depth}`, [{ name: '(inner.pdf)', content: nested }])
  }
  const { text } = await readDocument(nested)
  assert.match(text, /^Depth 9\n\nAttachment: inner\.pdf\n\nDepth 8/)
  assert.match(text, /Depth 1\n\nAttachment: inner\.pdf$/)
})

test('attached bombs, forged lengths and unknown filters are named, and the rest is read', async () => {
  const bomb = deflateSync(Buffer.alloc(60_000_000))
  const { text } = await readDocument(
    pdfWithFilesOf('The page.', [
      { name: '(bomb.txt)', content: bomb, filter: '/FlateDecode' },
      { name: '(long.txt)', content: sheet, length: 2_000_000_000 },
      { name: '(negative.txt)', content: sheet, length: -1 },
      { name: '(fraction.txt)', content: sheet, length: 1.5 },
      { name: '(broken.txt)', content: sheet, filter: '/FlateDecode' },
      { name: '(strange.txt)', content: sheet, filter: '/Crypt' },
      { name: '(sound.txt)', content: Buffer.from('Still read') },
    ]),
  )
  assert.equal(
    text,
    `The page.\n\nAttachment: sound.txt\n\nStill read\n\n${['bomb', 'long', 'negative', 'fraction', 'broken', 'strange'].map(name => `Attachment: ${name}.txt`).join('\n')}`,
  )
})

test('what is attached to an encrypted PDF is counted, without names that no key has opened', async () => {
  const { text } = await readDocument(
    pdfWithFilesOf('The page.', [{ name: '(secret.txt)', content: Buffer.from('x') }], '/X 1').toString(
      'latin1',
    ),
  )
  assert.match(text, /secret/)
})

test('ten thousand attached files, and lists of them that run in circles, end', async () => {
  const many = Array.from({ length: 10_000 }, (_, i) => ({
    name: `(${i}.txt)`,
    content: Buffer.from(`word${i}.`),
  }))
  const { text } = await readDocument(pdfWithFilesOf('The page.', many))
  assert.match(text, /word499\.\n\nAttachment: 500\.txt/)
  assert.match(text, /\n400 more attachments$/)
  const circle = pdfWithFilesOf('The page.', [], '/AF 1 0 R')
    .toString('latin1')
    .replace('/Kids[<</Names[]>>]', '/Kids[1 0 R 1 0 R]')
  const looped = circle.replace('/Catalog', '/Catalog/Kids[1 0 R 1 0 R]')
  assert.equal((await readDocument(Buffer.from(looped, 'latin1'))).text, 'The page.')
})

test('a table of objects that is damaged, circular or full of blanks takes the attached files alone', async () => {
  const whole = pdfWithFilesOf('The page.', [{ name: '(a.txt)', content: Buffer.from('Attached') }])
  const forged = (change: (text: string) => string): Buffer =>
    Buffer.from(change(whole.toString('latin1')), 'latin1')
  for (const change of [
    (text: string) => text.replace(/startxref\n\d+/, 'startxref\n7'),
    (text: string) => text.replace('trailer<<', `trailer${' '.repeat(3_000_000)}<<`),
    (text: string) => text.replace('trailer<<', `trailer${'['.repeat(1_000_000)}<<`),
    (text: string) => text.replace('trailer<<', 'trailer<</Prev 1.5/XRefStm -3'),
  ]) {
    assert.match((await readDocument(forged(change))).text, /^The page\./)
  }
})

test('a scan with a file attached still waits for its text to be recognised', async () => {
  await assert.rejects(
    readDocument(scanOf({ widthPoints: 300 })),
    error => error instanceof ParseFailure && error.code === 'no_text',
  )
})
