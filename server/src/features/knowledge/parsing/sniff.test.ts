import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import iconv from 'iconv-lite'
import { costRatio } from '../../../testing/costs/processor-time.ts'
import { docxOf, docxParagraph, pdfOf, zipOf } from '../../../testing/knowledge/sample-files.ts'
import { type Format, takenOf } from './formats.ts'
import { sniffBytes, sniffFile } from './sniff.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-sniff-test-'))
after(() => rmSync(folder, { recursive: true, force: true }))

async function formatOf(name: string, content: string | Buffer): Promise<Format | null> {
  const path = join(folder, 'file')
  writeFileSync(path, content)
  return (await sniffFile(path, name)).format
}

test('the content decides, whatever the name says', async () => {
  assert.equal(await formatOf('report.docx', pdfOf('x')), 'pdf')
  assert.equal(await formatOf('report.pdf', docxOf(docxParagraph('x'))), 'docx')
  assert.equal(await formatOf('report.pdf', '<!DOCTYPE html><title>404</title>'), 'html')
  assert.equal(await formatOf('report.xlsx', 'name,amount\na,1\n'), 'text')
})

test('between kinds of text the name decides', async () => {
  assert.equal(await formatOf('a.md', '# Title'), 'markdown')
  assert.equal(await formatOf('a.MARKDOWN', '<b>bold</b> beginning'), 'markdown')
  assert.equal(await formatOf('a.csv', 'a;b'), 'csv')
  assert.equal(await formatOf('a.json', '{}'), 'json')
  assert.equal(await formatOf('a.py', 'import os'), 'lines')
  assert.equal(await formatOf('notes', 'Just words'), 'text')
  assert.equal(await formatOf('page', '<h1>A heading</h1>'), 'html')
})

test('text in UTF-16 is no binary data', async () => {
  assert.equal(await formatOf('a.txt', Buffer.from('\ufeffWords', 'utf16le')), 'text')
  assert.equal(await formatOf('a.txt', Buffer.from('Words without a mark', 'utf16le')), 'text')
  assert.equal(await formatOf('a', Buffer.from('\ufeff<html><body>x', 'utf16le')), 'html')
})

test('a text from a mainframe is a text, numbers in binary are none', async () => {
  const mainframe = Buffer.from('c1a340a38885408195844096864083858995a340a68540a6899393', 'hex')
  assert.equal(await formatOf('a.txt', mainframe), 'text')
  const numbers = Buffer.alloc(8_000)
  for (let at = 0; at < numbers.length; at += 8) numbers.writeDoubleBE(2 + at / 7, at)
  assert.equal(await formatOf('a.dat', numbers), null)
})

test('what cannot be read is told from what can', async () => {
  const refused: Record<string, string | Buffer> = {
    'packed.txt': Buffer.from('1f8b0800000000000003', 'hex'),
    'packed.csv': Buffer.from('377abcaf271c0004', 'hex'),
    'old.docx': Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    'book.xlsx': zipOf({ 'xl/workbook.bin': 'binary' }),
    'archive.docx': zipOf({ 'a.txt': 'x' }),
    'program.txt': Buffer.from(Array.from({ length: 2_000 }, (_, i) => (i * 7) % 256)),
  }
  for (const [name, content] of Object.entries(refused))
    assert.equal(await formatOf(name, content), null, name)
})

test('mail, calendars, subtitles, RTF and pictures are known by their first bytes', async () => {
  const known: Record<string, [content: string | Buffer, format: Format]> = {
    'a.txt': ['From: a@example.com\r\nMIME-Version: 1.0\r\nSubject: x\r\n\r\nwords', 'mail'],
    'b.txt': ['From a@example.com Fri Jul  8 12:08:34 2011\nSubject: x\n\nwords', 'mbox'],
    'c.txt': ['From: <Saved by Blink>\nSubject: x\nMIME-Version: 1.0\n\nwords', 'mhtml'],
    'd.txt': ['BEGIN:VCALENDAR\nEND:VCALENDAR', 'calendar'],
    'e.txt': ['WEBVTT\n\n00:01.000 --> 00:02.000\nwords', 'subtitles'],
    'f.txt': ['1\r\n00:00:01,000 --> 00:00:02,000\r\nwords', 'subtitles'],
    'g.doc': ['{\\rtf1 Hello}', 'rtf'],
    'h.txt': [Buffer.from('89504e470d0a1a0a0000', 'hex'), 'png'],
    'i.txt': [Buffer.from('RIFF\0\0\0\0WEBPVP8 ', 'latin1'), 'webp'],
  }
  for (const [name, [content, format]] of Object.entries(known)) {
    assert.equal(await formatOf(name, content), format, name)
  }
})

