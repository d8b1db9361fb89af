import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outOfOrder, tooManyRequests } from '../../../server/src/testing/peers/loopback-peer.ts'
import { HttpFailure } from '../http.ts'
import {
  configWith,
  connectApi,
  contentful,
  helpCenter,
  listWith,
  openApi,
  paging,
  wordPress,
} from '../testing/http-api.ts'
import { isFailure } from '../testing/is-failure.ts'
import { fetchItem, listSource } from '../testing/run-source.ts'
import { httpApi } from './connector.ts'

const blames = (field: string) => (error: unknown) =>
  error instanceof HttpFailure &&
  error.kind === 'unexpected_reply' &&
  error.message.includes(`config.${field}`)

test('an API with Link headers and a page for each item is synced, and later only what changed since', async t => {
  const { apis, mirror } = await connectApi(t, wordPress)
  for (const id of [1, 2, 3, 4, 5]) apis.put(id, `Post ${id}`, `<p>Text of ${id}</p>`)
  assert.deepEqual(await mirror.sync(), { added: 5, changed: 0, unchanged: 0, deleted: 0, failed: 0 })
  const post = mirror.documents.get('3')
  assert.deepEqual(
    [post?.text, post?.fileName, post?.mediaType, post?.title],
    ['<p>Text of 3</p>', 'Post 3.html', 'text/html', 'Post 3'],
  )
  assert.deepEqual(post?.metadata, {
    url: 'https://blog.example.com/?p=3',
    author: '7',
    createdAt: '2026-01-01T00:03:00.000Z',
    updatedAt: '2026-01-01T00:03:00.000Z',
  })
  apis.peer.requests.length = 0
  apis.put(2, 'Post 2', '<p>Another text</p>')
  apis.put(6, 'Post 6', '<p>Text of 6</p>')
  assert.deepEqual(await mirror.sync(), { added: 1, changed: 1, unchanged: 1, deleted: 0, failed: 0 })
  assert.ok(apis.peer.requests[0]?.query.get('modified_after')?.startsWith('2026-01-01T00:04:00'))
  assert.deepEqual(mirror.fetched, ['2', '6'])
  apis.articles.delete(4)
  assert.deepEqual(await mirror.sync({ full: true }), {
    added: 0,
    changed: 0,
    unchanged: 5,
    deleted: 1,
    failed: 0,
  })
})

test('an API with cursors and whole items in its list is synced, its fields are metadata', async t => {
  const { apis, mirror } = await connectApi(t, helpCenter)
  for (const id of [1, 2, 3, 4]) apis.put(id, `Article ${id}`, `<p>Text of ${id}</p>`)
  assert.equal((await mirror.sync()).added, 4)
  assert.deepEqual(mirror.documents.get('1')?.metadata, {
    labels: ['pond', 'birds'],
    isDraft: false,
    section: 1,
    url: 'https://help.example.com/hc/en-us/articles/1',
    updatedAt: '2026-01-01T00:01:00.000Z',
  })
  assert.equal(apis.peer.requests.length, 2)
  apis.put(2, 'Article 2', '<p>Another text</p>')
  apis.articles.delete(3)
  assert.deepEqual(await mirror.sync(), { added: 0, changed: 1, unchanged: 2, deleted: 1, failed: 0 })
})

