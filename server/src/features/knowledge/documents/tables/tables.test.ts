/** The tables of documents, with the names of their columns and their rows, and the row that fits a search. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { exportOf, importInto } from '../../../../testing/knowledge/archives.ts'
import {
  createCollection,
  putAndWait,
  search,
  uploadAndWait,
} from '../../../../testing/knowledge/knowledge.ts'
import { startTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
let collectionId: string
before(async () => {
  app = await startTestApp({ settings: { ATRIUM_PLAN_ENTERPRISE: 'requestsPerMinute=100000' } })
  collectionId = await createCollection(app)
})
after(() => app.close())

async function upload(name: string, content: string | Buffer): Promise<string> {
  const { id, status, error } = await uploadAndWait(app, { collectionId, name, content })
  assert.deepEqual([status, error], ['ready', null])
  return id
}

const list = (id: string, query: Record<string, string | number> = {}) =>
  app.request('GET', `/knowledge/documents/${id}/tables`, { query })

async function tablesOf(name: string, content: string | Buffer) {
  const { status, body } = await list(await upload(name, content))
  assert.equal(status, 200)
  return body.data
}

test('a table has its place, its titles, the names of its columns and its rows', async () => {
  const id = await upload(
    'stock.md',
    '# Graz\n\n## Bearings\n\nAs counted.\n\n| Article | Unit price |\n|---|---|\n| QX-5333 | 19.15 |\n| QX-5334 | |\n',
  )
  const { body } = await list(id)
  assert.deepEqual(body.meta, { page: 1, pageSize: 20, total: 1 })
  const [{ location, ...table }] = body.data
  assert.deepEqual(table, {
    documentId: id,
    documentVersion: 1,
    number: 1,
    headings: ['Graz', 'Bearings'],
    titles: [],
    columns: ['Article', 'Unit price'],
    columnCount: 2,
    rowCount: 2,
    rows: [
      ['QX-5333', '19.15'],
      ['QX-5334', ''],
    ],
    nextOffset: null,
  })
  const { startOffset: from, endOffset: to } = location
  const { body: content } = await app.request('GET', `/knowledge/documents/${id}/content`, {
    query: { from, to },
  })
  assert.equal(content.data.text, 'Article | Unit price\nQX-5333 | 19.15\nQX-5334 |')
})

test('rows above the names are titles, and several rows of names are one name for each column', async () => {
  const [csv] = await tablesOf('a.csv', 'Stock,,\nAs of,2025-01-31,\nArticle,Qty,Price\nA,1,2\nB,3,4\n')
  assert.deepEqual(
    [csv.titles, csv.columns],
    [
      ['Stock', 'As of 2025-01-31'],
      ['Article', 'Qty', 'Price'],
    ],
  )
  const head =
    '<tr><td rowspan=2>Region</td><td colspan=2>2024</td></tr><tr><td>net</td><td>gross</td></tr><tr><td>North</td><td>10</td><td>12</td></tr>'
  const [html] = await tablesOf('a.html', `<table>${head}</table>`)
  assert.deepEqual([html.columns, html.rows], [['Region', '2024 net', '2024 gross'], [['North', '10', '12']]])
})

test('what a file names as names of columns is taken for them, even if they are numbers', async () => {
  const [html] = await tablesOf(
    'b.html',
    '<table><thead><tr><td>1</td><td>2</td></tr></thead><tr><td>3</td><td>4</td></tr></table>',
  )
  const [rst] = await tablesOf('b.rst', 'Lots\n====\n\n== ==\n1  2\n== ==\n3  4\n== ==\n')
  const [org] = await tablesOf('b.org', '* Lots\n| 1 | 2 |\n|---+---|\n| 3 | 4 |\n')
  const [rtf] = await tablesOf(
    'b.rtf',
    '{\\rtf1 \\trowd\\trhdr\\intbl 1\\cell 2\\cell\\row \\trowd\\intbl 3\\cell 4\\cell\\row\\pard End\\par}',
  )
  for (const table of [html, rst, org, rtf])
    assert.deepEqual([table.columns, table.rows], [['1', '2'], [['3', '4']]])
  const [bare] = await tablesOf('bare.csv', '1,2\n3,4\n')
  assert.deepEqual([bare.columns, bare.rowCount], [[], 2])
})

test('a pipe in a cell parts no row, in any format', async () => {
  const csv = 'Name,Sign\nor,a | b\nbar,|\npath,a\\|b \\| c\n'
  const html = csv
    .trim()
    .split('\n')
    .map(
      line =>
        `<tr>${line
          .split(',')
          .map(cell => `<td>${cell}</td>`)
          .join('')}</tr>`,
    )
  const rows = [
    ['or', 'a | b'],
    ['bar', '|'],
    ['path', 'a\\|b \\| c'],
  ]
  const [ofCsv] = await tablesOf('pipes.csv', csv)
  const [ofHtml] = await tablesOf('pipes.html', `<table>${html.join('')}</table>`)
  assert.deepEqual([ofCsv.rows, ofHtml.rows], [rows, rows])
})

test('a reply has at most 50,000 cells, and from nextOffset on the other rows follow', async () => {
  const row = (number: number) => `${number},${Array.from({ length: 99 }, () => 'é😀').join()}`
  const names = Array.from({ length: 100 }, (_, column) => `Name ${column}`).join()
  const id = await upload(
    'wide.csv',
    `${names}\n${Array.from({ length: 1_200 }, (_, at) => row(at)).join('\n')}\n`,
  )
  const seen: string[] = []
  let from = 0
  for (let replies = 1; ; replies++) {
    const { body } = await list(id, { from })
    const [table] = body.data
    assert.ok(table.rows.length * 100 <= 50_000)
    assert.deepEqual([table.rowCount, table.columnCount, table.columns[99]], [1_200, 100, 'Name 99'])
    assert.ok(table.rows.every((cells: string[]) => cells.length === 100 && cells[99] === 'é😀'))
    seen.push(...table.rows.map(([first]: string[]) => first ?? ''))
    if (table.nextOffset === null) {
      assert.equal(replies, 3)
      break
    }
    from = table.nextOffset
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 1_200 }, (_, at) => String(at)),
  )
})

test('a table of 10,000 × 1,000 that spans a million is listed in a bounded reply', async () => {
  const cells = Array.from(
    { length: 1_000 },
    (_, column) => `<td rowspan=1000000 colspan=1000000>${column}</td>`,
  )
  const id = await upload(
    'spans.html',
    `<p>Wide</p><table>${`<tr>${cells.join('')}</tr>`}${'<tr><td>x</td></tr>'.repeat(10_000)}</table>`,
  )
  const { status, body } = await list(id)
  assert.equal(status, 200)
  const count = body.data.flatMap(({ rows }: { rows: string[][] }) => rows).flat().length
  assert.ok(count <= 50_000, String(count))
})

test('tables have pages, and from leaves out those that end before', async () => {
  const id = await upload(
    'three.md',
    ['A', 'B', 'C'].map(name => `| ${name} | Qty |\n|---|---|\n| ${name}1 | 1 |\n`).join('\nText.\n\n'),
  )
  const { body } = await list(id, { page: 2, pageSize: 2 })
  assert.deepEqual([body.meta.total, body.data.length, body.data[0].number], [3, 1, 3])
  const { body: all } = await list(id)
  const [first, second] = all.data
  const { body: later } = await list(id, { from: first.location.endOffset })
  assert.deepEqual(
    [later.meta.total, later.data.map(({ number }: { number: number }) => number)],
    [2, [2, 3]],
  )
  const inside = await list(id, { from: second.location.endOffset - 1 })
  assert.deepEqual(inside.body.data[0].rows, [])
  const beyond = await list(id, { from: 1_000_000_000 })
  assert.deepEqual([beyond.status, beyond.body.data], [200, []])
})

test('a document without tables has none; one that is not there is a 404', async () => {
  assert.deepEqual(await tablesOf('plain.txt', 'Only words.'), [])
  assert.equal((await list('doc_01jzzzzzzzzzzzzzzzzzzzzzzz')).status, 404)
  const id = await upload('one.csv', 'Article,Qty\nA,1\n')
  const { status, body } = await list(id, { version: 2 })
  assert.deepEqual([status, body.errors[0].field], [400, 'version'])
  const failed = await uploadAndWait(app, { collectionId, name: 'bad.pdf', content: '%PDF-1.7 no' })
  assert.deepEqual(
    [(await list(failed.id)).status, (await list(failed.id)).body.code],
    [409, 'version_without_text'],
  )
})

test('each version has its own tables, and an archive brings all of them', async () => {
  const from = await createCollection(app, undefined, 'Versions')
  const put = (content: string) =>
    putAndWait(app, { collectionId: from, externalId: 'one', content, name: 'a.csv' })
  await put('Article,Qty\nA,1\n')
  const { id } = await put('Article,Price\nA,2\nB,3\n')
  const columnsOf = async (of: string) => [
    (await list(of)).body.data[0].columns,
    (await list(of, { version: 1 })).body.data[0].columns,
  ]
  const both = [
    ['Article', 'Price'],
    ['Article', 'Qty'],
  ]
  assert.deepEqual(await columnsOf(id), both)
  const done = await importInto(app, await exportOf(app, from))
  assert.equal(done.status, 'succeeded')
  const { body } = await app.request('GET', '/knowledge/documents', {
    query: { collectionId: done.collectionId ?? '' },
  })
  assert.deepEqual(await columnsOf(body.data[0].id), both)
})

test('a search result has the cells of the row that fits best, by the names of their columns', async () => {
  const rows = Array.from({ length: 300 }, (_, at) => `QW-${5_000 + at},Washer type ${at},${at}.15`)
  await upload('washers.csv', `Article,Description,Unit price\n${rows.join('\n')}\n`)
  const [result] = await search(app, 'unit price of QW-5233')
  assert.deepEqual(result.cells, {
    Article: 'QW-5233',
    Description: 'Washer type 233',
    'Unit price': '233.15',
  })
})

test('a result without a row that fits better than the others has no cells', async () => {
  await upload(
    'kettles.md',
    'Kettles boil.\n\n| Kettle | Litres |\n|---|---|\n| kettle red | 1 |\n| kettle blue | 2 |\n',
  )
  const [result] = await search(app, 'kettles')
  assert.equal(result.cells, null)
  const [red] = await search(app, 'red kettle')
  assert.deepEqual(red.cells, { Kettle: 'kettle red', Litres: '1' })
})
