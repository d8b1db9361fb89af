/** That a formula of an Office document keeps its meaning as a line of text. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDocument } from '../../../../testing/knowledge/read-document.ts'
import { docxOf } from '../../../../testing/knowledge/sample-files.ts'

const run = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`
const e = (content: string): string => `<m:e>${content}</m:e>`
const formula = (content: string): string => `<m:oMath>${content}</m:oMath>`
const superscript = (base: string, power: string): string =>
  `<m:sSup>${e(base)}<m:sup>${run(power)}</m:sup></m:sSup>`
const fraction = (above: string, below: string, type = 'bar'): string =>
  `<m:f><m:fPr><m:type m:val="${type}"/></m:fPr><m:num>${run(above)}</m:num><m:den>${run(below)}</m:den></m:f>`

const read = async (...paragraphs: string[]): Promise<string> =>
  (await readDocument(docxOf(paragraphs.map(content => `<w:p>${content}</w:p>`).join('')), 'a.docx')).text

const formulas: readonly (readonly [name: string, content: string, text: string])[] = [
  ['a power', superscript(run('10'), '5'), '10^5'],
  ['a power of a fraction', superscript(fraction('a', 'b'), '2'), '(a/b)^2'],
  ['a letter behind a power', superscript(run('x'), 'k') + run('a'), 'x^k a'],
  ['a fraction of sums', fraction('a+b', '2a'), '(a+b)/(2a)'],
  ['a binomial', fraction('n', 'k', 'noBar'), 'binom(n, k)'],
  ['a root', `<m:rad><m:deg/>${e(run('x'))}</m:rad>`, 'sqrt(x)'],
  ['a cube root', `<m:rad><m:deg>${run('3')}</m:deg>${e(run('x'))}</m:rad>`, 'root(x, 3)'],
  [
    'the absolute value',
    `<m:d><m:dPr><m:begChr m:val="|"/><m:endChr m:val="|"/></m:dPr>${e(run('x'))}</m:d>`,
    '|x|',
  ],
  [
    'an open bracket',
    `<m:d><m:dPr><m:begChr m:val="{"/><m:endChr m:val=""/></m:dPr>${e(`<m:eqArr>${e(run('x=1'))}${e(run('y=2'))}</m:eqArr>`)}</m:d>`,
    '{x=1; y=2',
  ],
  [
    'a sum',
    `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${run('i=1')}</m:sub><m:sup>${run('n')}</m:sup>${e(run('x'))}</m:nary>`,
    '∑_(i=1)^n x',
  ],
  [
    'a limit',
    `<m:func><m:fName><m:limLow>${e(run('lim'))}<m:lim>${run('x→0')}</m:lim></m:limLow></m:fName>${e(run('f'))}</m:func>`,
    'lim_(x→0) f',
  ],
  [
    'a matrix',
    `<m:m><m:mr>${e(run('a'))}${e(run('b'))}</m:mr><m:mr>${e(run('c'))}${e(run('d'))}</m:mr></m:m>`,
    'a, b; c, d',
  ],
  ['an accent', `<m:acc><m:accPr><m:chr m:val="\u0303"/></m:accPr>${e(run('x'))}</m:acc>`, 'x\u0303'],
  [
    'signs before a letter',
    `<m:sPre><m:sub>${run('6')}</m:sub><m:sup>${run('14')}</m:sup>${e(run('C'))}</m:sPre>`,
    '_6^14C',
  ],
]

test('each part of a formula keeps its place and its signs', async () => {
  const text = await read(...formulas.map(([, content]) => formula(content)))
  assert.deepEqual(
    text.split('\n\n'),
    formulas.map(([, , line]) => line),
  )
})

test('formulas side by side are apart, and the text around one stays as it is', async () => {
  const text = (content: string): string => `<w:r><w:t xml:space="preserve">${content}</w:t></w:r>`
  assert.equal(await read(formula(run('a=b')) + formula(run('c=d'))), 'a=b c=d')
  assert.equal(
    await read(`${text('for ')}${formula(run('a'))}${text(', or ')}${formula(run('b'))}${text('.')}`),
    'for a, or b.',
  )
})

test('a formula that nests as deep as a document may is read', async () => {
  const deep =
    '<m:sSup><m:e>'.repeat(900) + run('x') + `</m:e><m:sup>${run('2')}</m:sup></m:sSup>`.repeat(900)
  assert.match(await read(formula(deep)), /^\(+x\^2\)/)
})
