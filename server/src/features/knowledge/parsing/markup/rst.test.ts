import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blocksOf, readDocument } from '../../../../testing/knowledge/read-document.ts'

const read = async (source: string): Promise<string[]> => blocksOf(await readDocument(source, 'a.rst'))

test('titles have levels in the order of their underlines, and lists, code and comments are known', async () => {
  const source = `=====
Guide
=====

.. a comment
   of two lines

Install
-------
Run *this* **now**::

    pip install x

- one
  goes on

  * inner
- two

1. first
#. second

Upgrade
-------
.. note:: Back up \`\`data\`\` first.

   Then go.

.. code-block:: python
   :linenos:

   x = 1

       y = 2

.. image:: a.png
   :alt: A picture

:Author: Ada

----

>>> 1 + 1
2
`
  assert.deepEqual(await read(source), [
    'heading1: Guide',
    'heading2: Install',
    'paragraph: Run this now:',
    'code: pip install x',
    'list: - one\ngoes on',
    'list:   - inner',
    'list: - two',
    'list: 1. first',
    'list: #. second',
    'heading2: Upgrade',
    'paragraph: Note: Back up data first.',
    'paragraph: Then go.',
    'code: x = 1\n\n    y = 2',
    'paragraph: A picture',
    'paragraph: Author: Ada',
    'code: >>> 1 + 1\n2',
  ])
})

test('links keep their addresses, and marks have the one form', async () => {
  const source = `See \`the sheet <https://a.example/f.pdf>\`_, \`Home\`_ and :ref:\`more <x>\`, :class:\`~a.B\`.
10\\ :sup:\`-4\` mol H\\ :sub:\`2\`\\ O, snake_case, |v| [1]_, \\*no mark\\*, \`\`**code** \`x\` \`\`.

.. _Home: https://a.example/
.. |v| replace:: version 3
.. [1] A note.
`
  assert.deepEqual(await read(source), [
    'paragraph: See the sheet (https://a.example/f.pdf), Home (https://a.example/) and more, a.B.\n10^-4 mol H_2O, snake_case, version 3, *no mark*, **code** `x` .',
    'paragraph: A note.',
  ])
})

test('tables of each kind become rows, and a cell over several columns or rows is repeated', async () => {
  const source = `
+--------+-------------+
| Region | 2024        |
|        +------+------+
|        | net  | a*b* |
+========+======+======+
| North  | 10   | 12   |
+--------+------+------+

=====  =====
Name   Price
=====  =====
Nut    1
Bolt   a long
       text
=====  =====

.. list-table:: Title

   * - a
     - b
   * - c
     - d

.. csv-table::
   :header: "x", "y"

   1, "two"
`
  assert.deepEqual(await read(source), [
    'table: Region | 2024 | 2024\nRegion | net | a*b*\nNorth | 10 | 12',
    'table: Name | Price\nNut | 1\nBolt | a long text',
    'paragraph: Title',
    'table: a | b\nc | d',
    'table: x | y\n1 | two',
  ])
})

test('signs without end are read in time', async () => {
  const hostile = [
    '`'.repeat(60_000),
    '*a '.repeat(20_000),
    '- '.repeat(30_000),
    '`a <'.repeat(15_000),
    `${'+-'.repeat(20_000)}+\n`.repeat(20),
    Array.from({ length: 1_500 }, (_, depth) => `${' '.repeat(depth)}- x\n`).join('\n'),
    '== ==\n'.repeat(20_000),
    '::\n\n x\n'.repeat(20_000),
  ]
  for (const source of hostile) {
    const start = process.cpuUsage()
    await readDocument(`words\n\n${source}`, 'a.rst')
    const { user } = process.cpuUsage(start)
    assert.ok(user < 2_000_000, `${user} µs for ${source.slice(0, 20)}`)
  }
})
