import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import { type IntegrationApp, startIntegrationApp } from '../../../testing/apps/integration-app.ts'
import { askAbout, syncAndWait, syncedDocuments } from '../../../testing/apps/synced.ts'
import { search } from '../../../testing/knowledge/knowledge.ts'
import { type ArticleApis, startArticleApis } from '../../../testing/peers/article-apis.ts'
import type { TestReply } from '../../../testing/test-app.ts'

async function start(t: TestContext): Promise<IntegrationApp & { apis: ArticleApis }> {
  const apis = await startArticleApis(t)
  const origins = ['https://blog.example.com', 'https://help.example.com']
  const routes = Object.fromEntries(origins.map(origin => [origin, apis.peer.origin]))
  return { ...(await startIntegrationApp(t, { routes: () => routes })), apis }
}

const connect = ({ app }: IntegrationApp, body: object): Promise<TestReply> =>
  app.request('POST', '/integrations/connect', { body: { integrationId: 'http', ...body } })

/** As a person writes it: what has a default is left out. */
const blog = {
  baseUrl: 'https://blog.example.com/wp-json/wp/v2',
  testPath: '/posts',
  list: {
    path: '/posts',
    since: { parameter: 'modified_after' },
    paging: { kind: 'link', size: 2, sizeParameter: 'per_page' },
  },
  detail: { path: '/posts/{id}' },
  content: { from: 'field', field: '/content/rendered', format: 'html' },
  fields: { title: '/title/rendered', url: '/link', updated: '/modified_gmt' },
}

const helpCenter = {
  baseUrl: 'https://help.example.com/api/v2/help_center',
  testPath: '/articles',
  list: { path: '/articles', items: '/articles' },
}

/** The cursor stands elsewhere. */
const lostAfterOnePage = {
  ...helpCenter,
  list: {
    ...helpCenter.list,
    paging: {
      kind: 'cursor',
      parameter: 'page[after]',
      pointer: '/meta/next_cur',
      more: '/meta/has_more',
      size: 1,
      sizeParameter: 'page[size]',
    },
  },
}

test('an API becomes knowledge: connected, synced, changed, synced again, found and cited', async t => {
  const setting = await start(t)
  const { app, apis } = setting
  apis.put(1, 'Ducks', '<p>Ducks may enter freely, from dawn to dusk.</p>')
  apis.put(2, 'Geese', '<p>Geese pay two euros a day at the gate.</p>')
  apis.put(3, 'Swans', '<p>Swans need a written permission of the mayor.</p>')
  const connected = await connect(setting, { config: blog, credentials: apis.login })
  assert.deepEqual(
    [connected.status, connected.body.data?.status],
    [201, 'active'],
    JSON.stringify(connected.body),
  )
  const { id } = connected.body.data

  const first = await syncAndWait(app, id)
  assert.deepEqual([first.status, first.error], ['succeeded', null])
  assert.deepEqual(first.counts, { added: 3, changed: 0, unchanged: 0, deleted: 0, failed: 0 })
  const geese = (await syncedDocuments(app, first.collectionId)).get('2')
  assert.deepEqual([geese.title, geese.mediaType, geese.name], ['Geese', 'text/html', 'Geese.html'])
  assert.equal(geese.metadata.url, 'https://blog.example.com/?p=2')
  const answer = await askAbout(app, first.collectionId, 'How much do geese pay?')
  assert.deepEqual(answer.cited, [geese.id])

  apis.put(2, 'Geese', '<p>Geese pay five euros a day at the gate.</p>')
  apis.articles.delete(3)
  apis.peer.requests.length = 0
  const second = await syncAndWait(app, id)
  assert.deepEqual([second.counts.added, second.counts.changed], [0, 1])
  assert.ok(apis.peer.requests.some(({ query }) => query.has('modified_after')))
  const third = await syncAndWait(app, id, { full: true })
  assert.equal(third.counts.deleted, 1)
  assert.match((await askAbout(app, first.collectionId, 'How much do geese pay?')).output, /five euros/)
  assert.deepEqual(await search(app, 'swans permission mayor'), [])
})

