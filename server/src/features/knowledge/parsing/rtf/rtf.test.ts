import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDocument } from '../../../../testing/knowledge/read-document.ts'
import { ParseFailure } from '../failure.ts'

const textOf = async (rtf: string): Promise<string> =>
  (await readDocument(Buffer.from(rtf, 'latin1'), 'a.doc')).text

test('paragraphs, signs and line breaks come out as they are seen', async () => {
  const rtf = String.raw`{\rtf1\ansi Hello \b bold\b0  word\line next\par Second \{braces\} and\~space\emdash dash.\par}`
  assert.equal(await textOf(rtf), 'Hello bold word\nnext\n\nSecond {braces} and space—dash.')
})

test('letters come in the code page of the document or of their font, also parted into bytes', async () => {
  const polish = String.raw`{\rtf1\ansi\ansicpg1250 za\'bf\'f3\'b3\'e6}`
  assert.equal(await textOf(polish), 'zażółć')
  const fonts = String.raw`{\fonttbl{\f0\fcharset204 Arial;}{\f1\fcharset128 MS Mincho;}{\f2\fcharset0 Times;}}`
  const mixed = String.raw`{\rtf1\ansi\ansicpg1252${fonts}\f0\'c4\'ee\'e3\f1 \'82\'b1\'82\'f1\'83\'5c\f2 na\'efve}`
  assert.equal(await textOf(mixed), 'Догこんソnaïve')
  assert.equal(await textOf(String.raw`{\rtf1\pc M\'81ller}`), 'Müller')
})

test('Unicode counts, and what stands behind it for old programs does not', async () => {
  const rtf = String.raw`{\rtf1\ansi\uc1 \u1044?\u1086\'ee! {\uc2 \u8364\'a4\'a4}\uc0 \u-10179 \u-8704 end}`
  assert.equal(await textOf(rtf), 'До! €😀end')
})

test('headings are told by their outline level and by the names of styles', async () => {
  const rtf = String.raw`{\rtf1{\stylesheet{\s1 heading 1;}{\s2\outlinelevel1 Kapitel;}{\s0 Normal;}}
{\pard\s1 Policy\par}{\pard\s2 Leave\par}\pard Words.\par{\pard\outlinelevel2 Part\par}}`
  const { text, blocks } = await readDocument(rtf, 'a.rtf')
  const headings = blocks.filter(({ kind }) => kind === 'heading')
  assert.deepEqual(
    headings.map(({ start, end, level }) => [text.slice(start, end), level]),
    [
      ['Policy', 1],
      ['Leave', 2],
      ['Part', 3],
    ],
  )
})

test('rows of a table stay rows', async () => {
  const row = (...cells: string[]): string =>
    String.raw`\trowd\cellx1000\cellx2000\pard\intbl ${cells.join('\\cell ')}\cell\row `
  const rtf = String.raw`{\rtf1 Before\par ${row('City', 'Rate')}${row(String.raw`K\'f6ln\par am Rhein`, '120')}\pard After\par}`
  assert.equal(await textOf(rtf), 'Before\n\nCity | Rate\nKöln am Rhein | 120\n\nAfter')
})

test('what no reader sees is not there: pictures, fields, hidden and deleted text', async () => {
  const rtf = String.raw`{\rtf1{\info{\title The title}{\author Ada}}{\*\generator Riched20}A {\v hidden}{\deleted gone}{\pict\wmetafile8 0102}{\field{\*\fldinst HYPERLINK "http://x"}{\fldrslt link}}{\*\unknown secret}.\par}`
  const { text, title } = await readDocument(rtf, 'a.rtf')
  assert.equal(text, 'A link.')
  assert.equal(title, 'The title')
})

test('a note stands where it is referred to', async () => {
  const rtf = String.raw`{\rtf1 Fact{\footnote\pard Proof.\par} goes on.\par}`
  assert.equal(await textOf(rtf), 'Fact [Proof. ] goes on.')
})

test('binary data is stepped over, however long it claims to be', async () => {
  assert.equal(await textOf(String.raw`{\rtf1 a{\pict\bin4 }}}}}b\par}`), 'ab')
  assert.equal(await textOf(String.raw`{\rtf1 words \bin2000000000 x}`), 'words')
})

test('groups without end are refused, groups that are closed too often do no harm', async () => {
  await assert.rejects(
    readDocument(`{\\rtf1 ${'{'.repeat(100_000)}x`, 'a.rtf'),
    error => error instanceof ParseFailure && error.code === 'corrupt',
  )
  assert.equal(await textOf(String.raw`{\rtf1 a}}}}} b`), 'a b')
})
