/** One set of articles behind three HTTP APIs that have nothing in common but JSON: each with its own paging and its own names. */

import type { TestContext } from 'node:test'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { type LoopbackPeer, type PeerReply, type PeerRequest, startLoopbackPeer } from './loopback-peer.ts'

export type Article = {
  id: number
  title: string
  html: string
  author: number
  createdAt: Date
  updatedAt: Date
}

export type ArticleApis = {
  peer: LoopbackPeer
  articles: Map<number, Article>
  /** Adds an article or changes it; each call is a minute later than the one before. */
  put(id: number, title: string, html: string): void
  key: string
  /** Of an application password. */
  login: { username: string; password: string }
}

/** Stops with the test. */
export async function startArticleApis(t: TestContext): Promise<ArticleApis> {
  const articles = new Map<number, Article>()
  let now = Date.parse('2026-01-01T00:00:00Z')
  const apis: Omit<ArticleApis, 'peer'> = {
    articles,
    key: 'key-of-the-articles',
    login: { username: 'ada', password: 'abcd EFGH 1234 ijkl MNOP 6789' },
    put(id, title, html) {
      now += 60_000
      const createdAt = articles.get(id)?.createdAt ?? new Date(now)
      articles.set(id, { id, title, html, author: 7, createdAt, updatedAt: new Date(now) })
    },
  }
  const peer = await startLoopbackPeer(t, request => answer(apis, request))
  return { ...apis, peer }
}

function answer(apis: Omit<ArticleApis, 'peer'>, request: PeerRequest): PeerReply {
  const { path, headers } = request
  const { username, password } = apis.login
  const isWordPress = path.startsWith('/wp-json/')
  const wanted = isWordPress
    ? `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
    : `Bearer ${apis.key}`
  if (headers.authorization !== wanted) return { status: 401, json: { error: 'unauthorized' } }
  const all = [...apis.articles.values()].sort((a, b) => a.id - b.id)
  if (isWordPress) return wordPress(all, request)
  if (path.startsWith('/api/v2/help_center/')) return helpCenter(all, request)
  if (path.startsWith('/spaces/')) return contentful(all, request)
  return { status: 404, json: { error: 'not found' } }
}

const numberOf = (text: string | null, usual: number): number => (text === null ? usual : Number(text))

/**
 * https://developer.wordpress.org/rest-api/reference/posts/ and
 * https://developer.wordpress.org/rest-api/using-the-rest-api/pagination/: page numbers, totals and the next page in
 * headers, 400 behind the last page; times in GMT without a zone.
 */
function wordPress(all: Article[], { path, query }: PeerRequest): PeerReply {
  const [, id] = /^\/wp-json\/wp\/v2\/posts\/(\d+)$/.exec(path) ?? []
  const one = all.find(article => article.id === Number(id))
  if (id !== undefined) return one === undefined ? invalidPost : { json: postOf(one) }
  if (path !== '/wp-json/wp/v2/posts') return noRoute
  const after = query.get('modified_after')
  const found = all.filter(({ updatedAt }) => after === null || updatedAt.getTime() > Date.parse(after))
  const [page, size] = [numberOf(query.get('page'), 1), numberOf(query.get('per_page'), 10)]
  const pages = Math.ceil(found.length / size)
  if (page > Math.max(1, pages)) return invalidPage
  const next = `<https://blog.example.com${path}?per_page=${size}&page=${page + 1}${after === null ? '' : `&modified_after=${after}`}>; rel="next"`
  return {
    json: found.slice((page - 1) * size, page * size).map(postOf),
    headers: withoutUndefined<Record<string, string>>({
      'x-wp-total': String(found.length),
      'x-wp-totalpages': String(pages),
      link: page < pages ? next : undefined,
    }),
  }
}

const withoutZone = (date: Date): string => date.toISOString().slice(0, 19)

const postOf = ({ id, title, html, author, createdAt, updatedAt }: Article) => ({
  id,
  date: withoutZone(createdAt),
  date_gmt: withoutZone(createdAt),
  modified: withoutZone(updatedAt),
  modified_gmt: withoutZone(updatedAt),
  slug: `post-${id}`,
  status: 'publish',
  type: 'post',
  link: `https://blog.example.com/?p=${id}`,
  title: { rendered: title },
  content: { rendered: html, protected: false },
  author,
  featured_media: 0,
  comment_status: 'open',
  sticky: false,
  categories: [1],
  tags: [],
})

const problem = (status: number, code: string, message: string): PeerReply => ({
  status,
  json: { code, message, data: { status } },
})
const invalidPost = problem(404, 'rest_post_invalid_id', 'Invalid post ID.')
const noRoute = problem(404, 'rest_no_route', 'No route was found matching the URL and request method.')
const invalidPage = problem(
  ...([
    400,
    'rest_post_invalid_page_number',
    'The page number requested is larger than the number of pages available.',
  ] as const),
)

/**
 * https://developer.zendesk.com/api-reference/help_center/help-center-api/articles/ and
 * https://developer.zendesk.com/api-reference/introduction/pagination/: cursors in the body, the next page's address there
 * and in the Link header; after the last page the cursor is still there and `has_more` is false.
 */
function helpCenter(all: Article[], { path, query }: PeerRequest): PeerReply {
  if (path !== '/api/v2/help_center/articles') return { status: 404, json: { error: 'RecordNotFound' } }
  const size = numberOf(query.get('page[size]'), 30)
  const begin = numberOf(query.get('page[after]'), 0)
  const end = begin + size
  const address = `https://help.example.com${path}?page[size]=${size}&page[after]=${end}`
  return {
    json: {
      articles: all.slice(begin, end).map(({ id, title, html, author, createdAt, updatedAt }) => ({
        id,
        url: `https://help.example.com${path}/${id}.json`,
        html_url: `https://help.example.com/hc/en-us/articles/${id}`,
        author_id: author,
        title,
        name: title,
        body: html,
        locale: 'en-us',
        draft: false,
        label_names: ['pond', 'birds'],
        created_at: createdAt.toISOString(),
        updated_at: updatedAt.toISOString(),
        section_id: 1,
        user_segment_id: null,
      })),
      meta: { has_more: end < all.length, after_cursor: String(end), before_cursor: String(begin) },
      links: { next: address, prev: null },
    },
  }
}

/** https://www.contentful.com/developers/docs/references/content-delivery-api/#/introduction/collection-resources-and-pagination */
function contentful(all: Article[], { path, query }: PeerRequest): PeerReply {
  if (path !== '/spaces/pond/environments/master/entries')
    return { status: 404, json: { sys: { type: 'Error', id: 'NotFound' } } }
  const [skip, limit] = [numberOf(query.get('skip'), 0), numberOf(query.get('limit'), 100)]
  const sysOf = ({ id, createdAt, updatedAt }: Article) => ({
    id: `entry-${id}`,
    type: 'Entry',
    revision: updatedAt.getTime() / 60_000,
    locale: 'en-US',
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  })
  const items = all.slice(skip, skip + limit).map(article => ({
    metadata: { tags: [] },
    sys: sysOf(article),
    fields: { title: article.title, body: article.html },
  }))
  return { json: { sys: { type: 'Array' }, total: all.length, skip, limit, items } }
}