test('a text about mail is no mail', async () => {
  assert.equal(
    await formatOf('a.txt', 'Subject: what we discussed\n\nMessage-ID: headers are unique.'),
    'text',
  )
})

test('a zip of nothing but headers that state long names costs no more than its length', async () => {
  const zipOf = (bytes: number) =>
    Buffer.concat(
      ['PK\x03\x04', 'PK\x01\x02'].map(kind => Buffer.alloc(bytes, Buffer.from(`${kind}\xff\xff`, 'latin1'))),
    )
  const [short, long] = [zipOf(25_000), zipOf(200_000)]
  assert.equal(await formatOf('a.zip', long), null)
  const ratio = await costRatio(
    () => formatOf('a.zip', short),
    () => formatOf('a.zip', long),
  )
  assert.ok(ratio < 24, `eight times the length costs ${ratio} times as much`)
})

test('bytes of chance are no text, whatever their number, and texts in the older encodings stay texts', async () => {
  for (const size of [24, 64, 200, 1_000, 5_000, 20_000, 300_000]) {
    for (let round = 0; round < 200; round++) {
      const bytes = chance(size, round)
      assert.equal(await formatOf('a.txt', bytes), null, `${size} bytes, number ${round}`)
    }
  }
  const russian = 'Договор поставки товара подписан сегодня утром представителями сторон.'
  const texts: [encoding: string, text: string][] = [
    ['windows-1251', russian],
    ['windows-1251', `${'Terms and conditions. '.repeat(90)}\r\n${russian.repeat(200)}`],
    ['koi8-r', russian.toUpperCase()],
    ['windows-1252', 'Ärger über „75 – 80“ Euro für Größen'],
    ['shift_jis', '契約は本日締結されました。'],
    ['big5', '合約今天已經簽署。'],
    ['gb18030', '合同今天已经签署。'.repeat(900)],
    ['cp866', `${russian}\r\n\x1a`],
  ]
  for (const [encoding, text] of texts) {
    assert.equal(
      await formatOf('a', iconv.encode(text, encoding)),
      'text',
      `${encoding}: ${text.slice(0, 20)}`,
    )
  }
})

test('numbers, pictures without a header and programs are no text', async () => {
  const write = (bytes: number, each: (buffer: Buffer, at: number, number: number) => unknown): Buffer => {
    const buffer = Buffer.alloc(bytes)
    for (let at = 0; at + 8 <= bytes; at += 2) each(buffer, at, (at * 7_919) % 3_001)
    return buffer
  }
  for (const size of [256, 1_000, 4_000, 20_000]) {
    const files = {
      'numbers of two bytes': write(size, (buffer, at, number) => buffer.writeInt16LE(number % 300, at)),
      'signed numbers of two bytes': write(size, (buffer, at, number) =>
        buffer.writeInt16LE(number - 1_500, at),
      ),
      'numbers of two bytes, the other way': write(size, (buffer, at, number) =>
        buffer.writeUInt16BE(number, at),
      ),
      'bytes between zeros': write(size, (buffer, at, number) => buffer.writeUInt8(number % 256, at)),
      'names with many numbers between': Buffer.from(
        'init_module\0\0\x01\0\x05\xe9\x80\0'.repeat(size / 16),
        'latin1',
      ),
      'erased memory': Buffer.alloc(size, 0xff),
    }
    for (const [name, bytes] of Object.entries(files)) {
      assert.equal(await formatOf('a.txt', bytes), null, `${name}, ${size} bytes`)
    }
  }
})

test('a log in several encodings is a text, and a mark at its beginning hides no format', async () => {
  const line = '2026-01-01 12:00:00 INFO the size of the file is fine\n'
  const mixed = Buffer.concat([
    Buffer.from(line.repeat(20)),
    Buffer.from('Größe', 'latin1'),
    Buffer.from(' Größe Привет\n'.repeat(9)),
    iconv.encode('Привет '.repeat(4), 'cp866'),
  ])
  assert.equal(await formatOf('a.log', mixed), 'text')
  assert.equal(await formatOf('a', '\ufeff<!doctype html><p>x'), 'html')
  assert.equal(await formatOf('a', Buffer.from('\ufeff<!doctype html><p>x', 'utf16le').swap16()), 'html')
})

/** The same in each run: a hash of a counter, over and over. */
function chance(size: number, seed: number): Buffer {
  const digests = Array.from({ length: Math.ceil(size / 64) }, (_, index) =>
    createHash('sha512').update(`${size} ${seed} ${index}`).digest(),
  )
  return Buffer.concat(digests).subarray(0, size)
}

const sectorBytes = 512

