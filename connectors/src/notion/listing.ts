/**
 * Lists pages: all by Notion's search, and the rows of each data source by a query, since the search may lack some.
 * https://developers.notion.com/reference/search-optimizations-and-limitations
 */
import type { Context, Item, Listing } from '../connector.ts'
import { HttpFailure } from '../http.ts'
import {
  findDatabase,
  type NotionList,
  type Page,
  queryRows,
  searchDataSources,
  searchPages,
} from './notion-api.ts'
import { titleOf } from './properties.ts'
import { type NotionConfig, plainId } from './settings.ts'

/** Where a listing stands. */
type Position = {
  startedAt: number
  /**
   * How often Notion no longer knew a cursor. It also makes the position after a restart differ from the one before.
   */
  restarts: number
} & (
  | { kind: 'pages'; cursor: string | null }
  | { kind: 'sources'; cursor: string | null }
  | {
      kind: 'rows'
      /** Ids of data sources. The first one is being read. */
      sources: string[]
      cursor: string | null
      /** Rows that were edited after this time have been read. */
      until: string | null
      /** The cursor of the next data sources; null if there are no more. */
      next: string | null
    }
  | { kind: 'end' }
)

type Since = { at: number; chosen: string }

/** The search learns of some changes late, so a sync searches this time once more. */
const overlapMs = 3_600_000
/** Notion tells times of change by the minute, so a page may change again within that minute unseen. */
const settledAfterMs = 120_000
const sourcesAtOnce = 25
/** More data sources would not fit into `nextPage`. */
const maxChosenSources = 90
const maxRestarts = 3

export async function listPages(
  context: Context<NotionConfig>,
  at: { since: string | null; page: string | null },
): Promise<Listing> {
  const chosen = context.config.databaseIds.map(plainId).join()
  // Only this file makes these texts, and they come back unchanged.
  const since = at.since === null ? null : (JSON.parse(at.since) as Since)
  if (since !== null && since.chosen !== chosen) return { items: [], nextPage: null, startOver: true }
  const from = since === null ? null : new Date(since.at - overlapMs).toISOString()
  const position = at.page === null ? await begin(context) : (JSON.parse(at.page) as Position)
  const found: Item[] = []
  const removed: string[] = []
  const take = (pages: readonly Page[]) => {
    for (const page of pages) {
      if (page.in_trash === true || page.archived === true) removed.push(page.id)
      else found.push(itemOf(page, context.now()))
    }
  }
  const next = await readOn(context, position, from, take)
  return next.kind === 'end'
    ? {
        items: found,
        removed,
        nextPage: null,
        since: JSON.stringify({ at: next.startedAt, chosen } satisfies Since),
      }
    : { items: found, removed, nextPage: JSON.stringify(next) }
}

function itemOf(page: Page, nowMs: number): Item {
  const isSettled = nowMs - Date.parse(page.last_edited_time) > settledAfterMs
  const visibility = page.public_url ? 'public' : ''
  return {
    id: page.id,
    version: `${page.last_edited_time}|${visibility}${isSettled ? '' : `|${nowMs}`}`,
    title: titleOf(page),
  }
}

async function begin({ config, http, now }: Context<NotionConfig>): Promise<Position> {
  const common = { startedAt: now(), restarts: 0 }
  if (config.databaseIds.length === 0) return { ...common, kind: 'pages', cursor: null }
  const sources: string[] = []
  for (const id of config.databaseIds) {
    const database = await findDatabase(http, id)
    // Otherwise all rows of the database would be taken for deleted.
    if (database === null) {
      throw new HttpFailure(
        'missing',
        `The database ${id} of databaseIds is not there, or not given to the connection`,
      )
    }
    sources.push(...(database.data_sources ?? []).map(source => source.id))
  }
  if (sources.length > maxChosenSources)
    throw new Error(`databaseIds have more than ${maxChosenSources} data sources`)
  return { ...common, kind: 'rows', sources, cursor: null, until: null, next: null }
}

