import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blocksOf, readDocument } from '../../../../testing/knowledge/read-document.ts'

const notebook = {
  cells: [
    { cell_type: 'markdown', source: ['# Sales\n', '\n', 'By *quarter*.'] },
    {
      cell_type: 'code',
      source: ['total = 4\n', 'total'],
      outputs: [
        { output_type: 'stream', name: 'stdout', text: ['\u001b[31mloaded\u001b[0m\n'] },
        {
          output_type: 'execute_result',
          data: { 'text/plain': ['4'], 'text/html': ['<b>4</b>'], 'image/png': 'iVBORw0KGgo'.repeat(1_000) },
        },
        { output_type: 'error', ename: 'NameError', evalue: 'x is not defined', traceback: ['…'] },
      ],
    },
    { cell_type: 'raw', source: 'As it is.' },
  ],
  nbformat: 4,
}

test('a notebook is read cell by cell, with what was printed and without its pictures', async () => {
  const document = await readDocument(JSON.stringify(notebook, null, 1), 'a.ipynb')
  assert.deepEqual(blocksOf(document), [
    'heading1: Sales',
    'paragraph: By quarter.',
    'code: total = 4\ntotal',
    'code: loaded',
    'code: 4',
    'code: NameError: x is not defined',
    'paragraph: As it is.',
  ])
  assert.equal(document.title, 'Sales')
})

test('a notebook of an older version is read by its worksheets, one that is cut off as JSON', async () => {
  const old = {
    worksheets: [
      { cells: [{ cell_type: 'code', input: 'print(1)', outputs: [{ output_type: 'pyout', text: ['1'] }] }] },
    ],
    nbformat: 3,
  }
  assert.equal((await readDocument(JSON.stringify(old), 'a.ipynb')).text, 'print(1)\n\n1')
  const cut = JSON.stringify(notebook).slice(0, 200)
  assert.equal((await readDocument(cut, 'a.ipynb')).text, cut)
})