test('settings that do not fit the schema, each other or the API are refused by their names', async t => {
  const setting = await start(t)
  const { apis } = setting
  apis.put(1, 'Ducks', '<p>Ducks</p>')
  const credentials = { apiKey: apis.key }
  const refusal = async (config: object): Promise<string> => {
    const { status, body } = await connect(setting, { config, credentials })
    assert.equal(status, 400, JSON.stringify(body))
    return body.errors
      .map(({ field, message }: { field: string; message: string }) => `${field} ${message}`)
      .join('\n')
  }
  assert.match(await refusal({ ...helpCenter, list: { path: 'articles' } }), /^config\.list\.path /)
  assert.match(
    await refusal({ ...helpCenter, list: { path: '/articles', paging: { kind: 'cursor' } } }),
    /^config\.list\.paging\.pointer must be given/,
  )
  assert.match(
    await refusal({ ...helpCenter, list: { path: '/articles', id: 'uuid' } }),
    /^config\.list\.id /,
  )
  assert.match(
    await refusal({ ...helpCenter, list: { path: '/articles' } }),
    /^config\.list\.items .*has no list|^config\.list\.items .*is no list/,
  )
  assert.match(
    await refusal({ ...helpCenter, headers: { Cookie: 'a=b' } }),
    /^config\.headers\.Cookie must be left out/,
  )
  assert.match(
    await refusal({ ...helpCenter, list: { ...helpCenter.list, path: '/artciles' } }),
    /^config\.list\.path .*\/api\/v2\/help_center\/artciles/,
  )
  assert.match(
    await refusal({ ...helpCenter, content: { from: 'field', field: '/text' } }),
    /^config\.content\.field .*\/text/,
  )
  assert.match(
    await refusal({ ...helpCenter, fields: { title: '/titel' } }),
    /^config\.fields\.title .*\/titel/,
  )
  apis.put(2, 'Geese', '<p>Geese</p>')
  assert.match(await refusal(lostAfterOnePage), /^config\.list\.paging\.pointer .*\/meta\/next_cur/)
  const good = await connect(setting, { config: helpCenter, credentials })
  assert.equal(good.status, 201, JSON.stringify(good.body))
})

test('a list that cannot be read to its end fails the sync, and takes nothing away', async t => {
  const setting = await start(t)
  const { app, apis } = setting
  apis.put(2, 'Ducks', '<p>Ducks</p>')
  const { body } = await connect(setting, { config: lostAfterOnePage, credentials: { apiKey: apis.key } })
  const first = await syncAndWait(app, body.data.id)
  assert.deepEqual([first.status, first.counts.added], ['succeeded', 1])
  apis.put(1, 'Geese', '<p>Geese</p>')
  const second = await syncAndWait(app, body.data.id, { full: true })
  assert.deepEqual([second.status, second.error?.code], ['failed', 'unexpected_reply'])
  assert.match(second.error?.message ?? '', /check config\.list\.paging\.pointer/)
  assert.ok((await syncedDocuments(app, first.collectionId)).has('2'))
})

test('an item that lost its text stays a document, of its title', async t => {
  const setting = await start(t)
  const { app, apis } = setting
  apis.put(1, 'Ducks of the pond', '<p>Ducks</p>')
  const config = {
    ...helpCenter,
    content: { from: 'field', field: '/body', format: 'html' },
    fields: { title: '/title' },
  }
  const { body } = await connect(setting, { config, credentials: { apiKey: apis.key } })
  const first = await syncAndWait(app, body.data.id)
  apis.put(1, 'Ducks of the pond', '')
  const second = await syncAndWait(app, body.data.id)
  assert.deepEqual(
    [second.status, second.counts],
    ['succeeded', { added: 0, changed: 1, unchanged: 0, deleted: 0, failed: 0 }],
  )
  const document = (await syncedDocuments(app, first.collectionId)).get('1')
  assert.deepEqual([document.title, document.status], ['Ducks of the pond', 'ready'])
})

test('a key that is refused in the middle makes the connection need attention, and the sync says so', async t => {
  const setting = await start(t)
  const { app, apis } = setting
  apis.put(1, 'Ducks', '<p>Ducks</p>')
  const { id } = (await connect(setting, { config: helpCenter, credentials: { apiKey: apis.key } })).body.data
  apis.peer.interrupt = () => ({ status: 401, json: { error: 'revoked' } })
  const sync = await syncAndWait(app, id)
  assert.deepEqual([sync.status, sync.error?.code], ['failed', 'needs_reauth'])
  assert.equal((await app.request('GET', `/integrations/${id}`)).body.data.status, 'needs_reauth')
})

test('the examples of the guide are connected and synced as they stand there', async t => {
  const setting = await start(t)
  const { app, apis } = setting
  for (const id of [1, 2, 3]) apis.put(id, `Article ${id}`, `<p>Text of ${id}</p>`)
  const guide = await readFile(new URL('../../../../../docs/guides/http-api.md', import.meta.url), 'utf8')
  const examples = [...guide.matchAll(/-d '(\{[^']*\})'/g)].map(([, text = '']) => JSON.parse(text))
  assert.equal(examples.length, 2)
  for (const example of examples) {
    const credentials = 'apiKey' in example.credentials ? { apiKey: apis.key } : example.credentials
    const { status, body } = await connect(setting, { ...example, credentials })
    assert.equal(status, 201, JSON.stringify(body))
    const sync = await syncAndWait(app, body.data.id)
    assert.deepEqual([sync.status, sync.counts.added], ['succeeded', 3])
  }
})
