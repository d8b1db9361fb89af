/** A peer that answers as the Notion API does, of a workspace that the test fills, changes and empties. */
import type { TestContext } from 'node:test'
import { type LoopbackPeer, type PeerReply, type PeerRequest, startLoopbackPeer } from './loopback-peer.ts'
import {
  block,
  createNotionStore,
  type NotionStore,
  richText,
  type StoredBlock,
  type StoredPage,
} from './notion-store.ts'

export type NotionPeer = LoopbackPeer & {
  notion: NotionStore
  /** The only token that is accepted, unless a test says otherwise. */
  token: string
  accepts(token: string): boolean
  rowsPerPage: number
  /** A query goes through so many rows; Notion's own limit is 10,000. */
  queryLimit: number
  mayReadUsers: boolean
  /** Makes every cursor that was given out before unknown. */
  forgetCursors(): void
}

type Peer = NotionPeer & { generation: number }

/** Stops with the test. */
export async function startNotionPeer(t: TestContext, now: () => number = Date.now): Promise<NotionPeer> {
  const loopback = await startLoopbackPeer(t, request => answer(peer, request))
  const peer: Peer = Object.assign(loopback, {
    notion: createNotionStore(now),
    token: 'ntn_token',
    accepts: (token: string) => token === peer.token,
    rowsPerPage: 100,
    queryLimit: 10_000,
    mayReadUsers: true,
    generation: 1,
    forgetCursors: () => {
      peer.generation += 1
    },
  })
  return peer
}

function answer(peer: Peer, request: PeerRequest): PeerReply {
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
  if (!peer.accepts(token)) return refusal(401, 'unauthorized', 'API token is invalid.')
  if (request.headers['notion-version'] !== '2025-09-03') {
    return refusal(400, 'missing_version', 'Notion-Version header failed validation.')
  }
  const [, resource = '', id = '', part = ''] =
    /^\/v1\/(\w+)(?:\/([^/]+))?(?:\/(\w+))?$/.exec(request.path) ?? []
  const body = request.body === '' ? {} : (JSON.parse(request.body) as SearchBody)
  switch (`${request.method} ${resource}${id === '' ? '' : '/:id'}${part === '' ? '' : `/${part}`}`) {
    case 'GET users/:id':
      return readUser(peer, id)
    case 'POST search':
      return search(peer, body)
    case 'POST data_sources/:id/query':
      return query(peer, id, body)
    case 'GET databases/:id':
      return readDatabase(peer, id)
    case 'GET pages/:id':
      return readPage(peer, id)
    case 'GET blocks/:id':
      return readBlock(peer, id)
    case 'GET blocks/:id/children':
      return listChildren(peer, id, request.query)
    case 'PATCH blocks/:id/children':
      return append(peer, id, request.body)
    default:
      return refusal(400, 'invalid_request_url', 'Invalid request URL.')
  }
}

type SearchBody = {
  query?: string
  filter?: { property?: string; value?: string; and?: Bound[] } & Partial<Bound>
  sort?: { timestamp: string; direction: string }
  sorts?: { timestamp: string; direction: string }[]
  start_cursor?: string | undefined
  page_size?: number
}
type Bound = { timestamp: string; last_edited_time: { on_or_after?: string; on_or_before?: string } }

/** https://developers.notion.com/reference/post-search */
function search(peer: Peer, body: SearchBody): PeerReply {
  const { pages, databases } = peer.notion
  if (body.filter?.value === 'data_source') {
    const found = [...databases].flatMap(([databaseId, { title, dataSources }]) =>
      dataSources.map(id => ({
        object: 'data_source',
        id,
        title: [richText(title)],
        in_trash: false,
        parent: { type: 'database_id', database_id: databaseId },
      })),
    )
    return listOf(peer, found, body)
  }
  const words = (body.query ?? '').toLowerCase()
  const found = [...pages.values()].filter(
    page => !page.inTrash && !page.isUnindexed && page.title.toLowerCase().includes(words),
  )
  return listOf(peer, latestFirst(found).map(pageObject), body)
}

/** https://developers.notion.com/reference/query-a-data-source */
function query(peer: Peer, id: string, body: SearchBody): PeerReply {
  const bounds = body.filter?.and ?? (body.filter === undefined ? [] : [body.filter as Bound])
  const rows = [...peer.notion.pages.values()].filter(
    page =>
      page.parent.data_source_id === id &&
      !page.inTrash &&
      bounds.every(({ last_edited_time: { on_or_after: from = '', on_or_before: until = '9' } }) => {
        return page.editedTime >= from && page.editedTime <= until
      }),
  )
  const isKnown = [...peer.notion.databases.values()].some(({ dataSources }) => dataSources.includes(id))
  if (!isKnown) return notFound('data source', id)
  if (body.sorts?.[0]?.direction !== 'descending')
    return refusal(400, 'validation_error', 'The test wants the latest first')
  const reached = latestFirst(rows).slice(0, peer.queryLimit).map(pageObject)
  const isIncomplete = rows.length > peer.queryLimit
  const status = isIncomplete
    ? { type: 'incomplete', incomplete_reason: 'query_result_limit_reached' }
    : { type: 'complete' }
  return listOf(peer, reached, body, { request_status: status })
}

const latestFirst = (pages: StoredPage[]): StoredPage[] =>
  pages.toSorted((a, b) => b.editedTime.localeCompare(a.editedTime))