test('an API with offsets is synced, and whole items are written as Markdown', async t => {
  const { apis, mirror } = await connectApi(t, contentful)
  for (const id of [1, 2, 3, 4]) apis.put(id, `Entry ${id}`, `${'A long text. '.repeat(20)}`)
  assert.equal((await mirror.sync()).added, 4)
  const entry = mirror.documents.get('entry-1')
  assert.equal(entry?.fileName, 'Entry 1.md')
  assert.match(entry?.text ?? '', /^# Entry 1\n\n- sys\.id: entry-1\n/)
  assert.match(entry?.text ?? '', /- fields\.title: Entry 1\n\n## fields\.body\n\nA long text\./)
  assert.equal(apis.peer.requests.length, 2)
})

test('large items are read again from their page, each page once', async t => {
  const { apis, mirror } = await connectApi(t, helpCenter)
  for (const id of [1, 2, 3, 4]) apis.put(id, `Article ${id}`, `<p>${`Text of ${id}. `.repeat(500)}</p>`)
  assert.equal((await mirror.sync()).added, 4)
  assert.equal(apis.peer.requests.length, 4)
  assert.match(mirror.documents.get('4')?.text ?? '', /Text of 4/)
})

test('an item that left its page meanwhile is no deletion', async t => {
  const { apis, context } = await connectApi(t, helpCenter)
  for (const id of [1, 2, 3]) apis.put(id, `Article ${id}`, 'x'.repeat(5_000))
  const { items } = await listSource(httpApi, context)
  const last = items.at(-1)
  assert.ok(last)
  apis.articles.delete(1)
  await assert.rejects(fetchItem(httpApi, openApi(apis, helpCenter), last), /is not on the page any more/)
})

test('the next page is asked for by its address in the reply, and by its number', async t => {
  const next = configWith({
    ...helpCenter,
    list: listWith({
      path: '/articles',
      items: '/articles',
      paging: paging({
        kind: 'next',
        pointer: '/links/next',
        more: '/meta/has_more',
        size: 3,
        sizeParameter: 'page[size]',
      }),
    }),
  })
  const numbers = configWith({
    ...wordPress,
    list: listWith({ path: '/posts', paging: paging({ kind: 'page', size: 3, sizeParameter: 'per_page' }) }),
  })
  for (const config of [next, numbers]) {
    const { apis, mirror } = await connectApi(t, config)
    for (const id of [1, 2, 3, 4, 5, 6, 7]) apis.put(id, `Article ${id}`, `<p>Text of ${id}</p>`)
    assert.equal((await mirror.sync()).added, 7)
  }
})

test('what the API marks as deleted is removed', async t => {
  const config = configWith({
    ...helpCenter,
    list: listWith({
      path: '/articles',
      items: '/articles',
      deleted: '/deleted_at',
      since: { parameter: 'since', format: 'seconds' },
    }),
    fields: { updated: '/updated_at', metadata: {} },
  })
  const { apis, mirror } = await connectApi(t, config)
  const items = [
    { id: 1, body: 'One', updated_at: '2026-01-01T00:00:00Z' },
    { id: 2, body: 'Two', updated_at: '2026-01-02T00:00:00Z' },
  ]
  apis.peer.interrupt = () => ({ json: { articles: items } })
  assert.equal((await mirror.sync()).added, 2)
  apis.peer.interrupt = () => ({
    json: { articles: [{ id: 1, updated_at: '2026-01-03T00:00:00Z', deleted_at: '2026-01-03' }] },
  })
  assert.deepEqual(await mirror.sync(), { added: 0, changed: 0, unchanged: 0, deleted: 1, failed: 0 })
  assert.equal(
    apis.peer.requests.at(-1)?.query.get('since'),
    String(Date.parse('2026-01-02T00:00:00Z') / 1_000 - 60),
  )
})

test('other settings make other documents of the same items', async t => {
  const { apis, mirror } = await connectApi(t, helpCenter)
  apis.put(1, 'Article', '<p>Text</p>')
  await mirror.sync()
  const before = (await listSource(httpApi, openApi(apis, helpCenter))).items[0]?.version
  const other = configWith({ ...helpCenter, content: { from: 'item', format: 'json' } })
  assert.notEqual((await listSource(httpApi, openApi(apis, other))).items[0]?.version, before)
})

test('an item without text is a document of its title, and no deletion', async t => {
  const headings = {
    markdown: '# A & <B>\n',
    html: '<h1>A &amp; &lt;B></h1>',
    text: 'A & <B>\n',
    json: '"A & <B>"',
  }
  for (const [format, heading] of Object.entries(headings)) {
    const config = configWith({
      ...helpCenter,
      content: { from: 'field', field: '/body', format: format as keyof typeof headings },
    })
    const { apis, mirror } = await connectApi(t, config)
    apis.put(1, 'A & <B>', 'Text')
    await mirror.sync()
    assert.equal(mirror.documents.get('1')?.text, 'Text')
    apis.put(1, 'A & <B>', ' \n')
    apis.put(2, '', '')
    const counts = { added: 1, changed: 1, unchanged: 0, deleted: 0, failed: 0 }
    assert.deepEqual(await mirror.sync(), counts, format)
    assert.equal(mirror.documents.get('1')?.text, heading)
    assert.match(mirror.documents.get('2')?.text ?? '', /2/)
  }
})

test('a download becomes a document as it is, with the ending of what it is', async t => {
  const config = configWith({
    ...helpCenter,
    content: { from: 'download', path: '/files/{id}/content', format: 'markdown' },
  })
  const { apis, mirror } = await connectApi(t, config)
  for (const id of [1, 2]) apis.put(id, `Report ${id}`, '')
  apis.peer.interrupt = ({ path }) => {
    if (path.endsWith('/files/1/content'))
      return { headers: { 'content-type': 'application/pdf' }, body: '%PDF-1.7' }
    return path.endsWith('/content') ? { status: 404 } : null
  }
  await mirror.sync()
  const report = mirror.documents.get('1')
  assert.deepEqual(
    [report?.fileName, report?.mediaType, report?.text],
    ['Report 1.pdf', 'application/pdf', '%PDF-1.7'],
  )
  assert.equal(mirror.documents.has('2'), false)
})

test('a reply that is not as the settings say names the setting', async t => {
  const { apis, context } = await connectApi(t, helpCenter)
  apis.put(1, 'Article', '<p>Text</p>')
  const { list } = helpCenter
  assert.ok(list)
  const wrong: [string, Parameters<typeof configWith>[0]][] = [
    ['list.items', { ...helpCenter, list: { ...list, items: '/entries' } }],
    ['list.items', { ...helpCenter, list: { ...list, items: '' } }],
    ['list.id', { ...helpCenter, list: { ...list, id: '/uuid' } }],
  ]
  for (const [field, config] of wrong)
    await assert.rejects(httpApi.check(openApi(apis, configWith(config))), blames(field))
  const noField = configWith({ ...helpCenter, content: { from: 'field', field: '/text', format: 'html' } })
  await assert.rejects(httpApi.check(openApi(apis, noField)), blames('content.field'))
  const { items } = await listSource(httpApi, openApi(apis, noField))
  assert.ok(items[0])
  await assert.rejects(fetchItem(httpApi, openApi(apis, noField), items[0]), blames('content.field'))
  assert.deepEqual(await httpApi.check(context), { id: helpCenter.baseUrl, name: 'help.example.com' })
})

test('pages that go round, or lead the key elsewhere, end the listing', async t => {
  const round = configWith({
    ...helpCenter,
    list: listWith({
      path: '/articles',
      items: '/articles',
      paging: paging({ kind: 'page', parameter: 'p' }),
    }),
  })
  const { apis, context } = await connectApi(t, round)
  apis.put(1, 'Article', '<p>Text</p>')
  await assert.rejects(listSource(httpApi, context), blames('list.paging'))
  const away = configWith({
    ...helpCenter,
    list: listWith({
      path: '/articles',
      items: '/articles',
      paging: paging({ kind: 'next', pointer: '/next' }),
    }),
  })
  for (const next of [
    'https://evil.example/articles',
    'https://help.example.com/other',
    'http://help.example.com/api/v2/help_center/x',
  ]) {
    apis.peer.interrupt = () => ({ json: { articles: [{ id: 1 }], next } })
    await assert.rejects(listSource(httpApi, openApi(apis, away)), blames('list.paging'))
  }
})

test('an id never leads to another address than its own', async t => {
  const { apis, mirror } = await connectApi(t, wordPress)
  const ids = ['../../users', 'a/b?x=1#y', '..']
  apis.peer.interrupt = ({ path }) =>
    path === '/wp-json/wp/v2/posts'
      ? { json: ids.map(id => ({ id })) }
      : { json: { content: { rendered: path } } }
  await mirror.sync()
  assert.equal(mirror.documents.get('../../users')?.text, '/wp-json/wp/v2/posts/..%2F..%2Fusers')
  assert.equal(mirror.documents.get('a/b?x=1#y')?.text, '/wp-json/wp/v2/posts/a%2Fb%3Fx%3D1%23y')
  assert.match(mirror.failures.get('..')?.message ?? '', /cannot be a name in a path/)
})

test('an API that is tired is waited for; one that is broken, or refuses the key, ends the listing', async t => {
  const { apis, context } = await connectApi(t, helpCenter)
  apis.put(1, 'Article', '<p>Text</p>')
  let left = 1
  apis.peer.interrupt = () => (left-- > 0 ? tooManyRequests(3) : null)
  assert.equal((await listSource(httpApi, context)).items.length, 1)
  assert.deepEqual(context.pauses, [3_000])
  const kinds = [
    ['unavailable', outOfOrder],
    ['not_authorized', { status: 401 }],
    ['unexpected_reply', { body: '<html>', headers: { 'content-type': 'text/html' } }],
  ] as const
  for (const [kind, reply] of kinds) {
    apis.peer.interrupt = () => reply
    await assert.rejects(listSource(httpApi, openApi(apis, helpCenter)), isFailure(kind))
  }
})
