import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDocument } from '../../../../testing/knowledge/read-document.ts'

const textOf = async (csv: string | Buffer, name = 'a.csv'): Promise<string> =>
  (await readDocument(csv, name)).text

test('rows are rows of a table, whatever parts their columns', async () => {
  const expected = 'city | rate\nKöln | 120,50\nBonn | 99,00'
  for (const csv of [
    'city;rate\nKöln;120,50\nBonn;99,00\n',
    'city\trate\r\nKöln\t120,50\r\nBonn\t99,00\r\n',
    'city|rate\nKöln|120,50\nBonn|99,00',
    'city,rate\n"Köln","120,50"\n"Bonn","99,00"\n',
  ]) {
    assert.equal(await textOf(csv), expected)
  }
})

test('quoted line ends and quotes within quotes stay in their cell', async () => {
  assert.equal(await textOf('a,b\n"two\nlines, ""quoted""",1\n'), 'a | b\ntwo lines, "quoted" | 1')
})

test('a quote that is never closed loses no text', async () => {
  assert.equal(
    await textOf('a,b\n"never closed,1\n2,3\nlast,4\n'),
    'a | b\n"never closed | 1\n2 | 3\nlast | 4',
  )
})

test('rows of different lengths and formulas are text as any other', async () => {
  assert.equal(
    await textOf('a,b\n1\n1,2,3\n=HYPERLINK("http://x"),2\n'),
    'a | b\n1\n1 | 2 | 3\n=HYPERLINK("http://x") | 2',
  )
})

test('a million cells are read', async () => {
  const rows = Array.from({ length: 100_000 }, (_, i) => `${i},a,b,c,d,e,f,g,h,"${i}"`)
  assert.match((await textOf(rows.join('\n'))).slice(-60), /99999 \| a \| b .* \| 99999$/)
})
