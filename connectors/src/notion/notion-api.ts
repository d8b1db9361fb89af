/**
 * The calls of the Notion API that the connector makes, at the pace that Notion asks for.
 * https://developers.notion.com/reference/intro
 */
import { type Http, HttpFailure, type HttpRequest } from '../http.ts'

export const api = 'https://api.notion.com'
/** A database holds data sources, and these hold rows: https://developers.notion.com/docs/upgrade-guide-2025-09-03 */
const apiVersion = '2025-09-03'
/** Three requests a second: https://developers.notion.com/reference/request-limits */
const everyMs = 340

export type Parent = {
  type: string
  page_id?: string
  block_id?: string
  database_id?: string
  data_source_id?: string
}

/** `type` names the field that holds the value: https://developers.notion.com/reference/page-property-values */
export type Property = { type: string; [value: string]: unknown }

export type Page = {
  object: string
  id: string
  created_time: string
  last_edited_time: string
  in_trash?: boolean
  archived?: boolean
  url: string
  /** Null unless the page is published to the web. */
  public_url?: string | null
  created_by?: { id: string; name?: string | null }
  parent: Parent
  properties: Record<string, Property>
}

/** `type` names the field that holds the content: https://developers.notion.com/reference/block */
export type Block = { id: string; type: string; has_children: boolean; [content: string]: unknown }

export type NotionList<Entry> = {
  results: Entry[]
  next_cursor: string | null
  /** `incomplete` if a query has more results than Notion goes through. */
  request_status?: { type: string }
}

type DataSource = { object: string; id: string }
type Database = { id: string; title?: RichText[]; data_sources?: { id: string }[] }

/** Without a query, the pages that were edited last come first. */
export const searchPages = (
  http: Http,
  { query, cursor, pageSize = 100 }: { query?: string; cursor?: string | null; pageSize?: number },
): Promise<NotionList<Page>> =>
  call(http, 'search', {
    ...reading,
    body: {
      query,
      filter: { property: 'object', value: 'page' },
      // For a search by words, Notion's own order is better.
      sort: query === undefined ? { timestamp: 'last_edited_time', direction: 'descending' } : undefined,
      ...pageOf(cursor, pageSize),
    },
  })

export const searchDataSources = (
  http: Http,
  { cursor, pageSize }: { cursor: string | null; pageSize: number },
): Promise<NotionList<DataSource>> =>
  call(http, 'search', {
    ...reading,
    body: { filter: { property: 'object', value: 'data_source' }, ...pageOf(cursor, pageSize) },
  })

/** The rows that were last edited between the two times, the latest first. Both times are ISO 8601 and included. */
export const queryRows = (
  http: Http,
  dataSourceId: string,
  { cursor, from, until }: { cursor: string | null; from: string | null; until: string | null },
): Promise<NotionList<Page>> => {
  const bounds = [
    ...(from === null ? [] : [{ timestamp: 'last_edited_time', last_edited_time: { on_or_after: from } }]),
    ...(until === null ? [] : [{ timestamp: 'last_edited_time', last_edited_time: { on_or_before: until } }]),
  ]
  return call(http, `data_sources/${encodeURIComponent(dataSourceId)}/query`, {
    ...reading,
    body: {
      filter: bounds.length > 0 ? (bounds.length === 1 ? bounds[0] : { and: bounds }) : undefined,
      sorts: [{ timestamp: 'last_edited_time', direction: 'descending' }],
      ...pageOf(cursor, 100),
    },
  })
}

const pageOf = (cursor: string | null | undefined, pageSize: number) => ({
  page_size: pageSize,
  start_cursor: cursor ?? undefined,
})

/** Null if the page does not exist or was not given to the connection. Notion answers both alike. */
export const findPage = (http: Http, id: string): Promise<Page | null> =>
  find(http, `pages/${encodeURIComponent(id)}`)

export const findDatabase = (http: Http, id: string): Promise<Database | null> =>
  find(http, `databases/${encodeURIComponent(id)}`)

export const findBlock = (http: Http, id: string): Promise<(Block & { parent: Parent }) | null> =>
  find(http, `blocks/${encodeURIComponent(id)}`)

export const listBlocks = (http: Http, parentId: string, cursor: string | null): Promise<NotionList<Block>> =>
  call(http, `blocks/${encodeURIComponent(parentId)}/children`, {
    query: { page_size: 100, start_cursor: cursor ?? undefined },
  })

export const appendBlocks = (http: Http, pageId: string, children: readonly unknown[]): Promise<unknown> =>
  call(http, `blocks/${encodeURIComponent(pageId)}/children`, { method: 'PATCH', body: { children } })

type NotionUser = {
  id: string
  name?: string | null
  bot?: { workspace_name?: string | null }
}

export const whoAmI = (http: Http): Promise<NotionUser> => call(http, 'users/me', {})

/** Also null if the connection may not read users. */
export const findUser = (http: Http, id: string): Promise<NotionUser | null> =>
  find(http, `users/${encodeURIComponent(id)}`, ['missing', 'forbidden'])

async function find<T>(http: Http, path: string, absences: HttpFailure['kind'][] = ['missing']) {
  try {
    return await call<T>(http, path, {})
  } catch (error) {
    if (error instanceof HttpFailure && absences.includes(error.kind)) return null
    throw error
  }
}

const reading = { method: 'POST', repeatable: true } as const

const call = <T>(http: Http, path: string, request: HttpRequest): Promise<T> =>
  http.json(`${api}/v1/${path}`, { ...request, everyMs, headers: { 'notion-version': apiVersion } })

// Notion's rich text as Markdown: https://developers.notion.com/reference/rich-text

export type RichText = {
  type: string
  plain_text: string
  href?: string | null
  annotations?: { bold?: boolean; italic?: boolean; strikethrough?: boolean; code?: boolean }
}

export const plainText = (texts: readonly RichText[] = []): string =>
  texts.map(text => text.plain_text).join('')

export const markdownOf = (texts: readonly RichText[] = []): string => texts.map(pieceOf).join('')

function pieceOf({ type, plain_text: text, href, annotations = {} }: RichText): string {
  // Markdown ignores marks that touch a space.
  const inner = text.trim()
  if (inner === '') return text
  const start = text.indexOf(inner)
  const [before, after] = [text.slice(0, start), text.slice(start + inner.length)]
  const { bold, italic, strikethrough, code } = annotations
  let marked = type === 'equation' ? `$${inner}$` : inner
  if (code) marked = `\`${marked}\``
  if (bold) marked = `**${marked}**`
  if (italic) marked = `*${marked}*`
  if (strikethrough) marked = `~~${marked}~~`
  // Mentions link to people and pages of the workspace by relative paths, which are left out.
  if (href?.startsWith('http')) marked = `[${marked}](${href})`
  return `${before}${marked}${after}`
}
