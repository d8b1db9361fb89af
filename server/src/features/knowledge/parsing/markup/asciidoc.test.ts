import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blocksOf, readDocument } from '../../../../testing/knowledge/read-document.ts'

test('titles of both kinds, lists, tables and code are known, and comments and settings are left out', async () => {
  const source = `= Guide
:version: 3

// a comment
[[install]]
== Install
Run *this* \`now\` in {version}.

[source,sh]
----
ls *
# no title
----

* one
goes on
** inner
. first
* [x] done

term:: what it means

.Prices
[cols="1,2"]
|===
|Name |Price

|Nut
|1
2+|both
.2+|tall |a
|b
|===

////
hidden
////
NOTE: Mind.

"Old" title
-----------
image::a.png[A picture, 300]
`
  const document = await readDocument(source, 'a.adoc')
  assert.equal(document.title, 'Guide')
  assert.deepEqual(blocksOf(document), [
    'heading1: Guide',
    'heading2: Install',
    'paragraph: Run this now in 3.',
    'code: ls *\n# no title',
    'list: - one\ngoes on',
    'list:   - inner',
    'list: 1. first',
    'list: - [x] done',
    'list: term',
    'paragraph: what it means',
    'paragraph: Prices',
    'table: Name | Price\nNut | 1\nboth | both\ntall | a\ntall | b',
    'paragraph: NOTE: Mind.',
    'heading2: "Old" title',
    'paragraph: A picture',
  ])
})

test('each sign begins a cell, also at the end of a number and beside another sign, and a cell may be repeated', async () => {
  const source = '|===\n|A |B |C\n|10|11|12\n|x || z\n3*|same\n2+|a\\|b |c\n|===\n'
  assert.deepEqual(blocksOf(await readDocument(source, 'a.adoc')), [
    'table: A | B | C\n10 | 11 | 12\nx |  | z\nsame | same | same\na|b | a|b | c',
  ])
})

test('links keep their addresses, and marks have the one form', async () => {
  const source = `See https://a.example/f.pdf[the sheet], <<x,more>>, [.line-through]#old# snake_case_name,
H~2~O and 10^5^.footnote:[A note.]
`
  assert.deepEqual(blocksOf(await readDocument(source, 'a.asciidoc')), [
    'paragraph: See the sheet (https://a.example/f.pdf), more, ~~old~~ snake_case_name,\nH_2O and 10^5.\nA note.',
  ])
})

test('signs without end are read in time, and spans without end cost nothing', async () => {
  const hostile = [
    '*a '.repeat(20_000),
    '<<'.repeat(30_000),
    'a:b['.repeat(15_000),
    '__'.repeat(30_000),
    `|===\n${'|'.repeat(60_000)}\n|===`,
    `|===\n${'9999.9999+|a\n'.repeat(5_000)}|===`,
    '----\n'.repeat(10_000),
    ' x\n\n'.repeat(15_000),
    '* '.repeat(30_000),
    'a'.repeat(60_000),
    'a '.repeat(30_000),
  ]
  for (const source of hostile) {
    const start = process.cpuUsage()
    const { text } = await readDocument(`words\n\n${source}`, 'a.adoc')
    const { user } = process.cpuUsage(start)
    assert.ok(user < 2_000_000, `${user} µs for ${source.slice(0, 20)}`)
    assert.ok(text.length < 5_000_000, `${text.length} for ${source.slice(0, 20)}`)
  }
})