async function readOn(
  context: Context<NotionConfig>,
  position: Position,
  from: string | null,
  take: (pages: readonly Page[]) => void,
): Promise<Position> {
  try {
    switch (position.kind) {
      case 'pages':
        return await readSearch(context, position, from, take)
      case 'sources':
        return await readSources(context, position)
      case 'rows':
        return await readRows(context, position, from, take)
      case 'end':
        return position
    }
  } catch (error) {
    if (!isStale(error, position)) throw error
    return { ...position, cursor: null, restarts: position.restarts + 1 } as Position
  }
}

/** Notion refuses an unknown cursor like any other invalid field. */
const isStale = (error: unknown, position: Position): boolean =>
  error instanceof HttpFailure &&
  error.status === 400 &&
  position.kind !== 'end' &&
  position.cursor !== null &&
  position.restarts < maxRestarts

async function readSearch(
  { http }: Context<NotionConfig>,
  position: Position & { kind: 'pages' },
  from: string | null,
  take: (pages: readonly Page[]) => void,
): Promise<Position> {
  const { startedAt, restarts, cursor } = position
  const list = await searchPages(http, { cursor })
  const pages = wholePages(list)
  const fresh = pages.filter(page => from === null || page.last_edited_time >= from)
  take(fresh)
  // The latest pages come first, so the rest is older still.
  if (list.next_cursor !== null && fresh.length === pages.length)
    return { ...position, cursor: list.next_cursor }
  if (isIncomplete(list)) {
    throw new Error('Notion goes through a part of its pages only: name databases in databaseIds')
  }
  return { startedAt, restarts, kind: 'sources', cursor: null }
}

async function readSources(
  { http }: Context<NotionConfig>,
  { startedAt, restarts, cursor }: Position & { kind: 'sources' },
): Promise<Position> {
  const list = await searchDataSources(http, { cursor, pageSize: sourcesAtOnce })
  const sources = list.results.filter(({ object }) => object === 'data_source').map(({ id }) => id)
  const common = { startedAt, restarts }
  if (sources.length > 0) {
    return { ...common, kind: 'rows', sources, cursor: null, until: null, next: list.next_cursor }
  }
  if (list.next_cursor !== null) return { ...common, kind: 'sources', cursor: list.next_cursor }
  return { ...common, kind: 'end' }
}

async function readRows(
  { http }: Context<NotionConfig>,
  position: Position & { kind: 'rows' },
  from: string | null,
  take: (pages: readonly Page[]) => void,
): Promise<Position> {
  const { sources, cursor, until, next, startedAt, restarts } = position
  const [source, ...others] = sources
  if (source !== undefined) {
    const list = await queryRows(http, source, { cursor, from, until })
    take(wholePages(list))
    if (list.next_cursor !== null) return { ...position, cursor: list.next_cursor }
    if (isIncomplete(list)) return { ...position, cursor: null, until: olderThan(list, until) }
  }
  const common = { startedAt, restarts, cursor: null }
  if (others.length > 0) return { ...common, kind: 'rows', sources: others, until: null, next }
  return next === null ? { ...common, kind: 'end' } : { ...common, kind: 'sources', cursor: next }
}

/** Notion returns at most 10,000 rows of a query. The next query goes on with rows that were edited earlier. */
function olderThan({ results }: NotionList<Page>, until: string | null): string {
  const oldest = results.at(-1)?.last_edited_time
  if (oldest === undefined || oldest === until) {
    throw new Error('A data source has more rows of the same minute than Notion goes through')
  }
  return oldest
}

const isIncomplete = (list: NotionList<Page>): boolean => list.request_status?.type === 'incomplete'

/** A page that the connection may not read comes as an id alone. */
const wholePages = ({ results }: NotionList<Page>): Page[] =>
  results.filter(({ object, properties }) => object === 'page' && properties !== undefined)
