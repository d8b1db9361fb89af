/** The three APIs of the articles as connections of the HTTP connector, and what a test needs to keep a mirror of one. */
import type { TestContext } from 'node:test'
import { type ArticleApis, startArticleApis } from '../../../server/src/testing/peers/article-apis.ts'
import type { Credentials } from '../auth.ts'
import { httpApi } from '../http-api/connector.ts'
import type { HttpConfig, ListSettings, PagingSettings } from '../http-api/settings.ts'
import { createMirror, type Mirror, type TestContext as Opened, openContext } from './run-source.ts'

/** A list with what the schema fills in. */
export const listWith = (list: Partial<ListSettings> & { path: string }): ListSettings => ({
  query: {},
  items: '',
  id: '/id',
  paging: paging({ kind: 'none' }),
  ...list,
})

export const paging = (more: Partial<PagingSettings> & { kind: PagingSettings['kind'] }): PagingSettings => ({
  first: 1,
  ...more,
})

export const configWith = (config: Partial<HttpConfig> & { baseUrl: string }): HttpConfig => ({
  header: 'Authorization',
  scheme: 'Bearer',
  headers: {},
  testPath: '/',
  content: { from: 'item', format: 'markdown' },
  fields: { metadata: {} },
  ...config,
})

export const wordPress = configWith({
  baseUrl: 'https://blog.example.com/wp-json/wp/v2',
  testPath: '/posts',
  list: listWith({
    path: '/posts',
    query: { status: 'publish' },
    since: { parameter: 'modified_after', format: 'iso' },
    paging: paging({ kind: 'link', size: 2, sizeParameter: 'per_page' }),
  }),
  detail: { path: '/posts/{id}', item: '' },
  content: { from: 'field', field: '/content/rendered', format: 'html' },
  fields: {
    title: '/title/rendered',
    url: '/link',
    author: '/author',
    created: '/date_gmt',
    updated: '/modified_gmt',
    metadata: {},
  },
})

export const helpCenter = configWith({
  baseUrl: 'https://help.example.com/api/v2/help_center',
  testPath: '/articles',
  list: listWith({
    path: '/articles',
    items: '/articles',
    paging: paging({
      kind: 'cursor',
      parameter: 'page[after]',
      pointer: '/meta/after_cursor',
      more: '/meta/has_more',
      size: 2,
      sizeParameter: 'page[size]',
    }),
  }),
  content: { from: 'field', field: '/body', format: 'html' },
  fields: {
    title: '/title',
    url: '/html_url',
    updated: '/updated_at',
    metadata: {
      labels: '/label_names',
      isDraft: '/draft',
      section: '/section_id',
      nothing: '/no/such/field',
    },
  },
})

export const contentful = configWith({
  baseUrl: 'https://cdn.example.com/spaces/pond/environments/master/',
  testPath: 'entries',
  list: listWith({
    path: '/entries',
    items: '/items',
    id: '/sys/id',
    version: '/sys/revision',
    paging: paging({ kind: 'offset', parameter: 'skip', size: 2, sizeParameter: 'limit', total: '/total' }),
  }),
  fields: { title: '/fields/title', metadata: {} },
})

export type ConnectedApi = { apis: ArticleApis; context: Opened<HttpConfig>; mirror: Mirror }

export async function connectApi(t: TestContext, config: HttpConfig): Promise<ConnectedApi> {
  const apis = await startArticleApis(t)
  const context = openApi(apis, config)
  return { apis, context, mirror: createMirror(httpApi, context) }
}

/** As another process would open it. */
export function openApi(apis: ArticleApis, config: HttpConfig): Opened<HttpConfig> {
  const isWordPress = config.baseUrl.includes('/wp-json/')
  const credentials: Credentials = isWordPress
    ? { kind: 'basic', ...apis.login }
    : { kind: 'api_key', apiKey: apis.key }
  const peers = { [new URL(config.baseUrl).origin]: apis.peer.origin }
  return openContext(httpApi, { config, credentials, peers })
}
