import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { blocksOf, readDocument } from '../../../../testing/knowledge/read-document.ts'
import {
  docxOf,
  docxParagraph,
  packageOf,
  xmlRelationships,
  zipOf,
} from '../../../../testing/knowledge/sample-files.ts'
import { ParseFailure, type ParseFailureCode } from '../failure.ts'

const failsAs = (code: ParseFailureCode) => (error: unknown) => {
  assert.ok(error instanceof ParseFailure, `${error}`)
  assert.equal(error.code, code)
  return true
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

const workbookOf = (rows: string, more: Record<string, string> = {}): Buffer =>
  packageOf('xl/workbook.xml', {
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" r:id="worksheet"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': xmlRelationships({ worksheet: 'sheet.xml' }),
    'xl/sheet.xml': `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
    ...more,
  })

/** Words that do not pack to next to nothing. */
const randomWords = (length: number): string =>
  Array.from({ length: length / 8 }, (_, i) =>
    ((i * 2_654_435_761) % 4_294_967_296).toString(36).padEnd(7, 'x'),
  ).join(' ')

test('a sheet of a million rows is read', async () => {
  const rows = Array.from(
    { length: 1_000_000 },
    (_, i) => `<row><c><v>${(i * 7919) % 1_000_003}</v></c></row>`,
  )
  const { text } = await readDocument(workbookOf(rows.join('')))
  assert.equal(text.split('\n').length, 1_000_002)
})

test('one long string that all cells of a row share ends as text_too_long, at once', async () => {
  const parts = {
    'xl/_rels/workbook.xml.rels': xmlRelationships({ worksheet: 'sheet.xml', sharedStrings: 'strings.xml' }),
    'xl/strings.xml': `<sst xmlns="${main}"><si><t>${randomWords(2_000_000)}</t></si></sst>`,
  }
  const row = `<row>${'<c t="s"><v>0</v></c>'.repeat(16_000)}</row>`
  await assert.rejects(readDocument(workbookOf(row, parts)), failsAs('text_too_long'))
})

test('a page that is one tag of megabytes is read in the time of its length', async () => {
  const page = `<?xml version="1.0"?><html xmlns="x"><body><p>before</p><${'a'.repeat(2_000_000)} ${' '.repeat(2_000_000)}`
  assert.equal((await readDocument(Buffer.from(page), 'a.xhtml')).text, 'before')
})

test('an archive of very many entries is read if its document is sound, and refused beyond all measure', async () => {
  const entries = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`x/${i}`, '']))
  assert.equal((await readDocument(docxOf(docxParagraph('Still read'), '', entries))).text, 'Still read')
  const forged = docxOf(docxParagraph('x'))
  forged.writeUInt16LE(65_500, forged.length - 12)
  await assert.rejects(readDocument(forged), failsAs('archive_bomb'))
})

test('a part that is longer than the archive says is damage', async () => {
  const forged = docxOf(docxParagraph('x'.repeat(5_000)))
  const name = 'word/document.xml'
  forged.writeUInt32LE(10, forged.indexOf(name) - 8)
  forged.writeUInt32LE(10, forged.lastIndexOf(name) - 22)
  await assert.rejects(readDocument(forged), failsAs('corrupt'))
})

test('entities are not declared, whatever they would come to', async () => {
  const laughs = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'
  await assert.rejects(readDocument(docxOf(docxParagraph('&b;'), laughs)), failsAs('corrupt'))
  const bare = docxOf(docxParagraph('A doctype alone'), '<!DOCTYPE w SYSTEM "http://127.0.0.1:1/x.dtd">')
  assert.equal((await readDocument(bare)).text, 'A doctype alone')
})

test('names that lead out of the archive lead nowhere', async () => {
  const outside = '../../../../tmp/atrium-slip.txt'
  const document = docxOf(docxParagraph('Inside'), '', {
    [outside]: 'slipped',
    'word/_rels/document.xml.rels': xmlRelationships({
      header: '../../../../etc/passwd',
      footer: `../${outside}`,
    }),
  })
  assert.equal((await readDocument(document)).text, 'Inside')
  assert.ok(!existsSync('/tmp/atrium-slip.txt'))
})

test('a document within a document within a document ends', async () => {
  const chunk = (id: string): string =>
    `<w:altChunk r:id="${id}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"/>`
  let nested = docxOf(docxParagraph('The innermost'))
  for (let depth = 0; depth < 12; depth++) {
    nested = docxOf(docxParagraph(`Depth ${depth}`) + chunk('aFChunk'), '', {
      'word/_rels/document.xml.rels': xmlRelationships({ aFChunk: 'inner.docx' }),
      'word/inner.docx': nested,
    })
  }
  const { text } = await readDocument(nested)
  assert.ok(text.startsWith('Depth 11\n\nDepth 10') && !text.includes('innermost'))
})

test('a part nested too deep, cut off or made of nothing is damage', async () => {
  await assert.rejects(readDocument(docxOf('<w:p>'.repeat(100_000))), failsAs('corrupt'))
  await assert.rejects(readDocument(docxOf('<w:p><w:r>')), failsAs('corrupt'))
  const empty = {
    'word/document.xml': '',
    '_rels/.rels': xmlRelationships({ officeDocument: 'word/document.xml' }),
  }
  await assert.rejects(readDocument(zipOf(empty)), failsAs('corrupt'))
  await assert.rejects(readDocument(zipOf({ 'word/document.xml': '<x/>' })), failsAs('corrupt'))
})

test('characters that XML forbids take nothing else with them', async () => {
  const document = await readDocument(docxOf(docxParagraph('Before&#11;after &#x1f; and &unknown; end')))
  assert.equal(blocksOf(document).length, 1)
  assert.match(document.text, /^Before.*after.* end$/s)
})
