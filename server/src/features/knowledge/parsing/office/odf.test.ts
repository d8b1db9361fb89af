import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blocksOf, readDocument } from '../../../../testing/knowledge/read-document.ts'
import { zipOf } from '../../../../testing/knowledge/sample-files.ts'
import { ParseFailure } from '../failure.ts'

const namespaces = ['office', 'text', 'table', 'style', 'meta', 'manifest', 'presentation']
  .map(name => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .join(' ')
const prologue = `${namespaces} xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xlink="http://www.w3.org/1999/xlink"`

function odfOf(
  kind: 'text' | 'spreadsheet' | 'presentation',
  body: string,
  more: Record<string, string> = {},
): Buffer {
  return zipOf({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml': `<office:document-content ${prologue}><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    ...more,
  })
}

const cell = (text: string, more = ''): string =>
  `<table:table-cell ${more}><text:p>${text}</text:p></table:table-cell>`

test('a text keeps headings, lists with their numbers, tables, notes and what stands in boxes', async () => {
  const body = `<text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>
    <text:h text:outline-level="2">Part</text:h>
    <text:p>A<text:s text:c="2"/><text:span>B</text:span><text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>A note.</text:p></text:note-body></text:note> ends.<draw:frame><draw:text-box><text:p>Boxed.</text:p></draw:text-box></draw:frame></text:p>
    <text:list text:style-name="L1"><text:list-item><text:p>one</text:p><text:list><text:list-item><text:p>inner</text:p></text:list-item></text:list></text:list-item><text:list-item><text:p>two</text:p></text:list-item></text:list>
    <table:table><table:table-row>${cell('a')}${cell('b')}</table:table-row></table:table>`
  const styles = `<office:document-styles ${prologue}><text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix=")"/></text:list-style><office:master-styles><style:master-page><style:footer><text:p>A footer</text:p></style:footer></style:master-page></office:master-styles></office:document-styles>`
  const document = await readDocument(
    odfOf('text', body, {
      'styles.xml': styles,
      'meta.xml': `<x ${prologue}><dc:title>Named</dc:title></x>`,
    }),
  )
  assert.deepEqual(blocksOf(document), [
    'heading2: Part',
    'paragraph: A B ends.',
    'paragraph: A note.',
    'paragraph: Boxed.',
    'list: 1) one',
    'list:   - inner',
    'list: 2) two',
    'table: a | b',
    'paragraph: A footer',
  ])
  assert.equal(document.title, 'Named')
})

test('a sheet that repeats empty cells for ever is as long as what it says, with all digits', async () => {
  const empty = '<table:table-cell table:number-columns-repeated="16000"/>'
  const body = `<table:table table:name="Plan"><table:table-row>${cell('x')}<table:table-cell/>${cell('1.23E+014', 'office:value-type="float" office:value="123456789012345"')}${empty}</table:table-row>
    <table:table-row table:number-rows-repeated="1000000">${empty}</table:table-row>
    <table:table-row>${cell('0', 'table:number-columns-repeated="3"')}${empty}</table:table-row></table:table>
    <table:table table:name="Nothing"><table:table-row>${empty}</table:table-row></table:table>`
  const document = await readDocument(odfOf('spreadsheet', body))
  assert.deepEqual(blocksOf(document), ['heading1: Plan', 'table: x |  | 123456789012345\n0 | 0 | 0'])
})

test('merged cells show their text in each row and column that they cover', async () => {
  const covered = '<table:covered-table-cell/>'
  const rows = [
    cell('Region', 'table:number-rows-spanned="3"') +
      cell('2024', 'table:number-columns-spanned="2"') +
      covered +
      cell('Note', 'table:number-rows-spanned="3"'),
    covered + cell('net') + cell('gross') + covered,
    `${covered}<table:table-cell table:number-columns-repeated="2"/>${covered}`,
    cell('North') + cell('10') + cell('12'),
  ].map(cells => `<table:table-row>${cells}</table:table-row>`)
  const table = `<table:table>${rows.join('')}</table:table>`
  const { text } = await readDocument(odfOf('text', table))
  assert.equal(text, 'Region | 2024 | 2024 | Note\nRegion | net | gross | Note\nNorth | 10 | 12')
})

test('spans of a million rows and columns cost nothing, in whatever number of tables', async () => {
  const row = `<table:table-row>${cell('a wide one', 'table:number-columns-spanned="16384" table:number-rows-spanned="1048576"')}<table:covered-table-cell table:number-columns-repeated="16383"/></table:table-row>`
  const rest =
    '<table:table-row table:number-rows-repeated="1048575"><table:covered-table-cell table:number-columns-repeated="16384"/></table:table-row>'
  const own = `<table:table-row><table:covered-table-cell table:number-columns-repeated="16384"/>${cell('b')}</table:table-row>`
  const table = `<table:table table:name="T">${row}${rest}${own.repeat(10)}</table:table>`
  const one = await readDocument(odfOf('spreadsheet', table))
  assert.ok(one.text.length < 5_000, String(one.text.length))
  const many = await readDocument(odfOf('spreadsheet', table.repeat(3_000)))
  assert.ok(many.text.length < 4_000_000, String(many.text.length))
})

test('raised, lowered and struck text is marked, links keep their addresses, and readings stand behind words', async () => {
  const style = (name: string, properties: string, more = ''): string =>
    `<style:style style:name="${name}" style:family="text" ${more}><style:text-properties ${properties}/></style:style>`
  const styles = `<office:document-styles ${prologue}><office:styles>${style('Up', 'style:text-position="super 58%"')}${style('Down', 'style:text-position="-33% 58%"')}${style('Gone', 'style:text-line-through-style="solid"')}${style('Child', 'fo:color="red"', 'style:parent-style-name="Up"')}</office:styles></office:document-styles>`
  const span = (name: string, text: string): string =>
    `<text:span text:style-name="${name}">${text}</text:span>`
  const ruby = (base: string, reading: string): string =>
    `<text:ruby><text:ruby-base>${base}</text:ruby-base><text:ruby-text>${reading}</text:ruby-text></text:ruby>`
  const note = `<text:note><text:note-body><text:p>See ${span('Up', '2')}.</text:p></text:note-body></text:note>`
  const body = `<text:p>10${span('Up', '-')}${span('Child', '4')} mol H${span('Down', '2')}O, ${span('Gone', `30${note} or ${span('Up', '4')}`)} 20 days, see <text:a xlink:href="https://a.example/f.pdf">the sheet</text:a><text:line-break/>${ruby('東', 'とう')}${ruby('京', 'きょう')}都</text:p>`
  const { text } = await readDocument(odfOf('text', body, { 'styles.xml': styles }))
  assert.equal(
    text,
    '10^-4 mol H_2O, ~~30 or ^4~~ 20 days, see the sheet (https://a.example/f.pdf)\n東京(とうきょう)都\n\nSee ^2.',
  )
})

test('what a program fills into headers and footers, page by page, is no text of theirs', async () => {
  const styles = `<office:document-styles ${prologue}><office:master-styles><style:master-page>
    <style:header><text:p><text:sheet-name>???</text:sheet-name> (<text:title>???</text:title>)</text:p><text:p>ACME Corporation <text:date>00.00.0000</text:date></text:p></style:header>
    <style:footer><text:p>Page <text:page-number>1</text:page-number> / <text:page-count>99</text:page-count></text:p></style:footer></style:master-page></office:master-styles></office:document-styles>`
  const sheet = `<table:table table:name="S"><table:table-row>${cell('x')}</table:table-row></table:table>`
  const { text } = await readDocument(odfOf('spreadsheet', sheet, { 'styles.xml': styles }))
  assert.equal(text, 'S\n\nx\n\nACME Corporation')
})

test('each slide is a page with its title, and its notes belong to it', async () => {
  const frame = (kind: string, text: string): string =>
    `<draw:frame presentation:class="${kind}"><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>`
  const body = `<presentation:footer-decl>ACME</presentation:footer-decl><draw:page>${frame('title', 'Start')}${frame('subtitle', 'below')}<presentation:notes>${frame('notes', 'Say this.')}</presentation:notes></draw:page><draw:page>${frame('title', 'End')}</draw:page>`
  const document = await readDocument(odfOf('presentation', body))
  assert.deepEqual(blocksOf(document), [
    'heading1: Start',
    'paragraph: below',
    'paragraph: Say this.',
    'heading1: End',
    'paragraph: ACME',
  ])
  assert.deepEqual(document.blocks.map(({ page }) => page).slice(0, 4), [1, 1, 1, 2])
  assert.equal(document.pageCount, 2)
})

test('a chart within a document is read where it stands', async () => {
  const chart = `<office:document-content ${prologue}><office:body><text:p>Chart title</text:p></office:body></office:document-content>`
  const body =
    '<text:p>Before<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame></text:p><text:p>After</text:p>'
  const document = await readDocument(odfOf('text', body, { 'Object 1/content.xml': chart }))
  assert.equal(document.text, 'Before\n\nChart title\n\nAfter')
})

test('an encrypted document fails as encrypted', async () => {
  const manifest = `<manifest:manifest ${prologue}><manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry></manifest:manifest>`
  await assert.rejects(
    readDocument(odfOf('text', '<text:p>x</text:p>', { 'META-INF/manifest.xml': manifest })),
    error => error instanceof ParseFailure && error.code === 'encrypted',
  )
})

test('hidden characters, paragraphs, sections, fields, shapes and layers are left out', async () => {
  const style = (name: string, display: string, more = ''): string =>
    `<style:style style:name="${name}" style:family="text" ${more}><style:text-properties ${display}/></style:style>`
  const styles = `<office:document-styles ${prologue}><office:styles>${style('Off', 'text:display="none"')}${style('Child', '', 'style:parent-style-name="Off"')}${style('On', 'text:display="true"')}</office:styles><office:master-styles><draw:layer-set><draw:layer draw:name="back" draw:display="none"/></draw:layer-set></office:master-styles></office:document-styles>`
  const span = (name: string, text: string): string =>
    `<text:span text:style-name="${name}">${text}</text:span>`
  const box = (more: string): string =>
    `<draw:frame ${more}><draw:text-box><text:p>unseen</text:p></draw:text-box></draw:frame>`
  const note = '<text:note><text:note-body><text:p>unseen</text:p></text:note-body></text:note>'
  const body = `<text:p>Seen ${span('Off', `unseen${note}`)}${span('Off', span('On', 'too'))}</text:p>
    <text:h text:style-name="Child">unseen ${span('On', 'shown')}</text:h><text:p text:style-name="Off">unseen</text:p>
    <text:section text:display="none"><text:p>unseen</text:p></text:section>
    <text:section text:display="condition" text:is-hidden="true"><text:p>unseen</text:p></text:section>
    <text:section text:display="condition"><text:p>open</text:p></text:section>
    <text:p>unseen<text:hidden-paragraph text:is-hidden="true"/></text:p>
    <text:p>last<text:hidden-text text:is-hidden="true">unseen</text:hidden-text>${box('draw:display="none"')}${box('draw:layer="back"')}</text:p>`
  const document = await readDocument(odfOf('text', body, { 'styles.xml': styles }))
  assert.deepEqual(blocksOf(document), [
    'paragraph: Seen too',
    'heading1: shown',
    'paragraph: open',
    'paragraph: last',
  ])
})