/** An OLE2 file whose directory has these names, four to a sector, the sectors far apart. */
function ole2Of(...names: string[]): Buffer {
  const sectors = Math.ceil(names.length / 4)
  const file = Buffer.alloc(sectorBytes * (2 + sectors * 2), 0xff)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(file)
  file.writeUInt16LE(9, 30)
  file.writeUInt32LE(1, 48)
  file.writeUInt32LE(0, 76)
  for (let index = 0; index < sectors; index++) {
    const sector = 1 + index * 2
    const isLast = index === sectors - 1
    file.writeUInt32LE(isLast ? 0xfffffffe : sector + 2, sectorBytes + sector * 4)
    for (const [place, name] of names.slice(index * 4, index * 4 + 4).entries()) {
      const at = (sector + 1) * sectorBytes + place * 128
      file.write(name, at, 'utf16le')
      file.writeUInt16LE(name.length * 2 + 2, at + 64)
      const next = index * 4 + place + 1
      // The root's entries hang at each other to the right.
      if (next < names.length) file.writeUInt32LE(next, at + (next === 1 ? 76 : 72))
    }
  }
  return file
}

const seemsToBe = async (...names: string[]): Promise<string> => {
  const sniffed = takenOf(await sniffBytes(ole2Of(...names), 'file.docx'), new Set())
  return sniffed.format ?? sniffed.seemsToBe
}

test('old and protected Office files are told apart by their streams, wherever the directory lists them', async () => {
  const others = ['Root Entry', '1Table', 'x', 'y', 'z', 'a', 'b', 'c', 'd']
  assert.equal(await seemsToBe(...others, 'WordDocument'), 'doc')
  assert.equal(await seemsToBe(...others, 'Workbook'), 'xls')
  assert.equal(await seemsToBe(...others, 'BOOK'), 'xls')
  assert.equal(await seemsToBe(...others, 'PowerPoint Document'), 'ppt')
  assert.match(await seemsToBe('Root Entry', 'EncryptionInfo', 'EncryptedPackage'), /protected by a password/)
  assert.equal(await seemsToBe('Root Entry', '__properties_version1.0'), 'outlook')
  assert.match(await seemsToBe('Root Entry'), /old Office file/)
})

test('what no reader reads is named with the way to have it read', async () => {
  const box = (brand: string): Buffer => Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0`, 'latin1')
  const files: [content: Buffer, advice: RegExp][] = [
    [zipOf({ 'Index/Document.iwa': 'binary' }), /iWork document \(export it as/],
    [box('heic'), /HEIC picture \(save it as JPEG/],
    [box('M4A '), /sound recording \(upload a transcript/],
    [Buffer.from('ID3\x03\0\0\0\0\0', 'latin1'), /sound recording/],
    [Buffer.from('RIFF\x24\x08\0\0WAVEfmt ', 'latin1'), /sound recording/],
    [box('isom'), /video \(upload its subtitles/],
    [box('qt  '), /video/],
    [Buffer.from('%!PS-Adobe-3.0'), /PostScript file \(convert it/],
    [Buffer.from('SQLite format 3\0'), /database \(export/],
  ]
  for (const [content, advice] of files) {
    const sniffed = takenOf(await sniffBytes(content, 'a.txt'), new Set())
    assert.ok(sniffed.format === null)
    assert.match(sniffed.seemsToBe, advice)
  }
})

test('an Office file or a zip that was cut off is named so, and a template is a document', async () => {
  const whole = docxOf(docxParagraph('x'))
  const seemsToBe = async (content: Buffer): Promise<string> => {
    const sniffed = await sniffBytes(content, 'a.docx')
    return sniffed.format ?? sniffed.seemsToBe
  }
  assert.equal(await seemsToBe(whole), 'docx')
  assert.match(await seemsToBe(whole.subarray(0, 200)), /Office file that was cut off/)
  assert.match(
    await seemsToBe(zipOf({ 'a.txt': 'x'.repeat(100) }).subarray(0, 60)),
    /zip archive that was cut off/,
  )
  assert.match(await seemsToBe(zipOf({ 'a.txt': 'x' })), /zip archive \(send it/)
})

test('a directory that leads in a circle, or out of the file, is looked at no longer than it takes to see that', async () => {
  const circle = ole2Of('Root Entry', 'a', 'b', 'c')
  circle.writeUInt32LE(1, sectorBytes + 4)
  assert.equal((await sniffBytes(circle, 'x')).format, null)
  const outside = ole2Of('Root Entry')
  outside.writeUInt32LE(0xf0000000, 48)
  assert.equal((await sniffBytes(outside, 'x')).format, null)
  assert.equal((await sniffBytes(outside.subarray(0, 100), 'x')).format, null)
})