/** https://developers.notion.com/reference/intro#pagination */
function listOf(
  { generation, rowsPerPage }: Peer,
  entries: unknown[],
  { start_cursor: cursor, page_size: size = 100 }: SearchBody,
  more: Record<string, unknown> = {},
): PeerReply {
  const [, made, start] = /^(\d+)-(\d+)$/.exec(cursor ?? `${generation}-0`) ?? []
  if (Number(made) !== generation || size > 100) {
    return refusal(400, 'validation_error', `The start_cursor provided is invalid: ${cursor}`)
  }
  const end = Number(start) + Math.min(size, rowsPerPage)
  const hasMore = end < entries.length
  return {
    json: {
      object: 'list',
      results: entries.slice(Number(start), end),
      has_more: hasMore,
      next_cursor: hasMore ? `${generation}-${end}` : null,
      ...more,
    },
  }
}

/** https://developers.notion.com/reference/get-self and https://developers.notion.com/reference/get-user */
function readUser({ notion, mayReadUsers }: Peer, id: string): PeerReply {
  if (id === 'me') {
    const bot = { owner: { type: 'workspace', workspace: true }, workspace_name: "Ada's workspace" }
    return {
      json: { object: 'user', id: '9188c6a5-7381-452f-b3dc-d4865aa89bdf', name: 'Atrium', type: 'bot', bot },
    }
  }
  if (!mayReadUsers) return refusal(403, 'restricted_resource', 'Insufficient permissions for this endpoint.')
  const name = notion.users.get(id)
  if (name === undefined) return notFound('user', id)
  return { json: { object: 'user', id, name, type: 'person', avatar_url: null, person: {} } }
}

/** https://developers.notion.com/reference/retrieve-database */
function readDatabase({ notion }: Peer, id: string): PeerReply {
  const [known] = [...notion.databases].filter(([databaseId]) => plain(databaseId) === plain(id))
  if (known === undefined) return notFound('database', id)
  const [databaseId, { title, dataSources }] = known
  const sources = dataSources.map(source => ({ id: source, name: title }))
  return { json: { object: 'database', id: databaseId, title: [richText(title)], data_sources: sources } }
}

const plain = (id: string): string => id.replaceAll('-', '').toLowerCase()

function readPage({ notion }: Peer, id: string): PeerReply {
  const page = [...notion.pages.values()].find(candidate => plain(candidate.id) === plain(id))
  return page === undefined ? notFound('page', id) : { json: pageObject(page) }
}

/** https://developers.notion.com/reference/page */
function pageObject(page: StoredPage) {
  const { id, title, createdTime, editedTime, createdBy, parent, inTrash, publicUrl, properties } = page
  const isRow = parent.type === 'data_source_id'
  return {
    object: 'page',
    id,
    created_time: createdTime,
    last_edited_time: editedTime,
    created_by: { object: 'user', id: createdBy },
    last_edited_by: { object: 'user', id: createdBy },
    cover: null,
    icon: null,
    parent,
    archived: inTrash,
    in_trash: inTrash,
    properties: {
      [isRow ? 'Name' : 'title']: { id: 'title', type: 'title', title: [richText(title)] },
      ...properties,
    },
    url: `https://www.notion.so/${title.replaceAll(' ', '-')}-${plain(id)}`,
    public_url: publicUrl,
  }
}

function readBlock(peer: Peer, id: string): PeerReply {
  for (const page of peer.notion.pages.values()) {
    const found = withBlocks(page.blocks).find(candidate => candidate.id === id)
    if (found === undefined) continue
    return { json: { ...blockObject(found), parent: { type: 'page_id', page_id: page.id } } }
  }
  return notFound('block', id)
}

const withBlocks = (blocks: StoredBlock[]): StoredBlock[] =>
  blocks.flatMap(each => [each, ...withBlocks(each.children)])

/** https://developers.notion.com/reference/get-block-children */
function listChildren(peer: Peer, id: string, parameters: URLSearchParams): PeerReply {
  const children = childrenOf(peer, id)
  if (children === null) return notFound('block', id)
  const cursor = parameters.get('start_cursor')
  return listOf(peer, children.map(blockObject), {
    page_size: Number(parameters.get('page_size') ?? 100),
    start_cursor: cursor ?? undefined,
  })
}

function childrenOf({ notion }: Peer, id: string): StoredBlock[] | null {
  for (const page of notion.pages.values()) {
    if (plain(page.id) === plain(id)) return page.blocks
    const found = withBlocks(page.blocks).find(candidate => candidate.id === id)
    if (found !== undefined) return found.children
  }
  return null
}

/** https://developers.notion.com/reference/block */
const blockObject = ({ id, type, content, children }: StoredBlock) => ({
  object: 'block',
  id,
  type,
  archived: false,
  in_trash: false,
  has_children: children.length > 0,
  [type]: content,
})

/** https://developers.notion.com/reference/patch-block-children */
function append({ notion }: Peer, id: string, body: string): PeerReply {
  const page = notion.pages.get(id)
  if (page === undefined) return notFound('block', id)
  const { children } = JSON.parse(body) as {
    children: { type: string; paragraph: { rich_text: { text: { content: string } }[] } }[]
  }
  const texts = children.map(child => child.paragraph.rich_text.map(part => part.text.content))
  if (children.length > 100 || texts.flat().some(text => text.length > 2_000)) {
    return refusal(400, 'validation_error', 'body failed validation: the length should be ≤ 2000.')
  }
  const added = texts.map(parts => block('paragraph', parts.join('')))
  notion.edit(id, { blocks: [...page.blocks, ...added] })
  return { json: { object: 'list', results: added.map(blockObject), next_cursor: null, has_more: false } }
}

const notFound = (what: string, id: string): PeerReply =>
  refusal(404, 'object_not_found', `Could not find ${what} with ID: ${id}.`)

/** https://developers.notion.com/reference/status-codes */
const refusal = (status: number, code: string, message: string): PeerReply => ({
  status,
  json: { object: 'error', status, code, message, request_id: '7d4a1c9e-0d2b-4e0f-9d5a-0c7a6b1f2e3d' },
})
