/** What becomes of metadata that a person sees, edits and saves. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type MetadataRow, metadataOf, rowsOf } from './metadata-rows.ts'

const edited = (metadata: object, changes: Readonly<Record<string, Partial<MetadataRow>>>) =>
  metadataOf(rowsOf({ ...metadata }).map(row => ({ ...row, ...changes[row.field] })))

test('a field that a person leaves alone keeps its value exactly, though another one is changed', () => {
  const metadata = {
    authors: ['Doe, Jane', ' Roe', '', 'two\r\nlines'],
    note: ' indented\n',
    year: 2026,
    share: 1e-7,
    reviewed: false,
    none: [],
    ' name with spaces ': 'x',
  }
  assert.deepEqual(edited(metadata, {}), metadata)
  assert.deepEqual(edited(metadata, { year: { value: '2027' } }), { ...metadata, year: 2027 })
})

test('a list is edited line by line, and each line that stays keeps its item exactly', () => {
  const authors = ['Doe, Jane', ' Roe', 'two\r\nlines', 'Poe']
  const value = ' Doe, John \n\n Roe\ntwo lines'
  assert.deepEqual(edited({ authors }, { authors: { value } }), {
    authors: ['Doe, John', ' Roe', 'two\r\nlines'],
  })
})

test('a field can change its kind', () => {
  const metadata = { tags: 'leave', year: '2026', authors: ['Doe', 'Roe'] }
  const changes = {
    tags: { kind: 'list', value: 'leave\npay' },
    year: { kind: 'number' },
    authors: { kind: 'text' },
  } as const
  assert.deepEqual(edited(metadata, changes), { tags: ['leave', 'pay'], year: 2026, authors: 'Doe\nRoe' })
})
