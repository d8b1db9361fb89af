import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configWith, helpCenter, listWith, paging, wordPress } from '../testing/http-api.ts'
import { checkSettings } from './settings.ts'

const base = { baseUrl: 'https://api.example.com' }
const faultsOf = (config: Parameters<typeof configWith>[0]): string[] =>
  checkSettings(configWith(config)).map(({ field }) => field)

test('settings that do not fit together are refused by the name of the one that is missing', () => {
  assert.deepEqual(faultsOf(helpCenter), [])
  assert.deepEqual(faultsOf(wordPress), [])
  const list = listWith({ path: '/a' })
  const faulty: [Parameters<typeof configWith>[0], string[]][] = [
    [{ ...base, list: { ...list, paging: paging({ kind: 'cursor' }) } }, ['list.paging.pointer']],
    [{ ...base, list: { ...list, paging: paging({ kind: 'next' }) } }, ['list.paging.pointer']],
    [
      { ...base, list: { ...list, paging: paging({ kind: 'page', sizeParameter: 'n' }) } },
      ['list.paging.size'],
    ],
    [{ ...base, list: { ...list, since: { parameter: 's', format: 'iso' } } }, ['fields.updated']],
    [{ ...base, detail: { path: '/a/{id}', item: '' } }, ['list']],
    [{ ...base, list, detail: { path: '/a', item: '' } }, ['detail.path']],
    [{ ...base, content: { from: 'field', format: 'html' } }, ['content.field']],
    [{ ...base, content: { from: 'download', format: 'markdown' } }, ['content.path']],
    [{ ...base, content: { from: 'item', format: 'html' } }, ['content.format']],
  ]
  for (const [config, fields] of faulty) assert.deepEqual(faultsOf(config), fields, JSON.stringify(config))
})

test('no header of the settings takes the place of the credentials or of the HTTP client', () => {
  for (const name of ['Authorization', 'cookie', 'Host', 'Content-Length', 'Expect', 'Keep-Alive', 'X-Key']) {
    assert.deepEqual(
      faultsOf({ ...base, header: 'x-key', headers: { [name]: 'x' } }),
      [`headers.${name}`],
      name,
    )
  }
  assert.deepEqual(faultsOf({ ...base, headers: { Accept: 'application/json' } }), [])
  assert.deepEqual(faultsOf({ baseUrl: 'https://user:pass@api.example.com' }), ['baseUrl'])
  assert.deepEqual(faultsOf({ baseUrl: 'file:///etc/passwd' }), ['baseUrl'])
})
