import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { docxOf, docxParagraph, pdfOf, zipOf } from '../../../testing/sample-files.ts'
import { type Format, sniffFile } from './sniff.ts'

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

test('what cannot be read is told from what can', async () => {
  const refused: Record<string, string | Buffer> = {
    'photo.txt': Buffer.from('89504e470d0a1a0a0000', 'hex'),
    'old.docx': Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    'book.xlsx': zipOf({ 'xl/workbook.xml': '<workbook/>' }),
    'archive.docx': zipOf({ 'a.txt': 'x' }),
    'letter.rtf': '{\\rtf1 Hello}',
    'mail.txt': 'From: a@example.com\r\nMIME-Version: 1.0\r\nSubject: x\r\n\r\nbase64',
    'program.txt': Buffer.from(Array.from({ length: 2_000 }, (_, i) => (i * 7) % 256)),
    'mainframe.txt': Buffer.from('c1a340a38885408195844096864083858995a340a68540a6899393', 'hex'),
  }
  for (const [name, content] of Object.entries(refused))
    assert.equal(await formatOf(name, content), null, name)
})

test('a text about mail is no mail', async () => {
  assert.equal(
    await formatOf('a.txt', 'Subject: what we discussed\n\nMessage-ID: headers are unique.'),
    'text',
  )
})
