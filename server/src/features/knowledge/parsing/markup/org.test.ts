import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blocksOf, readDocument } from '../../../../testing/knowledge/read-document.ts'

test('headings, lists, tables and code are known, and comments, drawers and settings are left out', async () => {
  const source = `#+TITLE: Plan
#+OPTIONS: toc:nil
# a comment
* TODO First :tag:
:PROPERTIES:
:ID: 1
:END:
Some *bold* text, =a*b=,
on two lines.
- one
  goes on
  1. inner
- [X] done
- term :: what it means

** Code
#+BEGIN_SRC sh
  ls *
,* no heading
#+END_SRC
: fixed
#+CAPTION: Prices
| Name | Price |
|------+-------|
| Nut  | 1     |
#+TBLFM: $2=1
#+begin_quote
Quoted.
#+end_quote
#+begin_comment
no
#+end_comment
`
  const document = await readDocument(source, 'a.org')
  assert.equal(document.title, 'Plan')
  assert.deepEqual(blocksOf(document), [
    'heading1: Plan',
    'heading1: TODO First :tag:',
    'paragraph: Some bold text, a*b,\non two lines.',
    'list: - one\ngoes on',
    'list:   1. inner',
    'list: - [x] done',
    'list: - term :: what it means',
    'heading2: Code',
    'code:   ls *\n* no heading',
    'code: fixed',
    'paragraph: Prices',
    'table: Name | Price\nNut | 1',
    'paragraph: Quoted.',
  ])
})

test('links keep their addresses, and marks have the one form', async () => {
  const source = `See [[https://a.example/f.pdf][the sheet]] and [[https://b.example]], +old+ new[fn:1], 10^{-4} H_{2}O,\\\\
a_b /not / a mark, 1 + 1 + 1.

[fn:1] A note.
`
  assert.deepEqual(blocksOf(await readDocument(source, 'a.org')), [
    'paragraph: See the sheet (https://a.example/f.pdf) and https://b.example, ~~old~~ new, 10^-4 H_2O,\na_b /not / a mark, 1 + 1 + 1.',
    'paragraph: A note.',
  ])
})

test('signs without end are read in time', async () => {
  const hostile = [
    '[['.repeat(30_000),
    '*a '.repeat(20_000),
    '- '.repeat(30_000),
    '^{'.repeat(30_000),
    '*'.repeat(60_000),
    '#+begin_src\n'.repeat(5_000),
    ':properties:\n'.repeat(5_000),
    '*/_+'.repeat(10_000),
    ' *a /b +c'.repeat(7_000),
  ]
  for (const source of hostile) {
    const start = process.cpuUsage()
    await readDocument(`words\n\n${source}`, 'a.org')
    const { user } = process.cpuUsage(start)
    assert.ok(user < 2_000_000, `${user} µs for ${source.slice(0, 20)}`)
  }
})
