import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { HttpFailure } from '../http.ts'
import { configWith, connectApi, listWith, wordPress } from '../testing/http-api.ts'
import { httpApi } from './connector.ts'
import type { HttpConfig } from './settings.ts'

type Settings = Partial<HttpConfig>
type Answers = Record<string, { status?: number; json?: unknown }>

const blames = (field: string, text: RegExp) => (error: unknown) =>
  error instanceof HttpFailure && error.field === field && text.test(error.message)

const list = listWith({ path: '/things', items: '/data' })

/** Connects to an API that has these paths and no others. */
async function check(t: TestContext, settings: Settings, answers: Answers) {
  const { apis, context } = await connectApi(
    t,
    configWith({ baseUrl: 'https://api.example.com/v1', list, ...settings }),
  )
  const known: Answers = { '/v1/': {}, ...answers }
  apis.peer.interrupt = ({ path }) => known[path] ?? { status: 404 }
  return await httpApi.check(context)
}

const page = (...data: object[]): Answers => ({ '/v1/things': { json: { data } } })
const field = (pointer: string): HttpConfig['content'] => ({ from: 'field', field: pointer, format: 'text' })

test('a setting that fits none of the items is named', async t => {
  const answers = page({ id: 1, title: { text: 'One' }, body: 'x', made: 'long ago' }, { id: 2, body: 'y' })
  const wrong: [string, Settings][] = [
    ['content.field', { content: field('/text') }],
    ['fields.title', { fields: { title: '/name', metadata: {} } }],
    ['fields.title', { fields: { title: '/title', metadata: {} } }],
    ['fields.url', { fields: { url: '/link', metadata: {} } }],
    ['fields.created', { fields: { created: '/made', metadata: {} } }],
    ['fields.updated', { fields: { updated: '/changed', metadata: {} } }],
  ]
  for (const [name, settings] of wrong) {
    await assert.rejects(check(t, settings, answers), blames(name, new RegExp(`check config.${name}$`)), name)
  }
})

test('what only some items have, or have empty, is no fault', async t => {
  const settings = {
    content: field('/body'),
    fields: { title: '/title', url: '/link', updated: '/at', author: '/by', metadata: { section: '/in' } },
  }
  await check(t, settings, page({ id: 1 }, { id: 2, body: '', title: 'Two', link: null, at: 1_767_225_600 }))
  await check(t, settings, page())
  const marked = { ...settings, list: { ...list, deleted: '/gone' } }
  await check(t, marked, page({ id: 1, gone: true }))
})

test('a wrong path is named with the address that was asked for', async t => {
  await assert.rejects(check(t, {}, {}), blames('list.path', / at \/v1\/things: check config\.list\.path$/))
  const detail = { path: '/thing/{id}', item: '' }
  const items = page({ id: 1 }, { id: 2 })
  await assert.rejects(check(t, { detail }, items), blames('detail.path', /\/v1\/thing\/1, \/v1\/thing\/2/))
  await assert.rejects(
    check(t, { detail }, { ...items, '/v1/thing/1': { status: 400 } }),
    blames('detail.path', /answered 400 at \/v1\/thing\/1/),
  )
  await assert.rejects(
    check(t, { detail: { ...detail, item: '/thing' } }, { ...items, '/v1/thing/1': { json: {} } }),
    blames('detail.item', /./),
  )
  const content = { from: 'download', path: '/files/{id}', format: 'markdown' } as const
  await assert.rejects(check(t, { content }, items), blames('content.path', /\/v1\/files\/1/))
})

test('items that are gone or hidden do not stand for those that can be read', async t => {
  const detail = { path: '/thing/{id}', item: '' }
  const items = page({ id: 1 }, { id: 2 }, { id: 3 })
  const settings = { detail, content: field('/body') }
  const third = { '/v1/thing/3': { json: { body: 'text' } } }
  await check(t, settings, { ...items, ...third, '/v1/thing/2': { status: 403 } })
  await check(t, settings, { ...items, ...third, '/v1/thing/1': { json: { other: 'text' } } })
  const all = {
    '/v1/thing/1': { status: 403 },
    '/v1/thing/2': { status: 403 },
    '/v1/thing/3': { status: 403 },
  }
  await assert.rejects(check(t, settings, { ...items, ...all }), { kind: 'forbidden' })
  const content = { from: 'download', path: '/files/{id}', format: 'markdown' } as const
  await check(t, { content }, { ...items, '/v1/files/2': { json: {} } })
})

test('a wrong field of items that are read one by one is named', async t => {
  const { apis, context } = await connectApi(t, {
    ...wordPress,
    content: { from: 'field', field: '/content', format: 'html' },
    fields: { title: '/title', metadata: {} },
  })
  apis.put(1, 'Post', '<p>Text</p>')
  await assert.rejects(httpApi.check(context), blames('fields.title', /No item has a text at \/title/))
})
